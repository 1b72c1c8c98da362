// Elements and colours of the pictures.  Knows the document; must not know what is shown.

export function make(name, kind = "", text = "") {
  const element = document.createElement(name);
  if (kind !== "") element.className = kind;
  if (text !== "") element.textContent = text;
  return element;
}

let last = 0;

// A part of the view with a title, which screen readers name it by.
export function section(title, ...content) {
  const part = make("section");
  const head = make("h3", "", title);
  head.id = `part-${++last}`;
  part.setAttribute("aria-labelledby", head.id);
  part.append(head, ...content);
  return part;
}

export const COLOURS = 8;

export const colourName = (index) => `--series-${index % COLOURS}`;

// The colour of a style sheet's name, as it is now: it is another one in the dark.
export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function swatch(index) {
  const element = make("span", `swatch series-${index % COLOURS}`);
  element.setAttribute("aria-hidden", "true");
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Keep as many children as there are items: new ones are made, those too many go.
export function fit(parent, length, makeChild) {
  while (parent.children.length > length) parent.lastElementChild.remove();
  while (parent.children.length < length) parent.append(makeChild(parent.children.length));
  return [...parent.children];
}

// Makes elements.  Everything is put in as text; must not know what is shown.

const SVG = "http://www.w3.org/2000/svg";

// attributes: properties where the element has such, else attributes; children: nodes and texts.
export function make(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function makeSvg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// An empty table for tables.js.
export function makeTable(name, ...classes) {
  return make("table", { role: "table", "aria-label": name, class: classes.join(" ") },
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" })),
    make("tbody", { role: "rowgroup" }));
}

// A field with its label above it.
export function labelled(text, input, ...classes) {
  return make("label", { class: ["field", ...classes].join(" ") }, make("span", {}, text), input);
}

export function select(options, chosen, attributes = {}) {
  const made = options.map(([value, text]) =>
    make("option", { value, selected: String(value) === String(chosen) }, text));
  return make("select", attributes, ...made);
}

// Put other options into a select.  Options that move from one select to another take turns at being
// the chosen one, so it is said at the end which one is.
export function fillSelect(element, options, chosen) {
  element.replaceChildren(...select(options, chosen).children);
  element.value = chosen;
}

export function element(name, fields = {}, text = "") {
  const made = Object.assign(document.createElement(name), fields);
  if (text) made.textContent = text;
  return made;
}

export function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

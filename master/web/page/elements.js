// Makes elements.  Everything is put in as text.

export function element(name, fields = {}, text = "") {
  const made = Object.assign(document.createElement(name), fields);
  if (text) made.textContent = text;
  return made;
}

export function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

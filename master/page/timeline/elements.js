// The elements of the timeline's view.
// Knows what stands where; must not know what it does.

const LEGEND = [
  ["trials", "trials"], ["question", "question"], ["search", "part of a search"],
  ["track", "idle"], ["rehanded", "handed out again; ▶ was handed to another"],
  ["stopped", "■ stopped"], ["shot", "▼ shot down"], ["failed", "+ failed"], ["lost", "✕ lost"],
];

const HELP = "Wheel or pinch to zoom, drag to move. Keys: ← → move, + − zoom, ↑ ↓ choose an "
  + "analyser, Shift with ← → goes from part to part, Home to the start, End to now.";

// Fill a room; return the elements by name.  acts: {zoomIn, zoomOut, seeAll}, what buttons do.
export function buildView(room, acts) {
  const found = {};
  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    return made;
  };
  const button = (label, text, act) => {
    const made = make("button", "", text);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };
  found.heading = make("h2", "", "Timeline");
  found.note = make("p", "note");
  found.follow = make("input");
  found.follow.type = "checkbox";
  found.follow.checked = true;
  found.followLabel = make("label", "timeline-follow");
  found.followLabel.append(found.follow, " follow now");
  const tools = make("p", "timeline-tools");
  tools.append(
    button("Zoom in", "+", acts.zoomIn),
    button("Zoom out", "−", acts.zoomOut),
    button("Show everything", "All", acts.seeAll),
    found.followLabel,
  );
  found.canvas = make("canvas", "timeline-canvas");
  found.canvas.tabIndex = 0;
  found.canvas.setAttribute("role", "application");
  found.canvas.setAttribute("aria-label", "Timeline: a lane for each analyser");
  found.canvas.setAttribute("aria-describedby", "timeline-help timeline-line");
  found.spacer = make("div");
  found.box = make("div", "timeline-box");
  found.box.append(found.canvas, found.spacer);
  found.line = make("p", "timeline-line");
  found.line.id = "timeline-line";
  found.line.setAttribute("role", "status");
  const help = make("p", "note", HELP);
  help.id = "timeline-help";
  const legend = make("ul", "timeline-legend");
  legend.setAttribute("aria-label", "Legend");
  for (const [name, text] of LEGEND) {
    const item = make("li", "", text);
    item.prepend(make("span", `timeline-swatch is-${name}`));
    legend.append(item);
  }
  const details = make("details");
  found.details = details;
  found.caption = make("caption", "note");
  found.table = make("table");
  found.table.setAttribute("role", "table");
  const head = found.table.createTHead();
  head.setAttribute("role", "rowgroup");
  head.insertRow().setAttribute("role", "row");
  found.table.createTBody().setAttribute("role", "rowgroup");
  found.table.prepend(found.caption);
  details.append(make("summary", "", "The same as a table"), found.table);
  room.append(found.heading, found.note, tools, found.box, found.line, legend, help, details);
  return found;
}

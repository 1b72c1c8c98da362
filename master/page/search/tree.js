// A tree of nodes in rows that change in place: focus, and what is open, stay where they are.
// Arrow keys, Home, End, Enter and Space work as in trees everywhere.

import { count } from "../words.js";
import { Bounds, scaleOf } from "./bounds.js";

const STATES = {
  waits: "waits",
  searched: "searched",
  shot: "shot: will be split",
  split: "split",
  elsewhere: "searched elsewhere",
  proved: "proved",
  cut: "cut off",
};

const HEATS = 5; // steps of the glow
const WARM = 2; // from here on a node is opened by itself

const keyOf = (path) => path.join(".");

export class Tree {
  constructor(place) {
    this.place = place;
    this.nodes = [];
    this.rows = new Map();
    this.wishes = new Map(); // what a person has opened and closed, by key
    this.isFollowing = true;
    this.current = ""; // the key of the row that the Tab key comes to
    place.addEventListener("keydown", (event) => this.press(event));
    place.addEventListener("click", (event) => this.click(event));
  }

  follow(isFollowing) {
    this.isFollowing = isFollowing;
    this.draw();
  }

  // nodes: parents before children.
  show(nodes) {
    this.nodes = nodes;
    this.draw();
  }

  draw() {
    const shown = this.visible();
    const scale = scaleOf(this.nodes);
    const hadFocus = this.place.contains(document.activeElement);
    for (const [key, row] of this.rows) {
      if (!shown.has(key)) {
        row.element.remove();
        this.rows.delete(key);
      }
    }
    let place = this.place.firstElementChild;
    for (const [key, node] of shown) {
      let row = this.rows.get(key);
      if (row === undefined) {
        row = new Row(key);
        this.rows.set(key, row);
      }
      if (row.element === place) place = place.nextElementSibling;
      else this.place.insertBefore(row.element, place);
      row.show(node, scale);
    }
    this.settle(hadFocus);
  }

  // The nodes that are to be seen, by key, with where they stand among their brothers.
  visible() {
    const brothers = new Map();
    for (const node of this.nodes) {
      if (node.path.length === 0) continue;
      const above = keyOf(node.path.slice(0, -1));
      if (!brothers.has(above)) brothers.set(above, []);
      brothers.get(above).push(node);
    }
    const [root] = this.nodes;
    const found = new Map();
    for (const node of this.nodes) {
      const key = keyOf(node.path);
      const above = keyOf(node.path.slice(0, -1));
      if (node.path.length > 0 && !found.get(above)?.isOpen) continue;
      const own = brothers.get(key) ?? [];
      const around = brothers.get(above) ?? [node];
      const heat = heatOf(node, root);
      found.set(key, {
        ...node,
        heat,
        canOpen: own.length > 0,
        isOpen: own.length > 0 && this.isOpen(key, node, heat),
        hidden: node.children - own.length,
        place: around.indexOf(node) + 1,
        among: around.length,
      });
    }
    return found;
  }

  isOpen(key, node, heat) {
    if (this.wishes.has(key)) return this.wishes.get(key);
    if (node.path.length === 0 || this.isReadBelow(key)) return true;
    return this.isFollowing && heat >= WARM && node.busy > 0;
  }

  // Whether somebody is below a node: it does not close by itself then.
  isReadBelow(key) {
    return this.current.startsWith(`${key}.`) && this.place.contains(document.activeElement);
  }

  // Keep one row that the Tab key comes to; who was in a row that is gone goes to one above it.
  settle(hadFocus) {
    const lost = !this.rows.has(this.current);
    while (!this.rows.has(this.current) && this.current !== "") {
      this.current = this.current.split(".").slice(0, -1).join(".");
    }
    for (const [key, { element }] of this.rows) {
      const index = key === this.current ? 0 : -1;
      if (element.tabIndex !== index) element.tabIndex = index;
    }
    if (lost && hadFocus) this.rows.get(this.current)?.element.focus();
  }

  click(event) {
    const row = event.target.closest("[role=treeitem]");
    if (row === null) return;
    this.go(row);
    this.toggle(row);
  }

  go(row) {
    if (!row) return;
    this.current = row.dataset.key;
    this.settle(false);
    row.focus();
  }

  toggle(row) {
    const isOpen = row.getAttribute("aria-expanded");
    if (isOpen === null) return;
    this.wishes.set(row.dataset.key, isOpen !== "true");
    this.draw();
  }

  press(event) {
    const row = event.target.closest("[role=treeitem]");
    if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOpen = row.getAttribute("aria-expanded");
    const actions = {
      ArrowDown: () => this.go(row.nextElementSibling),
      ArrowUp: () => this.go(row.previousElementSibling),
      Home: () => this.go(this.place.firstElementChild),
      End: () => this.go(this.place.lastElementChild),
      Enter: () => this.toggle(row),
      " ": () => this.toggle(row),
      ArrowRight: () => {
        if (isOpen === "false") this.toggle(row);
        else if (isOpen === "true") this.go(row.nextElementSibling);
      },
      ArrowLeft: () => {
        if (isOpen === "true") this.toggle(row);
        else this.go(this.rowAbove(row));
      },
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  rowAbove(row) {
    if (row.dataset.key === "") return row;
    return this.rows.get(row.dataset.key.split(".").slice(0, -1).join("."))?.element;
  }
}

// How much of what is done is done there, 0 to HEATS: mostly who works there now.
function heatOf(node, root) {
  if (node.busy === 0) return 0;
  const share = node.busy / Math.max(1, root.busy);
  const spent = node.nodes / Math.max(1, root.nodes);
  return Math.max(1, Math.ceil(HEATS * (0.75 * share + 0.25 * spent)));
}

class Row {
  constructor(key) {
    const make = (name) => {
      const cell = document.createElement("span");
      cell.className = name;
      this.element.append(cell);
      return cell;
    };
    this.element = document.createElement("div");
    this.element.role = "treeitem";
    this.element.dataset.key = key;
    this.element.tabIndex = -1;
    this.move = make("move");
    this.state = make("state");
    this.bounds = new Bounds();
    this.element.append(this.bounds.element);
    this.value = make("value");
    this.busy = make("busy");
    this.nodes = make("nodes");
  }

  show(node, scale) {
    const { element } = this;
    const level = node.path.length + 1;
    set(element, "aria-level", level);
    set(element, "aria-posinset", node.place);
    set(element, "aria-setsize", node.among);
    set(element, "aria-expanded", node.canOpen ? node.isOpen : null);
    const look = `node level-${level} is-${node.state} heat-${node.heat}`;
    if (element.className !== look) element.className = look;
    put(this.move, level === 1 ? "Position" : node.move);
    put(this.state, stateOf(node));
    put(this.value, node.bounds);
    put(this.busy, node.busy > 0 ? `${count(node.busy)} at work` : "");
    put(this.nodes, node.nodes > 0 ? `${count(node.nodes)} nodes` : "");
    const title = titleOf(node);
    if (element.title !== title) element.title = title;
    this.bounds.show(node, scale);
  }
}

function stateOf(node) {
  const told = node.is_shot && node.state === "split" ? "hot spot, split" : STATES[node.state];
  if (node.state === "searched" && node.age_s >= 1) return `${told} for ${Math.round(node.age_s)} s`;
  return node.hidden > 0 && node.canOpen ? `${told}, ${node.hidden} more` : told;
}

function titleOf(node) {
  const names = [...new Set(node.searchers)].join(", ");
  return names ? `${node.depth}, by ${names}` : node.depth;
}

function set(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

function put(cell, text) {
  if (cell.textContent !== text) cell.textContent = text;
}

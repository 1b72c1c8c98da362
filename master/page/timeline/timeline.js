// The view of who computed which part when: live, or of a record.
// Knows the door's answers, and what pointers and keys do; what is drawn where is drawing.js's.

import { AXIS, Drawing } from "./drawing.js";
import { buildView } from "./elements.js";
import { Scale, moment } from "./scale.js";
import { Store } from "./store.js";
import { LaneTable, laneInWords, spanInWords } from "./telling.js";

const LOOK_MS = 1_000;
const AGAIN_MS = 3_000;
const TABLE_MS = 1_000;
const FIRST_S = 60; // seen of a live one at first
const ZOOM_STEP = 1.6, PAN_SHARE = 0.12;
const NEAR_PIXELS = 3;
const DRAG_PIXELS = 4;

export function open(room, page) {
  const view = new TimelineView(room, page);
  view.start();
  return view;
}

class TimelineView {
  constructor(room, page) {
    this.page = page;
    this.title = "Timeline";
    this.store = new Store();
    this.scale = new Scale();
    this.build(room);
    this.drawing = new Drawing(this.canvas);
    this.laneTable = new LaneTable(this.table, this.store);
    this.chosen = null;
    this.next = "";
    this.isClosed = false;
    this.isFollowing = true;
    this.isPlaced = false;
    this.pointers = new Map();
    this.lanes = [];
    this.laneHeight = 1;
    this.tabledAt = -Infinity;
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.ends = new AbortController();
  }

  build(room) {
    Object.assign(this, buildView(room, {
      zoomIn: () => this.zoom(ZOOM_STEP),
      zoomOut: () => this.zoom(1 / ZOOM_STEP),
      seeAll: () => this.seeAll(),
    }));
  }

  start() {
    const { signal } = this.ends;
    const on = (target, name, act, options = {}) =>
      target.addEventListener(name, act, { signal, ...options });
    on(window, "resize", () => this.resize());
    on(this.dark, "change", () => { this.drawing.readColours(); this.redraw(); });
    on(document, "visibilitychange", () => { if (!document.hidden) this.load(); });
    on(this.box, "scroll", () => this.redraw(), { passive: true });
    on(this.follow, "change", () => this.setFollowing(this.follow.checked));
    on(this.details, "toggle", () => { this.tabledAt = -Infinity; this.redraw(); });
    on(this.canvas, "wheel", (event) => this.wheel(event), { passive: false });
    on(this.canvas, "keydown", (event) => this.key(event));
    on(this.canvas, "pointerdown", (event) => this.down(event));
    on(this.canvas, "pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      on(this.canvas, name, (event) => this.up(event));
    }
    on(this.canvas, "pointerleave", () => { this.hover = null; });
    this.resize();
    this.load();
  }

  show() {}

  close() {
    this.isClosed = true;
    this.ends.abort();
    clearTimeout(this.again);
    clearTimeout(this.tabling);
    cancelAnimationFrame(this.frame);
  }

  // What is told.

  async load() {
    clearTimeout(this.again);
    if (this.isLoading) return;
    this.isLoading = true;
    let wait = null;
    try {
      let told;
      do {
        told = await this.page.ask(`api/timeline?since=${this.next}`);
        if (this.isClosed) return;
        this.receive(told);
      } while (told.has_more);
      if (told.is_live && !document.hidden) wait = LOOK_MS;
    } catch (error) {
      this.say(`The timeline cannot be read: ${error.message}. Trying again…`);
      wait = AGAIN_MS;
    } finally {
      this.isLoading = false;
    }
    if (wait !== null && !this.isClosed) this.again = setTimeout(() => this.load(), wait);
  }

  receive(told) {
    this.next = told.next;
    this.store.receive(told);
    this.receivedAt = performance.now();
    this.lanes = [...this.store.lanes.values()].sort((one, other) => one.number - other.number);
    if (!told.is_live) this.isFollowing = false;
    this.followLabel.hidden = !told.is_live;
    if (!told.has_more) {
      this.note.textContent = noteOf(told, this.store, this.lanes.length);
      this.heading.textContent = told.title ? `Timeline of ${told.title}` : "Timeline";
    }
    if (!this.isPlaced && !told.has_more) this.place();
    this.layOut();
  }

  // See the newest of a live one, and a record as a whole.
  place() {
    this.isPlaced = this.lanes.length > 0;
    if (this.store.isLive) {
      this.scale.see(this.last - FIRST_S * this.store.ticks, this.last);
    } else this.scale.see(this.first, this.last);
  }

  // What can be seen: from the oldest that is kept to now, and a bit; of a young one a minute.

  get first() {
    const begins = this.lanes.map((lane) => (lane.stays.length ? lane.stays[0][0] : Infinity));
    const young = this.store.now - (this.store.isLive ? FIRST_S * this.store.ticks : 1);
    return Math.min(young, Math.max(this.store.from, Math.min(...begins)));
  }

  get last() {
    const margin = this.store.isLive ? 0 : (this.store.now - this.first) / 100;
    return Math.max(this.store.now + margin, this.first + 1);
  }

  // Following, zooming, panning.

  setFollowing(isFollowing) {
    this.isFollowing = isFollowing && this.store.isLive === true;
    this.follow.checked = this.isFollowing;
    this.redraw();
  }

  zoom(factor, time = this.isFollowing ? this.last : (this.scale.from + this.scale.to) / 2) {
    this.scale.zoom(factor, this.isFollowing ? this.last : time, this.first, this.last);
    this.redraw();
  }

  pan(ticks) {
    const { to } = this.scale;
    this.scale.pan(ticks, this.first, this.last);
    if (this.scale.to < to) this.setFollowing(false);
    this.redraw();
  }

  seeAll() {
    this.scale.see(this.first, this.last);
    this.redraw();
  }

  wheel(event) {
    const x = event.offsetX;
    if (x < this.scale.left && !event.ctrlKey) return; // the names scroll
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.pan(across * unit * this.scale.perPixel);
    } else {
      const speed = event.ctrlKey ? 0.01 : 0.002;
      this.zoom(Math.exp(-event.deltaY * unit * speed), this.scale.time(x));
    }
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.dragged = 0;
  }

  move(event) {
    const known = this.pointers.get(event.pointerId);
    const now = { x: event.offsetX, y: event.offsetY };
    if (known === undefined) {
      this.point(now);
      return;
    }
    this.pointers.set(event.pointerId, now);
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const before = Math.abs(known.x - other.x), after = Math.abs(now.x - other.x);
      if (before > 8 && after > 8) this.zoom(after / before, this.scale.time((now.x + other.x) / 2));
      return;
    }
    this.dragged += Math.abs(now.x - known.x) + Math.abs(now.y - known.y);
    if (this.dragged < DRAG_PIXELS) return;
    this.pan((known.x - now.x) * this.scale.perPixel);
    if (event.pointerType === "mouse") this.box.scrollTop += known.y - now.y;
  }

  up(event) {
    const wasClick = this.pointers.delete(event.pointerId) && this.dragged < DRAG_PIXELS;
    if (wasClick && event.type === "pointerup") {
      this.point({ x: event.offsetX, y: event.offsetY }, true);
    }
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const length = this.scale.to - this.scale.from;
    const acts = {
      ArrowLeft: () => (event.shiftKey ? this.step(-1) : this.pan(-PAN_SHARE * length)),
      ArrowRight: () => (event.shiftKey ? this.step(1) : this.pan(PAN_SHARE * length)),
      ArrowUp: () => this.choose(-1),
      ArrowDown: () => this.choose(1),
      "+": () => this.zoom(ZOOM_STEP),
      "=": () => this.zoom(ZOOM_STEP),
      "-": () => this.zoom(1 / ZOOM_STEP),
      Home: () => this.pan(this.first - this.scale.from),
      End: () => { this.pan(this.last - this.scale.to); this.setFollowing(true); },
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  // What is under the pointer, or the keyboard's cursor.

  point({ x, y }, isChosen = false) {
    const at = Math.floor((y - AXIS + this.box.scrollTop) / this.laneHeight);
    const lane = this.lanes[at];
    if (lane === undefined || y < AXIS || x < this.scale.left) return;
    const within = (y - AXIS + this.box.scrollTop - at * this.laneHeight) / this.laneHeight;
    const time = this.scale.time(x);
    const row = Math.floor(within * lane.height);
    this.tell(lane, row, time);
    if (isChosen) {
      this.chosen = { lane: lane.number, row, time };
      this.redraw();
    }
  }

  tell(lane, row, time) {
    const near = NEAR_PIXELS * this.scale.perPixel;
    const { store } = this;
    const span = store.at(lane, row, time, 0) ?? store.at(lane, row, time, near);
    this.say(span === null ? laneInWords(store, lane, time) : spanInWords(store, lane, span));
  }

  // Choose the lane above or below.
  choose(by) {
    if (this.lanes.length === 0) return;
    const at = this.chosen === null ? -1
      : this.lanes.findIndex((lane) => lane.number === this.chosen.lane);
    const to = at < 0 ? 0 : Math.max(0, Math.min(this.lanes.length - 1, at + by));
    const time = this.chosen === null || this.chosen.time < this.scale.from
      || this.chosen.time > this.scale.to ? (this.scale.from + this.scale.to) / 2 : this.chosen.time;
    this.chosen = { lane: this.lanes[to].number, row: 0, time };
    this.tell(this.lanes[to], 0, time);
    const top = to * this.laneHeight, seen = this.box.clientHeight - AXIS;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + this.laneHeight > this.box.scrollTop + seen) {
      this.box.scrollTop = top + this.laneHeight - seen;
    }
    this.redraw();
  }

  // Go to the part before or after, of all workers of the lane.
  step(by) {
    if (this.chosen === null) this.choose(0);
    const lane = this.lanes.find((each) => each.number === this.chosen?.lane);
    if (lane === undefined) return;
    const found = this.store.beside(lane, this.chosen.time, by);
    if (found === null) {
      this.say(`${lane.name}: no part ${by < 0 ? "before" : "after"} this.`);
      return;
    }
    this.chosen = { lane: lane.number, row: found.row, time: found.begin };
    if (found.begin < this.scale.from || found.begin > this.scale.to) {
      this.pan(found.begin - (this.scale.from + this.scale.to) / 2);
    }
    this.say(spanInWords(this.store, lane, found));
    this.redraw();
  }

  say(text) {
    if (this.line.textContent !== text) this.line.textContent = text;
  }

  // Drawing.

  resize() {
    this.layOut();
    this.redraw();
  }

  layOut() {
    const width = this.box.clientWidth;
    const most = Math.max(240, Math.round(window.innerHeight * 0.66));
    this.laneHeight = this.drawing.laneHeight(this.lanes, most);
    const whole = AXIS + this.lanes.length * this.laneHeight + 2;
    const height = Math.max(120, Math.min(most, whole));
    const ratio = window.devicePixelRatio || 1;
    if (width !== this.drawing.width || height !== this.drawing.height
      || ratio !== this.drawing.ratio) {
      this.box.style.height = `${height + 2}px`;
      this.drawing.resize(this.box.clientWidth, height, ratio);
    }
    this.spacer.style.height = `${Math.max(0, whole - height)}px`;
    this.redraw();
  }

  redraw() {
    if (this.frame !== undefined || this.isClosed) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  draw() {
    if (this.isFollowing) this.advance();
    this.drawing.draw(this.store, this.scale, this.lanes, this.laneHeight, this.box.scrollTop,
      this.chosen);
    if (this.details.open) this.showTable();
    if (this.isFollowing && this.isMoving()) this.redraw();
  }

  // Tell in the table what is seen, a second later at most.
  showTable() {
    clearTimeout(this.tabling);
    const now = performance.now();
    if (now - this.tabledAt < TABLE_MS) {
      this.tabling = setTimeout(() => this.redraw(), TABLE_MS);
      return;
    }
    this.tabledAt = now;
    const from = Math.max(this.scale.from, this.first), to = Math.min(this.scale.to, this.store.now);
    this.laneTable.show(this.lanes, from, to);
    this.caption.textContent = `From ${moment(from, this.store)} to ${moment(to, this.store)}`;
  }

  // Let time go on evenly: between two answers what is seen is up to a look's time late.
  advance() {
    const { store, scale } = this;
    const left = LOOK_MS - (performance.now() - this.receivedAt);
    const late = this.isMoving() ? Math.max(0, left) / 1000 * store.ticks : 0;
    const length = scale.to - scale.from;
    scale.see(store.now - late - length, store.now - late);
  }

  isMoving() {
    return !this.calm.matches && this.lanes.some((lane) => lane.open.length > 0);
  }
}

function noteOf(told, store, lanes) {
  if (lanes === 0) return "No analyser has joined yet.";
  const said = [];
  if (told.unit === "nodes") {
    said.push("A simulation: time is counted in nodes"
      + (told.node_ns ? `, each of which takes ${told.node_ns} ns` : ""));
  }
  if (told.is_cut) said.push("the record ends before its job did");
  if (told.kept !== null) said.push("parts older than an hour are left out");
  if (told.open_left_out) said.push(`${told.open_left_out} running parts are not shown`);
  const text = said.join("; ");
  return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

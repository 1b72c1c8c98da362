// The spans of a timeline, by lane and row, in typed arrays: an hour of a fleet is a quarter million.
// Knows what the door answers; must not know how it is drawn.

// As many as a master keeps (master/timeline/spans.py).
export const SPANS_MAX = 1 << 18;

export const RUNNING = 0, DONE = 1, STOPPED = 2, REHANDED = 3, SHOT = 4, FAILED = 5, LOST = 6;
export const TRIALS = 0, QUESTION = 1, SEARCH = 2;

const NOT_YET = -1;
const ROW_FIRST = 64;

// Spans of one worker: they never overlap, so that they are in the order of their begin and end.
class Row {
  constructor() {
    this.first = 0; // what was before it is forgotten
    this.end = 0;
    this.begins = new Float64Array(ROW_FIRST);
    this.ends = new Float64Array(ROW_FIRST);
    this.codes = new Uint8Array(ROW_FIRST); // kind + 4 * ending + 32 * (attempt > 1)
    this.numbers = new Uint32Array(ROW_FIRST); // in the order they ended
  }

  add(begin, end, code, number) {
    if (this.end === this.begins.length) this.makeRoom();
    const at = this.end++;
    this.begins[at] = begin;
    this.ends[at] = end;
    this.codes[at] = code;
    this.numbers[at] = number;
  }

  makeRoom() {
    const length = this.end - this.first;
    for (const name of ["begins", "ends", "codes", "numbers"]) {
      const old = this[name];
      const size = Math.max(ROW_FIRST, 2 * length);
      this[name] = new old.constructor(size);
      this[name].set(old.subarray(this.first, this.end));
    }
    this.first = 0;
    this.end = length;
  }

  forget(time, number) {
    while (this.first < this.end
      && (this.ends[this.first] < time || this.numbers[this.first] < number)) this.first++;
  }

  // The first that ends after a time.
  after(time) {
    let low = this.first, high = this.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

class Lane {
  constructor(number) {
    this.number = number;
    this.rows = [];
    this.open = [];
    this.waiting = 0;
  }

  // Rows that it needs: its workers', and more where urgent parts came between others.
  get height() {
    return Math.max(this.workers, this.rows.length);
  }

  row(number) {
    while (this.rows.length <= number) this.rows.push(new Row());
    return this.rows[number];
  }
}

export class Store {
  constructor() {
    this.clear();
  }

  clear() {
    this.lanes = new Map();
    this.names = new Map();
    this.columns = {};
    this.count = 0; // of spans that ever came
    this.from = 0;
    this.now = 0;
    this.openLeftOut = 0;
    this.room = 0;
  }

  receive(told) {
    if (told.is_whole) this.clear();
    Object.assign(this, { unit: told.unit, ticks: told.ticks, began: told.began_ms,
      nodeNs: told.node_ns, isLive: told.is_live, now: told.now, openLeftOut: told.open_left_out });
    for (const [number, name, workers, stays] of told.lanes) {
      Object.assign(this.lane(number), { name, workers, stays });
    }
    for (const [kind, job, name] of told.names) this.names.set(`${kind} ${job}`, name);
    this.addSpans(told.columns, told.spans);
    if (!told.has_more) this.showOpen(told.columns, told.open);
    this.forget(told.kept);
  }

  lane(number) {
    let lane = this.lanes.get(number);
    if (lane === undefined) {
      lane = Object.assign(new Lane(number), { name: "", workers: 1, stays: [] });
      this.lanes.set(number, lane);
    }
    return lane;
  }

  addSpans(names, columns) {
    const told = Object.fromEntries(names.map((name, at) => [name, columns[at]]));
    const length = columns[0].length;
    this.makeRoom(names, length);
    for (let i = 0; i < length; i++) {
      const place = this.count % SPANS_MAX;
      for (const name of names) this.columns[name][place] = told[name][i];
      if (told.row[i] !== NOT_YET) {
        const code = told.kind[i] + 4 * told.ending[i] + (told.attempt[i] > 1 ? 32 : 0);
        this.lane(told.lane[i]).row(told.row[i])
          .add(told.begin[i], told.end[i], code, this.count);
      }
      this.count++;
    }
  }

  makeRoom(names, more) {
    const wanted = Math.min(SPANS_MAX, this.count + more);
    if (wanted <= this.room) return;
    this.room = Math.min(SPANS_MAX, Math.max(4096, 2 * wanted));
    for (const name of names) {
      const grown = new Float64Array(this.room);
      if (this.columns[name]) grown.set(this.columns[name]);
      this.columns[name] = grown;
    }
  }

  showOpen(names, columns) {
    for (const lane of this.lanes.values()) {
      lane.open = [];
      lane.waiting = 0;
    }
    for (let i = 0; i < columns[0].length; i++) {
      const span = Object.fromEntries(names.map((name, at) => [name, columns[at][i]]));
      const lane = this.lane(span.lane);
      if (span.row === NOT_YET) lane.waiting++;
      else {
        lane.row(span.row);
        lane.open.push(span);
      }
    }
  }

  forget(kept) {
    const time = kept === null ? -Infinity : this.now - kept;
    this.from = Math.max(0, time);
    const number = Math.max(0, this.count - SPANS_MAX);
    for (const [key, lane] of this.lanes) {
      let has = lane.open.length > 0;
      for (const row of lane.rows) {
        row.forget(time, number);
        has ||= row.first < row.end;
      }
      const left = lane.stays.length ? lane.stays[lane.stays.length - 1][1] : NOT_YET;
      if (!has && left !== NOT_YET && left < time) this.lanes.delete(key);
    }
  }

  // The span of a number of a row, as an object.
  span(number) {
    const place = number % SPANS_MAX;
    return Object.fromEntries(Object.entries(this.columns).map(([name, all]) => [name, all[place]]));
  }

  // What a lane's row has at a time, or nearest to it within some ticks; null: nothing.
  at(lane, rowNumber, time, near) {
    for (const span of lane.open) {
      if (span.row === rowNumber && span.begin <= time + near) return span;
    }
    const row = lane.rows[rowNumber];
    if (row === undefined) return null;
    const found = row.after(time - near);
    return found < row.end && row.begins[found] <= time + near ? this.span(row.numbers[found]) : null;
  }

  // The span of a lane that begins next before or after a time; null: there is none.
  beside(lane, time, by) {
    let found = null;
    const isBetter = (begin) => (by > 0 ? begin > time && (!found || begin < found.begin)
      : begin < time && (!found || begin > found.begin));
    for (const row of lane.rows) {
      for (let i = Math.max(row.first, row.after(time) - 2); i < row.end; i++) {
        if (isBetter(row.begins[i])) found = this.span(row.numbers[i]);
        if (row.begins[i] > time) break;
      }
    }
    for (const span of lane.open) if (isBetter(span.begin)) found = span;
    return found;
  }
}

// What lanes have done from a time to another: share busy, parts, and how they ended.
export function summary(store, lane, from, to) {
  const found = { parts: 0, busy: 0, there: 0, ends: new Array(7).fill(0) };
  const overlap = (begin, end) => Math.max(0, Math.min(end, to) - Math.max(begin, from));
  for (const row of lane.rows) {
    for (let i = row.after(from); i < row.end && row.begins[i] < to; i++) {
      found.parts++;
      found.busy += overlap(row.begins[i], row.ends[i]);
      if (row.ends[i] <= to) found.ends[(row.codes[i] >> 2) & 7]++;
    }
  }
  for (const span of lane.open) {
    if (span.begin <= to) {
      found.parts++;
      found.busy += overlap(span.begin, store.now);
      found.ends[RUNNING]++;
    }
  }
  for (const [begin, end] of lane.stays) {
    found.there += overlap(begin, end === NOT_YET ? store.now : end);
  }
  const could = found.there * lane.workers;
  found.share = could > 0 ? Math.min(1, found.busy / could) : 0;
  return found;
}

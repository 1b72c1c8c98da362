// Follows the master's events, and keeps the newest of each resource by kind and key.
// Knows events and waits; must not know what is shown.

import { Refused, ask } from "./asking.js";

const KINDS = { master: () => "master", analysers: (a) => a.key, jobs: (j) => String(j.job) };
const SILENT_MS_MAX = 30_000; // three heartbeats
const AGAIN_MS = 2_000;

export class Following {
  // onChange(state): resources are new; onLink(text, isLost): how the connection is.
  constructor(onChange, onLink) {
    this.onChange = onChange;
    this.onLink = onLink;
    this.state = empty();
    this.connect();
  }

  connect() {
    this.source = new EventSource("api/events");
    this.source.onopen = () => this.heard();
    this.source.onerror = () => this.lost();
    this.source.addEventListener("alive", () => this.heard());
    this.source.addEventListener("state", (event) => {
      this.state = empty();
      this.receive(event);
    });
    this.source.addEventListener("changes", (event) => this.receive(event));
    this.expect();
  }

  receive(event) {
    const { changed, gone } = JSON.parse(event.data);
    for (const [kind, keyOf] of Object.entries(KINDS)) {
      for (const key of gone[kind] ?? []) this.state[kind].delete(key);
      for (const each of changed[kind] ?? []) this.state[kind].set(keyOf(each), each);
    }
    this.heard();
    this.onChange(this.state);
  }

  heard() {
    this.onLink("Live", false);
    this.expect();
  }

  expect() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.again(), SILENT_MS_MAX);
  }

  // The browser comes again by itself, but where it was refused.
  async lost() {
    this.onLink("Connection lost: the page is out of date. Trying again…", true);
    if (this.source.readyState !== EventSource.CLOSED) return;
    try {
      await ask("api/master");
    } catch (error) {
      if (error instanceof Refused) this.onLink(`Not connected: ${error.message}`, true);
    }
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.again(), AGAIN_MS);
  }

  again() {
    this.source.close();
    this.connect();
  }
}

function empty() {
  return Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, new Map()]));
}

// What became of a button that was pressed: that it is at work, or why it failed, beside the button.
// Knows elements; must not know what was asked.

import { make } from "./elements.js";

const TICK_MS = 1_000;
const SHOWN_AFTER_S = 2;

export class Outcome {
  constructor() {
    this.timer = null;
    this.text = make("span");
    this.seconds = make("span", { "aria-hidden": "true" }); // else each second would be read out
    this.status = make("p", { class: "at-work note", role: "status", hidden: true },
      make("span", { class: "spinner", "aria-hidden": "true" }), this.text, this.seconds);
    this.complaint = make("p", { class: "complaint", role: "alert", hidden: true });
    this.element = make("div", { class: "outcome" }, this.status, this.complaint);
  }

  busy(text) {
    this.clear();
    const began = performance.now();
    this.status.hidden = false;
    this.text.textContent = text;
    this.timer = setInterval(() => {
      const seconds = Math.round((performance.now() - began) / 1_000);
      if (seconds >= SHOWN_AFTER_S) this.seconds.textContent = ` ${seconds} s`;
    }, TICK_MS);
    this.bringIntoView();
  }

  fail(text) {
    this.clear();
    this.complaint.textContent = text;
    this.complaint.hidden = text === "";
    if (text !== "") this.bringIntoView();
  }

  clear() {
    clearInterval(this.timer);
    this.status.hidden = true;
    this.text.textContent = "";
    this.seconds.textContent = "";
    this.complaint.hidden = true;
    this.complaint.textContent = "";
  }

  bringIntoView() {
    this.element.scrollIntoView({ block: "nearest" });
  }
}

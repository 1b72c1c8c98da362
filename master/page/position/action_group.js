// The actions on a position that share a form: fields, buttons, and the answer beneath them.
// Knows actions as the master describes them; what is done with one is told to the caller.

import { hasToken } from "../asking.js";
import { make } from "../elements.js";
import { Outcome } from "../outcome.js";
import { Settings } from "./settings.js";

const ROLL = "dice";
const NARROW = matchMedia("(max-width: 60rem)"); // the board is above, not beside

export class ActionGroup {
  // act(action, values, group): a button is pressed; onRoll(text): another roll is chosen.
  constructor(title, actions, act, onRoll) {
    this.settings = new Settings(actions.flatMap((action) => action.fields));
    this.outcome = new Outcome();
    this.answer = make("section", { class: "answer", "aria-label": "Answer", hidden: true });
    this.buttons = new Map(actions.map((action) => [action.name,
      make("button", { type: "button", click: () => this.press(action, act) }, action.label)]));
    this.row = make("p", { class: "row" }, ...this.buttons.values());
    this.element = make("fieldset", {}, make("legend", {}, title), this.settings.element,
      this.row, this.outcome.element, this.answer);
    this.settings.input(ROLL)?.addEventListener("change", (event) => onRoll(event.target.value));
  }

  has(action) {
    return this.buttons.has(action.name);
  }

  press(action, act) {
    const values = this.settings.valuesOf(action);
    if (values !== null) act(action, values, this);
  }

  // Show a roll of two numbers, or null.
  showRoll(dice) {
    const input = this.settings.input(ROLL);
    if (input) input.value = dice === null ? "" : [...dice].sort((a, b) => b - a).join("-");
  }

  // The reasons by the names of actions; null: there is no position.
  allow(refusals) {
    for (const [name, button] of this.buttons) {
      const why = refusals?.[name] ?? "";
      button.disabled = refusals === null || why !== "" || !hasToken();
      button.title = why || (hasToken() ? "" : "Read only");
    }
  }

  clear() {
    this.outcome.clear();
    this.answer.replaceChildren();
    this.answer.hidden = true;
  }

  show(nodes) {
    this.clear();
    this.answer.replaceChildren(...nodes);
    this.answer.hidden = false;
    if (NARROW.matches && this.answer.getBoundingClientRect().bottom > innerHeight) {
      this.row.scrollIntoView({ block: "start" });
    }
  }
}

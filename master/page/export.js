// The result of a job as texts to copy, and as a file to save.

import { make } from "./elements.js";
import { Outcome } from "./outcome.js";

const TITLES = {
  table: "Table", export: "Text with position and settings", "xg-table": "As eXtreme Gammon writes it",
};
const COPIED_MS = 3_000;

export class Export {
  constructor(page, job) {
    this.page = page;
    this.job = job;
    this.outcome = new Outcome();
    this.texts = make("div");
    this.element = make("details", { class: "export", toggle: () => this.load() },
      make("summary", {}, "Copy or save the result"), this.outcome.element, this.texts,
      make("p", {}, make("a", { href: `api/jobs/${job}/report`, download: `job-${job}.json` }, "Save as JSON")));
  }

  // The result changes while the job runs: it is read each time that it is opened.
  async load() {
    if (!this.element.open) return;
    this.texts.replaceChildren();
    this.outcome.busy("Loading…");
    try {
      const { texts } = await this.page.ask(`api/jobs/${this.job}/texts`);
      this.outcome.clear();
      this.texts.replaceChildren(...texts.map(({ name, text }) => this.block(TITLES[name] ?? name, text)));
    } catch (error) {
      this.outcome.fail(error.message);
    }
  }

  block(title, text) {
    const content = make("pre", { class: "answer", tabindex: "0", role: "region", "aria-label": title }, text);
    const said = make("span", { role: "status" });
    const button = make("button", { type: "button", "aria-label": `Copy: ${title}`,
      click: async () => {
        said.textContent = (await isCopied(text, content)) ? "Copied." : "Selected: copy it with Ctrl+C.";
        setTimeout(() => { said.textContent = ""; }, COPIED_MS);
      } }, "Copy");
    return make("div", {},
      make("p", { class: "row" }, make("span", { class: "title" }, title), button, said), content);
  }
}

// Browsers give the clipboard to pages of this machine and of https only; elsewhere the text is selected.
async function isCopied(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}

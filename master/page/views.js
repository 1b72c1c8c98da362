// The views of the page: what stands behind the # of the link names one, as in #/jobs/7.
// Knows their modules, which are loaded when they are first wanted.
//
// A view's module has `open(room, page, ...names)`: it fills an empty element and returns
// {title, show(state), close()}; `show` gets the newest resources, now and whenever some are new.

import { make } from "./elements.js";

const VIEWS = [
  { path: /^#\/jobs\/([1-9][0-9]{0,15})$/, module: "./rollout/rollout.js" },
  { path: /^#\/searches\/([1-9][0-9]{0,15})$/, module: "./search/search.js" },
  { path: /^#\/position(?:\/([a-z]+)\/(.+))?$/, module: "./position/position.js" },
  { path: /^#\/matches\/([a-z]+)\/(profile|quiz)\/(.+)$/, module: "./matches/study.js" },
  { path: /^#\/matches$/, module: "./matches/matches.js" },
  { path: /^#\/games(?:\/([a-z]+)(?:\/([1-9][0-9]{0,9}))?)?$/, module: "./games/games.js" },
  { path: /^#\/timeline$/, module: "./timeline/timeline.js" },
];

export class Views {
  // page: {tell(text), ask(path, body)}, what views may use.
  constructor(page) {
    this.page = page;
    this.overview = document.getElementById("overview");
    this.room = document.getElementById("view");
    this.links = [...document.querySelectorAll("nav a")];
    this.state = null;
    this.view = null;
    this.turn = 0;
    window.addEventListener("hashchange", () => this.enter());
  }

  show(state) {
    this.state = state;
    this.view?.show(state);
  }

  // Show the view that the link names; one that it does not know is the overview.
  async enter() {
    const turn = ++this.turn;
    this.view?.close();
    this.view = null;
    const hash = location.hash || "#/";
    for (const link of this.links) {
      const isHere = hash === link.hash || (link.hash !== "#/" && hash.startsWith(`${link.hash}/`));
      if (isHere) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const [found, names] = viewOf(hash);
    this.overview.hidden = found !== null;
    this.room.hidden = found === null;
    this.room.replaceChildren();
    if (found === null) return;
    try {
      const module = await import(found.module);
      if (turn !== this.turn) return; // another one is wanted by now
      this.view = module.open(this.room, this.page, ...names);
    } catch (error) {
      const text = `This view cannot be shown: ${error.message}`;
      this.room.append(make("p", { class: "trouble", role: "alert" }, text));
      return;
    }
    if (this.state !== null) this.view.show(this.state);
  }
}

function viewOf(hash) {
  for (const view of VIEWS) {
    const match = view.path.exec(hash);
    if (match) return [view, match.slice(1)];
  }
  return [null, []];
}

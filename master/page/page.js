// The page: receives the token, follows the master, and shows its state.

import { Refused, ask, dropToken, hasToken, receiveToken } from "./asking.js";
import { Fleet } from "./fleet.js";
import { Following } from "./following.js";
import { Jobs } from "./jobs.js";
import { Views } from "./views.js";
import { counted } from "./words.js";

const TOLD_MS = 8_000;

const byId = (id) => document.getElementById(id);
let told;

function tell(text) {
  byId("told").textContent = text;
  clearTimeout(told);
  told = setTimeout(() => { byId("told").textContent = ""; }, TOLD_MS);
}

function showLink(text, isLost) {
  const line = byId("connection");
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("lost", isLost);
}

function showMaster(master) {
  byId("master-name").textContent = master.name;
  document.title = `manyply: ${master.name}`;
  byId("trouble").hidden = !master.trouble;
  byId("trouble").textContent = master.trouble ?? "";
  const seen = master.figures; // of a record, or a master that could never be read, there are none
  for (const section of document.querySelectorAll("#overview section")) section.hidden = !seen;
  if (!seen) return;
  byId("figures").textContent = [
    counted(seen.analysers.ready, "analyser ready", "analysers ready"),
    counted(seen.workers_busy, "worker busy", "workers busy"),
    counted(seen.parts_waiting, "part waits", "parts wait"),
    `${counted(seen.results, "result", "results")} since the master started`,
  ].join(" · ");
}

// Trade the token for the cookie that events take; one that is good no more is dropped.
async function openSession() {
  if (!hasToken()) return;
  try {
    await ask("api/session", {});
  } catch (error) {
    if (!(error instanceof Refused)) return; // nobody answers, which following says
    if (error.status === 401) dropToken();
    tell(error.status === 401 ? "This link has expired: run `manyply web` for a new one."
      : error.message);
  }
}

async function start() {
  const fleet = new Fleet();
  const jobs = new Jobs(tell);
  const views = new Views({ tell, ask });
  let following = null;
  const enter = async () => {
    receiveToken();
    await openSession();
    byId("read-only").hidden = hasToken();
    if (following === null) return;
    jobs.refresh(following.state.jobs);
    following.again();
  };
  await enter();
  views.enter();
  window.addEventListener("hashchange", enter); // another link in the same window
  following = new Following((state) => {
    showMaster(state.master.get("master"));
    jobs.show(state.jobs);
    fleet.show(state.analysers);
    views.show(state);
  }, showLink);
}

start();

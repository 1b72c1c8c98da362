"use strict";
(() => {
  const moves = document.getElementById("moves");
  const form = document.querySelector(".controls");
  const played = [...moves.children];
  const turns = played.filter((each) => each.matches(".turn"));
  const error = (turn) => Number(turn.dataset.e);

  const isShown = {
    all: () => true,
    errors: (turn) => turn.matches(".m1, .m2, .m3"),
    bad: (turn) => turn.matches(".m2, .m3"),
    cube: (turn) => turn.dataset.k === "c",
  };

  function update() {
    const { order, show, player } = form.elements;
    const isSorted = order.value === "error";
    const sorted = isSorted ? [...turns].sort((a, b) => error(b) - error(a)) : played;
    for (const each of sorted) moves.append(each);
    for (const turn of turns) {
      const isOf = player.value === "" || turn.dataset.p === player.value;
      turn.classList.toggle("off", !(isOf && isShown[show.value](turn)));
    }
    moves.classList.toggle("by-error", isSorted);
    moves.classList.toggle("filtered", show.value !== "all" || player.value !== "");
  }

  // Goes to the next turn below what is seen, or to the last one above it.
  function go(step, isWanted) {
    const shown = [...moves.querySelectorAll(".turn:not(.off)")].filter(isWanted);
    const edge = form.getBoundingClientRect().height + 4;
    const tops = shown.map((turn) => turn.getBoundingClientRect().top - edge);
    const next = step > 0 ? tops.findIndex((top) => top > 8) : tops.findLastIndex((top) => top < -8);
    if (next < 0) return;
    location.replace("#" + shown[next].id);
  }

  const keys = {
    j: () => go(1, () => true),
    k: () => go(-1, () => true),
    n: () => go(1, isShown.errors),
    p: () => go(-1, isShown.errors),
  };

  async function copy(code) {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(code.textContent);
    } else {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    code.classList.add("copied");
    setTimeout(() => code.classList.remove("copied"), 1500);
  }

  document.addEventListener("click", (event) => {
    const code = event.target.closest(".ids code");
    if (code) copy(code);
    const link = event.target.closest('a[href^="#m"]');
    const turn = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (turn) turn.classList.remove("off");
  });
  document.addEventListener("keydown", (event) => {
    const isTyped = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select");
    if (!isTyped && keys[event.key]) keys[event.key]();
  });
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  document.documentElement.classList.add("js");
  update();
})();

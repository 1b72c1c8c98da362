"""How fast the page draws a timeline: an hour of 64 analysers, zoomed and moved in Chromium.

Run as `python -m tests.benchmarks.page_timeline [--lanes N] [--hours H] [--part-s S]`.  Two times
are measured of each frame: what drawing it took the script, and how long after the last frame it
came, which has the browser's painting in it, and whatever else the machine does.  50 frames a
second are one each 20 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from master.api.server import MasterServer
from master.timeline.showing import ShownTimeline
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import RECORDED, Part, Timeline
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.master.api.browser import Browser, browsing
from tests.master.api.fake_master import FakeMaster

FRAMES = 240
WIDTH = 1300

DRIVE = """
(async (mode, frames) => {
  const {Drawing} = await import('/timeline/drawing.js');
  const draw = Drawing.prototype.draw;
  const drawn = [], between = [];
  Drawing.prototype.draw = function (...told) {
    const begin = performance.now();
    draw.apply(this, told);
    drawn.push(performance.now() - begin);
  };
  const canvas = document.querySelector('.timeline-canvas');
  const box = canvas.getBoundingClientRect();
  const at = (share) => ({clientX: box.left + 140 + share * (box.width - 150),
    clientY: box.top + 200, bubbles: true, cancelable: true});
  let last = 0;
  await new Promise((done) => {
    const frame = (now) => {
      if (last) between.push(now - last);
      last = now;
      if (between.length >= frames) { done(); return; }
      const turn = between.length / frames;
      const wheel = mode === 'zoom' ? {deltaY: turn < 0.5 ? -60 : 60}
        : {deltaX: turn < 0.5 ? -40 : 40};
      canvas.dispatchEvent(new WheelEvent('wheel', {...at(0.3), ...wheel}));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  Drawing.prototype.draw = draw;
  return {drawn, between, heap: performance.memory ? performance.memory.usedJSHeapSize : 0};
})
"""


@dataclass(frozen=True)
class Frames:
    """What was measured, in milliseconds.

    Args:
        drawn: that drawing took, of each frame.
        between: from frame to frame.
        heap_mb: that the page uses.
        processor_ms: of the page's main thread, a frame on average: a busy machine changes it
            little.
    """

    drawn: list[float]
    between: list[float]
    heap_mb: float
    processor_ms: float


def made_up(lanes: int, seconds: float, part_s: float, seed: int = 1) -> Timeline:
    """Return a timeline of so many analysers of a worker each, which are hardly ever idle."""
    rng = random.Random(seed)
    timeline = Timeline(RECORDED)
    timeline.advance(0.0)
    timeline.name(Kind.TRIALS, 1, "noop")
    events = []
    for lane in range(1, lanes + 1):
        timeline.come(lane, f"analyser-{lane}", 1)
        now = 0.0
        while now < seconds:
            end = now + part_s * rng.uniform(0.4, 1.6)
            events.append((now, lane, True))
            events.append((end, lane, False))
            now = end + (rng.uniform(0, part_s) if rng.random() < 0.1 else 0.0)
    held: dict[int, int] = {}
    for number, (now, lane, is_begin) in enumerate(sorted(events)):
        timeline.advance(now)
        if is_begin:
            held[lane] = number
            kind = rng.choices(list(Kind), (8, 1, 1))[0]
            timeline.hand_out(lane, Part(kind, 1, number, 1, number, 10))
        else:
            ending = rng.choices((Ending.DONE, Ending.STOPPED, Ending.FAILED), (97, 2, 1))[0]
            timeline.end(held[lane], 1, ending)
    return timeline


async def measure(timeline: Timeline, frames: int = FRAMES) -> dict[str, Frames]:
    """Return what zooming and moving took, the whole being seen at first."""
    shown, master = ShownTimeline(timeline, "ab", title="an hour"), FakeMaster()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        keeper = AccessControl(NOBODY_ELSE)
        server = MasterServer(master, keeper, "bench", Path(folder), shown)
        port = await server.open_page(Address("127.0.0.1", 0))
        try:
            async with browsing() as browser:
                await browser.resemble(WIDTH, "light")
                await browser.devtools("Performance.disable")  # which the domain of time needs
                await browser.devtools("Performance.enable", timeDomain="threadTicks")
                await browser.open(f"http://127.0.0.1:{port}/#/timeline")
                await browser.until(
                    "document.querySelector('#view h2')?.innerText.includes('hour')"
                )
                loaded = await browser.find("document.querySelector('#timeline-line').innerText")
                assert not loaded, loaded
                return {mode: await _driven(browser, mode, frames) for mode in ("move", "zoom")}
        finally:
            await server.aclose()


async def _driven(browser: Browser, mode: str, frames: int) -> Frames:
    before = await _processor_s(browser)
    found: dict[str, Any] = await browser.find(f"({DRIVE})('{mode}', {frames})")
    processor_ms = (await _processor_s(browser) - before) / frames * 1e3
    return Frames(found["drawn"], found["between"], found["heap"] / 1e6, processor_ms)


async def _processor_s(browser: Browser) -> float:
    """Return the processor time of the page's main thread, scripts, layout and painting."""
    metrics = (await browser.devtools("Performance.getMetrics"))["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def line(name: str, values: list[float]) -> str:
    """Return median, 95 % and largest of some times."""
    ordered = sorted(values)
    middle, most = ordered[len(ordered) // 2], ordered[int(0.95 * (len(ordered) - 1))]
    return f"{name}: median {middle:.1f} ms, 95 % {most:.1f} ms, largest {ordered[-1]:.1f} ms"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, default=64)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--part-s", type=float, default=1.0)
    reported = parser.parse_args()
    timeline = made_up(reported.lanes, reported.hours * 3_600, reported.part_s)
    news = timeline.news()
    print(f"{reported.lanes} lanes, {reported.hours:g} h, {news.ended - news.first:,} spans")
    for mode, found in asyncio.run(measure(timeline)).items():
        print(line(f"{mode}, drawing", found.drawn))
        print(line(f"{mode}, between frames", found.between))
        print(f"{mode}, processor time a frame: {found.processor_ms:.1f} ms")
        print(f"{mode}, heap: {found.heap_mb:.0f} MB")


if __name__ == "__main__":
    main()

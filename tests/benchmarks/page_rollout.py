"""The page of a rollout while 10,000 trials of each alternative come in: its memory, its frames.

Run as `python -m tests.benchmarks.page_rollout [--rounds 10000] [--per-s 500]`. Master, store and
web endpoint are real, as is the browser (Debian's chromium, without a window); the trials are made
up by an analyser in this process, which sends so many rounds a second. Frames are measured by
`requestAnimationFrame` while the last three seconds' trials of a tenth come in, and of the whole;
then the page's JavaScript heap and nodes, after a forced collection of garbage. In the end the page
is loaded anew, until the first paint and until its first curve.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from engine_ext.services import engine_digest, value_ranges
from master.api.rules import read_token
from master.api.server import MasterServer
from master.contract.events import TrialValues
from master.contract.views import JobRequest
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.service.service import MasterService
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.aio import Link, memory_pair
from protocol.events import MessageReceived
from protocol.guards.access_control import AccessControl
from protocol.messages import (
    AnalyserHello,
    Done,
    Engine,
    MasterHello,
    Message,
    Ready,
    Stop,
    Stopped,
    Trial,
    Trials,
    context_digest,
)
from protocol.sides import AnalyserSide
from tests.benchmarks.measure import machine_description, print_table
from tests.master.api.browser import Browser, browsing

GAME = "backgammon"
POSITION = "4HPwATDgc/ABMA"
BEAT_S = 0.05
FRAMES_S = 3.0

_FRAMES = (
    "new Promise((done) => {{ const times = [], end = performance.now() + {ms};"
    " const step = (now) => {{ times.push(now); now < end ? requestAnimationFrame(step)"
    " : done(times); }}; requestAnimationFrame(step); }})"
)
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


@dataclass
class Part:
    """What is asked for, and how much of it was sent."""

    asked: Trials
    done: int = 0

    @property
    def next_seq(self) -> int:
        return self.asked.first_seq + self.done


@dataclass
class Feeder:
    """An analyser that makes trials up, so many as it is told to."""

    context: str
    known: set[int] = field(default_factory=set)
    parts: list[Part] = field(default_factory=list)
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    link: Link = field(init=False)

    def join(self, service: MasterService) -> asyncio.Task[None]:
        """Connect to a master."""
        side = AnalyserSide(AnalyserHello(name="feeder", cores=1, games=(GAME,)))
        master_link, self.link = memory_pair(service.new_side(), side)
        service.add_link(master_link)
        return asyncio.create_task(self._run())

    async def _run(self) -> None:
        async for event in self.link:
            if isinstance(event, MessageReceived) and isinstance(event.message, MasterHello):
                digest = engine_digest(GAME)
                engine = Engine(game=GAME, digest=digest, power=1000.0, services=("trials",))
                self.link.send(engine, Ready(workers=1))
            elif isinstance(event, MessageReceived) and isinstance(event.message, Trials):
                self.parts.append(Part(event.message))
            elif isinstance(event, MessageReceived) and isinstance(event.message, Stop):
                self._stop(event.message)

    def _stop(self, message: Stop) -> None:
        """End a part that somebody has already computed, as where this machine was held up."""
        key = (message.part, message.attempt)
        for part in [each for each in self.parts if (each.asked.part, each.asked.attempt) == key]:
            self.parts.remove(part)
            digest = context_digest(self.context)
            self.link.send(
                Stopped(part=key[0], attempt=key[1], context_digest=digest, count=part.done)
            )

    async def feed(self, trials: int, per_s: float) -> None:
        """Send results, each the sooner the less its number, until all below that one are sent."""
        began, before = time.monotonic(), len(self.known)
        while len(self.known) < trials:
            await asyncio.sleep(BEAT_S)
            due = min(trials, before + int((time.monotonic() - began) * per_s))
            while self.parts and len(self.known) < due:
                part = min(self.parts, key=lambda each: each.next_seq)
                if part.next_seq >= trials:
                    break
                self._send(part, min(due - len(self.known), trials - part.next_seq))

    def _send(self, part: Part, count: int) -> None:
        """Send the next results of a part, and its end if it has come to it."""
        asked, first = part.asked, part.next_seq
        seqs = range(first, min(first + count, asked.first_seq + asked.count))
        results: list[Message] = [
            Trial(part=asked.part, attempt=asked.attempt, seq=seq, values=self._made(seq))
            for seq in seqs
        ]
        part.done += len(seqs)
        self.known.update(seqs)
        if part.done == asked.count:
            digest = context_digest(self.context)
            results.append(Done(
                part=asked.part, attempt=asked.attempt, context_digest=digest, count=asked.count,
            ))  # fmt: skip
            self.parts.remove(part)
        self.link.send(*results)

    def _made(self, seq: int) -> TrialValues:
        self.rng.seed(seq)  # another time it is the same
        win, part = self.rng.random(), self.rng.random() / 2
        raw = (win, win * part, 0.0, (1 - win) * part, 0.0, 2 * win - 1, self.rng.gauss(0.1, 0.8))
        spans = value_ranges(self.context)
        kept = (min(max(x, low), high) for x, (low, high) in zip(raw, spans, strict=True))
        return tuple(int(x * 2**32) / 2**32 for x in kept)


@dataclass(frozen=True)
class Sample:
    """What the page takes, at a number of rounds."""

    rounds: int
    heap_kb: float
    nodes: int
    frame_ms: float
    frame_ms_99: float
    frame_ms_max: float
    busy: float

    def row(self) -> tuple[str, ...]:
        frames = (f"{ms:.1f}" for ms in (self.frame_ms, self.frame_ms_99, self.frame_ms_max))
        return (f"{self.rounds:,}", f"{self.heap_kb:,.0f}", f"{self.nodes:,}", *frames,
                f"{100 * self.busy:.1f} %")  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """What came out."""

    samples: tuple[Sample, ...]
    paint_ms: float
    curve_ms: float
    master_busy: float


async def sample(
    browser: Browser, mark: int, feeding: asyncio.Task[None], seconds: float
) -> Sample:
    """Look at frames for a while as trials come in, and at the memory when all are shown."""
    before = await browser.metrics()
    times = await browser.find(_FRAMES.format(ms=1000 * seconds))
    after = await browser.metrics()
    await feeding
    await browser.until(f"document.querySelector('.alternatives td:nth-child(6)').textContent"
                        f" === '{mark:,}'")  # fmt: skip
    gaps = sorted(two - one for one, two in pairwise(times))
    busy = (after["TaskDuration"] - before["TaskDuration"]) / (times[-1] - times[0]) * 1000
    heap = await browser.heap_bytes()
    nodes = (await browser.metrics())["Nodes"]
    return Sample(mark, heap / 1024, int(nodes), gaps[len(gaps) // 2],
                  gaps[int(0.99 * len(gaps))], gaps[-1], busy)  # fmt: skip


@asynccontextmanager
async def serving(service: MasterService, folder: Path) -> AsyncIterator[str]:
    keeper = AccessControl(NOBODY_ELSE)
    server = MasterServer(service, keeper, "bench", folder)
    port = await server.open_page(Address("127.0.0.1", 0))
    try:
        yield f"http://127.0.0.1:{port}/{read_token(folder).fragment}"
    finally:
        await server.aclose()


async def measure(rounds: int, per_s: float, frames_s: float = FRAMES_S) -> Measured:
    """Feed a rollout of five moves, and watch its page at a tenth of it and at its end."""
    options = RolloutOptions(dice=(3, 1), candidates=5)
    context = to_context(read_id(POSITION), options).to_text()
    count, marks = 5, (rounds // 10, rounds)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        service = await stack.enter_async_context(MasterService(folder / "state"))
        link = await stack.enter_async_context(serving(service, folder / "state"))
        browser = await stack.enter_async_context(browsing())
        feeder = Feeder(context)
        listening = feeder.join(service)
        stack.callback(listening.cancel)
        job = await service.submit(JobRequest(context, 2 * rounds, None, POSITION))
        await browser.open(link)
        await browser.until("document.querySelector('#jobs a')")
        await browser.find("document.querySelector('#jobs a').click()")
        found, cpu, began = [], time.process_time(), time.monotonic()
        for mark in marks:
            before = int(mark - frames_s * per_s)
            await feeder.feed(count * max(before, 0), count * per_s)
            feeding = asyncio.create_task(feeder.feed(count * mark, count * per_s))
            found.append(await sample(browser, mark, feeding, frames_s))
        busy = (time.process_time() - cpu) / (time.monotonic() - began)
        paint_ms, curve_ms = await reloaded(browser)
        assert browser.complaints == []
        await service.halt(job)
    return Measured(tuple(found), paint_ms, curve_ms, busy)


async def reloaded(browser: Browser) -> tuple[float, float]:
    """Return after how many milliseconds a reloaded page paints first, and has its first curve."""
    await browser.reload()
    await browser.until("document.querySelector('.uplot canvas')")
    curve_ms = await browser.find("performance.now()")
    return float(await browser.find(_PAINT)), float(curve_ms)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--per-s", type=float, default=500.0)
    asked = parser.parse_args()
    found = asyncio.run(measure(asked.rounds, asked.per_s))
    print(machine_description())
    headings = ("trials of each of 5", "heap, KB", "nodes", "frame, ms", "99 %", "longest", "busy")
    print_table(headings, [each.row() for each in found.samples])
    print(f"reloaded: first paint after {found.paint_ms:.0f} ms, first curve {found.curve_ms:.0f}")
    print(f"master, with the trials made up in the same process: {found.master_busy:.0%} of a core")


if __name__ == "__main__":
    main()

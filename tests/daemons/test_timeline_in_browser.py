"""The timeline in a real browser: it lives, and what it shows is said in words too."""

import asyncio
import signal
from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from master.api.client import MasterClient
from master.api.server import MasterServer
from master.config.paths import control_socket_path
from master.contract.views import JobRequest
from master.timeline.showing import ShownTimeline
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline
from protocol.access.rules import NOBODY_ELSE
from protocol.guards.access_control import AccessControl
from tests.daemons.analyser_programs import HERE as ADDRESS
from tests.daemons.analyser_programs import ended, listening
from tests.daemons.command_line import Home
from tests.daemons.page_pictures import pictures
from tests.daemons.test_page_in_browser import HERE, text_of
from tests.daemons.test_web_page import mastering
from tests.master.api.browser import Browser, browsing
from tests.master.api.fake_master import FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow]

RIGHT, DOWN, HOME, END = "ArrowRight", "ArrowDown", "Home", "End"
PLUS, MINUS = "+", "-"


class Fleet:
    """A timeline that the test makes things happen in."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timeline = Timeline()
        self.timeline.advance(self.now)
        self.timeline.name(Kind.TRIALS, 1, "noop")
        self.timeline.come(1, "attic", 2)
        self.timeline.come(2, "barn", 1)
        self.number = 0

    @property
    def shown(self) -> ShownTimeline:
        return ShownTimeline(self.timeline, "ab", lambda: self.now, 1_800_000_000.0)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.timeline.advance(self.now)

    def hand(self, session: int, kind: Kind = Kind.TRIALS, attempt: int = 1) -> int:
        self.number += attempt == 1
        part = Part(kind, 1, self.number, attempt, 10 * self.number, 10)
        self.timeline.hand_out(session, part)
        return self.number


def busy_fleet() -> Fleet:
    """Return a fleet of which everything has happened that can be shown."""
    fleet = Fleet()
    for _ in range(8):
        for session, kind in ((1, Kind.TRIALS), (1, Kind.QUESTION), (2, Kind.SEARCH)):
            part = fleet.hand(session, kind)
            fleet.wait(1.0)
            fleet.timeline.end(part, 1, Ending.DONE)
    for is_shot, ending in ((False, None), (True, None), (False, Ending.FAILED)):
        part = fleet.hand(1)
        fleet.wait(2.0)
        fleet.timeline.ask_to_stop(part, 1, is_shot=is_shot)
        fleet.wait(0.5)
        fleet.timeline.end(part, 1, ending)
    part = fleet.hand(2)
    fleet.wait(2.0)
    fleet.hand(1, attempt=2)
    fleet.timeline.ask_to_stop(part, 1)
    fleet.timeline.end(part, 1)
    fleet.wait(2.0)
    fleet.timeline.end(part, 2, Ending.DONE)
    return fleet


async def shown(browser: Browser, port: int) -> None:
    await browser.open(f"http://127.0.0.1:{port}/#/timeline")
    await browser.until("document.querySelector('.timeline-canvas')")


def row_of(name: str) -> str:
    """Return an expression: the row of an analyser in the table, its cells with a bar between."""
    return (
        "[...document.querySelectorAll('#view tbody tr')].map((row) => "
        "[...row.cells].map((cell) => cell.innerText).join('|'))"
        f".find((row) => row.startsWith('{name}|'))"
    )


@pytest.mark.when_changed
async def test_parts_appear_live_and_those_of_a_killed_analyser_are_lost(tmp_path: Path) -> None:
    fleet, master = busy_fleet(), FakeMaster()
    server = MasterServer(master, AccessControl(NOBODY_ELSE), "attic", tmp_path, fleet.shown)
    port = await server.open_page(HERE)
    async with browsing() as browser:
        try:
            await shown(browser, port)
            await browser.find("document.querySelector('#view details').open = true")
            await browser.until(f"{row_of('barn')}?.startsWith('barn|1|')")
            before = await browser.find(row_of("barn"))
            assert before.endswith("|9|0|0|1|0|0|0")
            fleet.hand(2)
            fleet.hand(2)
            fleet.wait(2.0)  # what moves is shown a second late
            await browser.until(f"{row_of('barn')}.endsWith('|10|1|0|1|0|0|0')")
            await pictures(browser, "timeline")
            fleet.wait(3.0)
            fleet.timeline.go(2)
            await browser.until(f"{row_of('barn')}.endsWith('|0|0|1|0|0|1')")
            await browser.find("document.querySelector('.timeline-canvas').focus()")
            await browser.press(DOWN, DOWN, END)
            await browser.until(f"{text_of('#timeline-line')}.includes('barn')")
            assert browser.complaints == []
        finally:
            await server.aclose()


BUSY = noop_context(alternatives=3, rounds=400_000)  # about a millisecond a trial


@pytest.mark.timeout(240)  # a master, two analysers and a browser
@pytest.mark.when_changed
async def test_a_running_masters_parts_appear_and_a_killed_analysers_are_lost(
    home: Home, tmp_path: Path
) -> None:
    async with listening("--name", "barn", "--workers", "2") as (analyser, port):
        fleet = tmp_path / "fleet.toml"
        fleet.write_text(f'[[analyser]]\nname = "barn"\naddress = "{ADDRESS}:{port}"\n')
        options = ("--web", f"{ADDRESS}:0", "--fleet", str(fleet), "--local", "1")
        async with mastering(home, *options) as url, browsing() as browser:
            async with MasterClient(control_socket_path(home.state, home.environ)) as client:
                await client.submit(JobRequest(BUSY, 1_000_000))
            await browser.resemble(1300, "light")
            await browser.open(f"{url}#/timeline")
            await browser.until("document.querySelector('#view details')")
            await browser.find("document.querySelector('#view details').open = true")
            await browser.until(f"/^barn\\|2\\|[^|]+%\\|[1-9].*\\|0$/.test({row_of('barn')})")
            await browser.until(f"{row_of('local')}")
            analyser.kill()
            await browser.until(f"/\\|[1-9]\\d*$/.test({row_of('barn')})")
            await pictures(browser, "timeline-killed")
            assert browser.complaints == []


@pytest.mark.when_changed
async def test_replay_shows_a_simulation(home: Home, tmp_path: Path) -> None:
    record = tmp_path / "search.log"
    simulated = await home.run(
        "simulate", "chess", "--positions", "BK2", "--nodes", "3000", "--processors", "8",
        "--record", str(record),
    )  # fmt: skip
    assert simulated.code == 0, simulated
    async with (
        home.running("replay", str(record), "--web", stderr=asyncio.subprocess.PIPE) as replay,
        browsing() as browser,
    ):
        assert replay.stdout is not None
        link = (await replay.stdout.readline()).decode().strip()
        await browser.open(link)
        await browser.until(f"{text_of('#view h2')} === 'Timeline of BK2, 8 processors, manyply'")
        assert await browser.find("location.hash") == "#/timeline"
        await browser.until(f"{text_of('#view .note')}.startsWith('A simulation: time is counted')")
        await browser.find("document.querySelector('#view details').open = true")
        await browser.until(f"{row_of('8')}")
        await pictures(browser, "timeline-simulation")
        await browser.find("document.querySelector('.timeline-canvas').focus()")
        await browser.press(DOWN, DOWN, HOME, RIGHT)
        await browser.until(f"{text_of('#timeline-line')}.includes('nodes')")
        whole = await browser.find(text_of("#view caption"))
        await browser.press(PLUS, PLUS)
        await browser.until(f"{text_of('#view caption')} !== {whole!r}")
        await browser.press(MINUS, MINUS, MINUS)
        await browser.until(f"{text_of('#view caption')} === {whole!r}")
        await browser.open(link.partition("#")[0])
        await browser.until(f"{text_of('#trouble')}.startsWith('This is the record search.log')")
        await browser.until("document.querySelector('#overview section').hidden")
        assert browser.complaints == []
        replay.send_signal(signal.SIGINT)
        assert await ended(replay) == 0

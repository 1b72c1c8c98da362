"""Jobs in a real browser: the timeline, a search's tree, and a rollout, live and by keys."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.api.client import MasterClient
from master.api.rules import read_token
from master.api.server import MasterServer
from master.config.fleet_list import FleetEntry
from master.config.fleet_specs import local_entry
from master.config.paths import control_socket_path
from master.contract.views import JobRequest
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.service.service import MasterService
from master.timeline.showing import ShownTimeline
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.analyser_programs import HERE, Process, ended, listening
from tests.daemons.command_line import POSITION, Home
from tests.daemons.page_pictures import PICTURES, pictures
from tests.daemons.test_access import mastering
from tests.daemons.test_page_in_browser import ENTER, LOOPBACK, TAB, text_of
from tests.engine_ext.othello.ffo import ROWS
from tests.master.api.browser import Browser, browsing
from tests.master.api.fake_master import FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow]

LEFT, RIGHT, DOWN = "ArrowLeft", "ArrowRight", "ArrowDown"
HOME, END = "Home", "End"
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
    port = await server.open_page(LOOPBACK)
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
        fleet.write_text(f'[[analyser]]\nname = "barn"\naddress = "{HERE}:{port}"\n')
        options = ("--web", f"{HERE}:0", "--fleet", str(fleet), "--local", "1")
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


WORKERS = 3
FOCUSED = "document.activeElement"
ROWS_SHOWN = "document.querySelectorAll('[role=treeitem]').length"


@asynccontextmanager
async def searching(folder: Path, board_name: str) -> AsyncIterator[tuple[MasterService, int, str]]:
    """Search a board with an analyser of this machine; yield its job and the page's link."""
    board = ROWS[board_name].board
    question = BoardQuestion(board, board.empties)
    async with MasterService(folder) as service:
        await service.add_analyser(local_entry(WORKERS))
        server = MasterServer(service, service.keeper, "attic", folder)
        port = await server.open_page(Address("127.0.0.1", 0))
        try:
            asked = WholeSearch(engine_digest("othello"), question, "manyply")
            job = await service.submit(JobRequest(asked.to_text()))
            yield service, job, f"http://127.0.0.1:{port}/{read_token(folder).fragment}"
        finally:
            await server.aclose()


async def focused(browser: Browser, name: str) -> object:
    return await browser.find(f"{FOCUSED}.getAttribute('{name}')")


@pytest.mark.timeout(240)
@pytest.mark.when_changed
async def test_tree_is_walked_by_keys_while_the_search_goes_on(tmp_path: Path) -> None:
    opened = searching(tmp_path, "FFO55")  # takes a day: 29 empty squares
    async with browsing() as browser, opened as (service, job, link):
        await browser.open(link)
        await browser.until("document.querySelector('td a')")
        await browser.find("document.querySelector('td a').focus()")
        await browser.press(ENTER)
        await browser.until(f"{text_of('.search-standing')}.startsWith('solving 29 empty squares')")
        moves = len(ROWS["FFO55"].board.moves())
        await browser.until(f"{ROWS_SHOWN} >= {1 + moves}")
        await browser.until(f"{text_of('.busy')} === '{WORKERS} at work'")
        if PICTURES:
            await pictures(browser, "search")

        await browser.find("document.querySelector('.follow input').focus()")
        await browser.press(TAB)
        assert (await focused(browser, "aria-level"), await focused(browser, "tabindex")) == (
            "1", "0",
        )  # fmt: skip
        await browser.press(LEFT)
        assert await focused(browser, "aria-expanded") == "false"
        assert await browser.find(ROWS_SHOWN) == 1
        # It stays closed, and the focus stays, while new looks come in.
        figures = await browser.find(text_of(".standing + p"))
        await browser.until(f"{text_of('.search-standing + p')} !== {figures!r}")
        assert await browser.find(ROWS_SHOWN) == 1
        assert await focused(browser, "aria-level") == "1"
        await browser.press(RIGHT, DOWN)
        assert await focused(browser, "aria-posinset") == "1"
        assert await focused(browser, "aria-setsize") == str(moves)
        await browser.press(END)
        assert await browser.find(f"{FOCUSED}.nextElementSibling") is None
        await browser.press(LEFT)
        while await focused(browser, "aria-level") != "1":
            await browser.press(LEFT)
        assert await browser.find(f"{FOCUSED}.innerText.startsWith('Position')")

        await service.halt(job)
        await browser.until(f"{text_of('.search-standing')} === 'Not running.'")
        await browser.until(f"{text_of('.answer')}.startsWith('no answer yet')")
        assert await browser.find(ROWS_SHOWN) == 0
        await browser.find("location.hash = '#/searches/99'")
        await browser.until(f"{text_of('#view .trouble')} === 'there is no job 99'")
        await browser.find("location.hash = '#/'")
        await browser.until("document.querySelector('#view').hidden")
        complaints = [each for each in browser.complaints if "/api/jobs/99/tree" not in each]
        assert complaints == []


PROBES = ((1300, "light"), (1300, "dark"), (700, "light"), (390, "dark"), (320, "light"))
SAID = "(document.querySelector('#view')?.innerText ?? '')"
FOLDED = f"Number((/([\\d,]+) of [\\d,]+ trials/.exec({SAID})?.[1] ?? '0').replaceAll(',', ''))"
TRIALS = 240
MOVES = RolloutOptions(dice=(5, 1), candidates=4)
"""Two of these plays are out of contention at the first look, the others are close."""

MINUS_SIGN = "\u2212"


@asynccontextmanager
async def fleet(*names: str) -> AsyncIterator[list[tuple[FleetEntry, Process]]]:
    """Run analysers of one worker each."""
    async with AsyncExitStack() as stack:
        found = []
        for name in names:
            options = ("--workers", "1", "--name", name)
            process, port = await stack.enter_async_context(listening(*options))
            found.append((FleetEntry(name, Address(HERE, port)), process))
        yield found


@asynccontextmanager
async def page_of(service: MasterService, folder: Path) -> AsyncIterator[str]:
    """Serve a master's page; yield where it is, with its token."""
    keeper = AccessControl(NOBODY_ELSE)
    server = MasterServer(service, keeper, "attic", folder)
    port = await server.open_page(Address(HERE, 0))
    try:
        yield f"http://{HERE}:{port}/{read_token(folder).fragment}"
    finally:
        await server.aclose()


def request() -> JobRequest:
    context = to_context(read_id(POSITION), MOVES).to_text()
    return JobRequest(context, TRIALS, None, POSITION, stop_settled=2.0)


async def enter(browser: Browser, link: str, job: int) -> None:
    """Come with the token, and go on to a job by the link in the table."""
    await browser.open(link)
    await browser.until(f"document.querySelector('#jobs a[href=\"#/jobs/{job}\"]')")
    await browser.find(f"document.querySelector('#jobs a[href=\"#/jobs/{job}\"]').click()")


async def press(browser: Browser, name: str) -> None:
    """Press a button of the view, and confirm."""
    button = f"document.querySelector('#view [data-name={name}]:not([hidden], :disabled)')"
    await browser.until(button)
    await browser.find(f"{button}.focus()")
    await browser.press(ENTER)
    await browser.until("document.querySelector('dialog').open")
    await browser.press(ENTER)


async def check_end(browser: Browser, service: MasterService, job: int) -> None:
    """The view shows where the job ended, with all its pictures."""
    await browser.until(f"{SAID}.includes('done')")
    rows = "[...document.querySelectorAll('.alternatives tbody tr')]"
    status = f"{rows}.map((row) => row.cells[6].innerText).join()"
    await browser.until(f"{status} === 'best,,out of contention,out of contention'")
    await browser.until(f"{rows}[0].cells[5].innerText === '{TRIALS}'")
    found = (await service.show(job)).alternatives
    best = max(found, key=lambda each: (each.trials, each.means[-1]))
    mean = f"{best.means[-1]:+.4f}".replace("-", MINUS_SIGN)
    assert await browser.find(f"{rows}[0].cells[1].innerText") == mean
    await browser.until("document.querySelector('.board img')?.naturalWidth > 100")
    pieces = "document.querySelectorAll('.outcomes li .piece').length"
    assert await browser.find(pieces) == 6 * len(found)
    assert await browser.find("document.querySelectorAll('.uplot canvas').length") == 2
    assert await browser.find(f"{SAID}.includes('barn') && {SAID}.includes('attic')")
    assert browser.complaints == []


@pytest.mark.timeout(240)
@pytest.mark.when_changed
async def test_rollout_is_followed_to_its_end(tmp_path: Path) -> None:
    """In two browsers; it is halted and resumed, one reloads, and an analyser is killed."""
    async with browsing() as one:
        async with AsyncExitStack() as stack:
            analysers = await stack.enter_async_context(fleet("attic", "barn"))
            service = await stack.enter_async_context(MasterService(tmp_path))
            link = await stack.enter_async_context(page_of(service, tmp_path))
            other = await stack.enter_async_context(browsing())
            job = await service.submit(request())
            await enter(one, link, job)
            await enter(other, link, job)
            await one.until(f"{SAID}.includes('No trial of every alternative')")
            assert await service.add_analyser(analysers[0][0]) == ""
            await one.until(f"{FOLDED} > 5")
            await press(one, "halt")
            await other.until(f"{SAID}.includes('halted')")
            assert await one.find("document.activeElement.dataset.name") == "resume"
            assert await service.add_analyser(analysers[1][0]) == ""
            await press(one, "resume")
            await other.until(f"{SAID}.includes('stored before') && {SAID}.includes('barn')")
            await one.reload()
            await one.until(f"{FOLDED} > 5")
            analysers[1][1].kill()
            for browser in (one, other):
                await check_end(browser, service, job)
            await one.until("document.querySelector('.uplot') !== null")
            await pictures(one, "rollout", is_whole=True)
        await check_after_restart(one, tmp_path, job)


async def check_after_restart(browser: Browser, folder: Path, job: int) -> None:
    """Another master on the same folder shows the same, but for what no store knows."""
    table = "document.querySelector('.alternatives').innerText"
    before = await browser.find(table)
    async with MasterService(folder) as service, page_of(service, folder) as link:
        await browser.open(link)
        await browser.until(f"document.querySelector('#jobs a[href=\"#/jobs/{job}\"]')")
        await browser.find(f"location.hash = '#/jobs/{job}'")
        await browser.until("document.querySelectorAll('.uplot canvas').length === 1")
        assert await browser.find(table) == before
        assert not await browser.find(f"{SAID}.includes('Trials by analyser')")


@pytest.mark.timeout(240)
@pytest.mark.when_changed
async def test_job_that_there_is_not_is_said(tmp_path: Path) -> None:
    async with (
        MasterService(tmp_path) as service,
        page_of(service, tmp_path) as link,
        browsing() as browser,
    ):
        await browser.open(link)
        await browser.until("document.querySelector('#connection')?.innerText === 'Live'")
        await browser.find("location.hash = '#/jobs/9'")
        await browser.until(f"{SAID}.includes('There is no job 9.')")
        await browser.find("location.hash = '#/'")
        await browser.until("!document.querySelector('#overview').hidden")

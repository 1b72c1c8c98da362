"""The page in a real browser: live, safe, without a fault for axe-core, and playing a game.

A new view of the page is opened here too, and its `violations` are asked for.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from master.api.rules import read_token
from master.api.server import MasterServer
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.games.threes.played_frames import frames
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.page_pictures import PICTURES, pictures
from tests.master.api.axe import needs_axe, violations
from tests.master.api.browser import Browser, Scheme, browsing
from tests.master.api.fake_master import INCIDENT, LINE, VIEW, FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow]

LOOPBACK = Address("127.0.0.1", 0)
EVIL = "<img src=x onerror=document.title='evil'><b>bold</b>"
ENTER, ESCAPE, TAB = "Enter", "Escape", "Tab"


def text_of(selector: str) -> str:
    return f"(document.querySelector({selector!r})?.innerText ?? '')"


@asynccontextmanager
async def opened(
    master: FakeMaster, folder: Path, address: Address = LOOPBACK, access: Access = NOBODY_ELSE
) -> AsyncIterator[tuple[int, str]]:
    """Serve a master's page; yield the link to it."""
    server = MasterServer(master, AccessControl(access), "attic", folder)
    port = await server.open_page(address)
    try:
        yield port, f"http://127.0.0.1:{port}/{read_token(folder).fragment}"
    finally:
        await server.aclose()


async def button(browser: Browser, job: int, name: str, *confirm: str) -> None:
    """Press a button of a job by the keyboard, and confirm."""
    found = f"document.querySelector('[aria-label=\"{name} job {job}\"]:not([hidden])')"
    await browser.until(found)
    await browser.find(f"{found}.focus()")
    await browser.press(ENTER)
    await browser.until("document.querySelector('dialog').open")
    await browser.press(*confirm, ENTER)
    await browser.until("!document.querySelector('dialog').open")


@pytest.mark.when_changed
async def test_page_lives_and_asks_nobody_else(tmp_path: Path) -> None:
    master = FakeMaster()
    async with browsing() as browser, opened(master, tmp_path) as (port, link):
        await browser.open(link)
        await browser.until(f"{text_of('#connection')} === 'Live'")
        await browser.until(f"{text_of('#fleet tbody')}.includes('attic:4321')")
        assert await browser.find("location.hash") == ""

        master.views[1] = replace(VIEW, label=EVIL)
        await browser.until(f"{text_of('#jobs tbody')}.includes('running')")
        assert EVIL in await browser.find(text_of("#jobs tbody"))
        assert await browser.find("document.querySelectorAll('tbody img, tbody b').length") == 0
        await pictures(browser, "running")

        master.error = MasterError("the disk is full")
        await button(browser, 1, "Halt")
        beside = "#jobs tbody .buttons [role=alert]"
        await browser.until(f"{text_of(beside)} === 'Halt failed: the disk is full'")
        master.error = None
        await button(browser, 1, "Halt")
        await browser.until(f"{text_of('#jobs tbody')}.includes('halted')")
        assert await browser.find("document.activeElement.innerText") == "Resume"
        await button(browser, 1, "Resume")
        await browser.until(f"{text_of('#jobs tbody')}.includes('running')")
        await button(browser, 1, "Defer")
        await browser.until(f"{text_of('#jobs tbody')}.includes('running in the background')")
        assert await browser.find("document.activeElement.innerText") == "Restore"
        await button(browser, 1, "Restore")
        await browser.until(f"!{text_of('#jobs tbody')}.includes('background')")
        await button(browser, 1, "Extend")
        await browser.until(f"{text_of('#jobs tbody')}.includes('10 of 2,296')")
        master.change(1, state=JobState.DONE, stopped_by="trials")
        await browser.until(f"{text_of('#told')}.includes('Job 1: done')")
        await button(browser, 1, "Forget", TAB)
        await browser.until(f"{text_of('#jobs-note')}.startsWith('No job yet')")
        assert [asked[0] for asked in master.asked] == [
            "halt", "resume", "prioritise", "prioritise", "extend", "forget",
        ]  # fmt: skip

        assert len(browser.complaints) == 1, "the refusal, which Chromium logs"
        assert "409" in browser.complaints[0]
        own = f"http://127.0.0.1:{port}/"
        assert [url for url in browser.asked if not url.startswith(own)] == []
        assert not [url for url in browser.asked if "token=" in url.partition("#")[0]]


@pytest.mark.when_changed
async def test_fleet_is_shown_at_once_and_in_detail(tmp_path: Path) -> None:
    master = FakeMaster(VIEW)
    async with browsing() as browser, opened(master, tmp_path) as (_, link):
        await browser.open(link)
        details = "document.querySelector('[aria-label=\"attic: details\"]')"
        await browser.until(details)
        assert await browser.find(text_of("#fleet-news")) == ""
        fleet = await browser.find(text_of("#fleet tbody"))
        for reported in ("othello 1.23K", "job 1: 120\u2013127 (+1)", "100%", "12.3 ms"):
            assert reported in fleet
        assert "noop" not in fleet
        master.lines = (
            LINE,
            replace(LINE, name="barn", trials_per_s=4.5, incidents=(INCIDENT,) * 8),
        )
        await browser.until(f"{text_of('#fleet-news')}.includes('barn has joined.')")
        await browser.until(f"{text_of('#fleet tbody')}.includes('75%')")
        await browser.find(f"{details}.focus()")
        await browser.press(ENTER)
        await browser.until("document.querySelector('#analyser').open")
        reported = await browser.find(text_of("#analyser"))
        for part in ("1.23K units a second", "Incidents: 2 stalled", INCIDENT.text):
            assert part in reported
        await pictures(browser, "details")
        master.lines = (replace(LINE, state="draining"),)
        await browser.until(f"{text_of('#analyser-facts')}.includes('draining')")
        master.lines = ()
        await browser.until("!document.querySelector('#analyser-gone').hidden")
        await browser.press(ESCAPE)
        await browser.until("!document.querySelector('#analyser').open")
        news = await browser.find(text_of("#fleet-news"))
        assert [line.split(" ", 1)[1] for line in news.splitlines()] == [
            "attic has left.",
            "barn has left.",
            "attic: draining.",
            "barn has joined.",
        ]
        assert browser.complaints == []


@pytest.mark.when_changed
async def test_escape_changes_nothing_and_refusals_are_said(tmp_path: Path) -> None:
    master = FakeMaster(VIEW)
    async with browsing() as browser, opened(master, tmp_path) as (_, link):
        await browser.open(link)
        await browser.until("document.querySelector('[aria-label=\"Halt job 1\"]')")
        await browser.find("document.querySelector('[aria-label=\"Halt job 1\"]').focus()")
        await browser.press(ENTER)
        await browser.until("document.querySelector('dialog').open")
        if PICTURES:
            await browser.picture(Path(PICTURES) / "confirming.png")
        await browser.press(ESCAPE)
        await browser.until("!document.querySelector('dialog').open")
        assert master.asked == []
        del master.views[1]
        master.views[2] = replace(VIEW, job=2)
        await browser.until("document.querySelector('[aria-label=\"Halt job 2\"]')")
        await browser.find(
            "import('/asking.js').then(({ask}) => ask('api/jobs/1/halt', {}))"
            ".catch((error) => { document.title = error.message; })"
        )
        assert await browser.find("document.title") == "there is no job 1"


@pytest.mark.when_changed
async def test_endpoint_for_others_shows_nothing_without_its_token(tmp_path: Path) -> None:
    master = FakeMaster(VIEW)
    everywhere = opened(master, tmp_path, Address("0.0.0.0", 0), Access(is_open=True))
    async with browsing() as browser, everywhere as (_, link):
        await browser.open(link.partition("#")[0])
        await browser.until(f"{text_of('#connection')}.startsWith('Not connected: the token')")
        assert await browser.find(text_of("#jobs tbody")) == ""
        await browser.open(link)
        await browser.until(f"{text_of('#connection')} === 'Live'")
        await browser.until(f"{text_of('#jobs tbody')}.includes('running')")
        assert await browser.find("document.cookie") == ""


@pytest.mark.when_changed
async def test_lost_connection_is_said_and_comes_back(tmp_path: Path) -> None:
    master = FakeMaster(VIEW)
    master.lines = (LINE, replace(LINE, name="barn", state="quarantined", text="wrong digest"))
    async with browsing() as browser:
        async with opened(master, tmp_path) as (port, link):
            await browser.open(link.partition("#")[0])
            await browser.until(f"{text_of('#jobs tbody')}.includes('running')")
            assert await browser.find("document.querySelector('#read-only').hidden") is False
            assert await browser.find("[...document.querySelectorAll('button')].length") > 0
            enabled = "[...document.querySelectorAll('#jobs button')].filter((b) => !b.disabled)"
            assert await browser.find(f"{enabled}.length") == 0
        await browser.until(f"{text_of('#connection')}.startsWith('Connection lost')")
        await pictures(browser, "lost")
        master.change(1, state=JobState.HALTED)
        async with opened(master, tmp_path, Address("127.0.0.1", port)):
            await browser.until(f"{text_of('#connection')} === 'Live'")
            await browser.until(f"{text_of('#jobs tbody')}.includes('halted')")


PROBES: tuple[tuple[int, Scheme], ...] = (
    (1300, "light"),
    (1300, "dark"),
    (320, "light"),
    (320, "dark"),
)
TWO_PROBES = (PROBES[0], PROBES[3])
"""Of what differs in little from what was looked at in all of them."""


def busy_master() -> FakeMaster:
    """Return a master with jobs and analysers in all their states."""
    views = [
        VIEW,
        replace(VIEW, job=2, state=JobState.HALTED, stopped_by="halted"),
        replace(VIEW, job=3, state=JobState.DONE, stopped_by="trials", error="something is wrong"),
        replace(VIEW, job=4, state=JobState.DAMAGED, error="it cannot be read"),
        replace(VIEW, job=5, priority=Priority.BACKGROUND),
    ]
    master = FakeMaster(*views)
    states = ("ready", "away", "draining", "suspect", "unsuited", "connecting", "quarantined")
    master.lines = tuple(replace(LINE, name=state, state=state, text=state) for state in states)
    return master


async def check(browser: Browser, probes: Sequence[tuple[int, Scheme]] = TWO_PROBES) -> None:
    """Assert that nothing is wrong in any look."""
    for width, scheme in probes:
        await browser.resemble(width, scheme)
        assert await violations(browser) == [], (width, scheme)


async def dialog_of(browser: Browser, label: str, dialog: str) -> None:
    """Open a dialog by the keyboard, look at it, and leave it."""
    await browser.find(f"document.querySelector('[aria-label=\"{label}\"]').focus()")
    await browser.press(ENTER)
    await browser.until(f"document.querySelector('{dialog}').open")
    await check(browser)
    await browser.press(ESCAPE)
    await browser.until(f"!document.querySelector('{dialog}').open")


@needs_axe
@pytest.mark.when_changed
async def test_axe_finds_nothing_on_the_overview(tmp_path: Path) -> None:
    master = busy_master()
    async with browsing() as browser, opened(master, tmp_path) as (_, link):
        await browser.open(link)
        await browser.until(f"{text_of('#fleet tbody')}.includes('quarantined')")
        await check(browser, PROBES)
        await dialog_of(browser, "Extend job 1", "#confirming")
        await dialog_of(browser, "suspect: details", "#analyser")


@needs_axe
@pytest.mark.when_changed
async def test_axe_finds_nothing_where_one_may_only_read_or_nobody_answers(tmp_path: Path) -> None:
    async with browsing() as browser:
        async with opened(busy_master(), tmp_path) as (_, link):
            await browser.open(link.partition("#")[0])
            await browser.until(f"{text_of('#fleet tbody')}.includes('quarantined')")
            await check(browser)
        await browser.until(f"{text_of('#connection')}.startsWith('Connection lost')")
        await check(browser)


@needs_axe
@pytest.mark.when_changed
async def test_axe_finds_what_is_wrong(tmp_path: Path) -> None:
    async with browsing() as browser, opened(busy_master(), tmp_path) as (_, link):
        await browser.open(link)
        await browser.until("document.querySelector('h1')")
        await browser.find(
            "document.body.append(document.createElement('button'), document.createElement('h5'))"
        )
        found = await violations(browser)
        assert any(line.startswith("button-name (critical): <button>") for line in found)


CONTROLS = """
[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
  .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility())
  .filter((each) => each.type !== 'radio' || each.checked)
  .map((each, at) => { each.dataset.control = at; return each.outerHTML.slice(0, 80); })
"""
"""Numbers what may be pressed or filled in: of radio buttons the Tab key reaches the chosen one."""

VIEWS = {
    "#/": "#jobs td a",
    "#/position": ".points-board",
    "#/position/othello/f5d6c3": ".squares-board",
    "#/matches": "#match-file:enabled",
    "#/games": ".game-form button:enabled",
    "#/timeline": ".timeline-canvas",
}
"""Each with an element that is there once all of it is."""


@pytest.mark.when_changed
async def test_tab_reaches_every_control_of_every_view(tmp_path: Path) -> None:
    async with browsing() as browser, opened(busy_master(), tmp_path) as (_, link):
        await browser.open(link)
        await browser.until(f"{text_of('#fleet tbody')}.includes('quarantined')")
        for view, ready in VIEWS.items():
            await browser.find(f"void (location.hash = {view!r})")
            await browser.until(f"document.querySelector({ready!r})?.checkVisibility()")
            await browser.find(
                "document.querySelectorAll('details').forEach((e) => { e.open = true; })"
            )
            controls = await browser.find(CONTROLS)
            await browser.find("document.body.tabIndex = -1, document.body.focus()")
            reached = set[str]()
            for _ in range(len(controls) + 4):  # some are the browser's own
                await browser.press(TAB)
                reached.add(await browser.find("document.activeElement?.dataset.control ?? ''"))
            missed = [text for at, text in enumerate(controls) if str(at) not in reached]
            assert missed == [], view


SPACE, LEFT, RIGHT, END = " ", "ArrowLeft", "ArrowRight", "End"
CARDS = "[...document.querySelectorAll('.cards .card')].map((card) => Number(card.innerText))"
MADE = "document.querySelector('.value.is-made .name')?.innerText.slice(2)"


@pytest.mark.when_changed
async def test_game_is_watched_by_keys(tmp_path: Path) -> None:
    game = [*frames(7, "1")]
    async with browsing() as browser, opened(FakeMaster(), tmp_path) as (port, link):
        await browser.open(link)
        await browser.until(f"{text_of('#connection')} === 'Live'")
        await browser.find("document.querySelector('nav a[href=\"#/games\"]').focus()")
        await browser.press(ENTER)
        await browser.until("document.querySelector('.game-form button:enabled')")
        await browser.find("document.querySelector('#game-level').value = '1'")
        await browser.find("document.querySelector('#game-seed').value = '7'")
        await browser.find("document.querySelector('.game-form button').focus()")
        await browser.press(ENTER)
        await browser.until("location.hash === '#/games/threes/1'")
        await browser.until(f"{text_of('.game-line')} >= 'Move 2'")  # it plays by itself

        await browser.press(SPACE)
        await browser.until(f"{text_of('.game-controls button')} === 'Play'")
        await browser.press(*([LEFT] * 20))
        await browser.until(f"{text_of('.game-line')} === 'Move 0'")
        for at in range(3):
            assert await browser.find(CARDS) == game[at]["cards"]
            assert await browser.find(MADE) == game[at]["move"]
            await browser.press(RIGHT)
        if PICTURES:
            await pictures(browser, "threes")
        await browser.press(END)
        last = f"Move {len(game) - 1:,} of {len(game) - 1:,} · the game is over"
        await browser.until(f"{text_of('.game-line')} === {last!r}")
        assert await browser.find(CARDS) == game[-1]["cards"]
        assert f"{game[-1]['score']:,}" in await browser.find(text_of(".score"))

        # Who comes later sees the same game; one that is gone is said to be so.
        await browser.find("location.hash = '#/games'")
        await browser.until(f"{text_of('#view ul')} === 'Game 1: seed 7, 1'")
        await browser.find("location.hash = '#/games/threes/99'")
        await browser.until(f"{text_of('#view .trouble')}.startsWith('there is no game 99')")
        assert [each for each in browser.complaints if "/api/watched/99" not in each] == []
        own = f"http://127.0.0.1:{port}/"
        assert [url for url in browser.asked if not url.startswith(own)] == []

"""The page in a real browser: it lives, does what it is told, and asks nobody else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from master.api.rules import read_token
from master.api.server import MasterServer
from master.contract.job_words import JobState
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.page_pictures import PICTURES, pictures
from tests.master.api.browser import Browser, browsing
from tests.master.api.fake_master import INCIDENT, LINE, VIEW, FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow]

HERE = Address("127.0.0.1", 0)
EVIL = "<img src=x onerror=document.title='evil'><b>bold</b>"
ENTER, ESCAPE, TAB = "Enter", "Escape", "Tab"


def text_of(selector: str) -> str:
    return f"(document.querySelector({selector!r})?.innerText ?? '')"


@asynccontextmanager
async def opened(
    master: FakeMaster, folder: Path, address: Address = HERE, access: Access = NOBODY_ELSE
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

        assert browser.complaints == []
        own = f"http://127.0.0.1:{port}/"
        assert [url for url in browser.asked if not url.startswith(own)] == []
        assert not [url for url in browser.asked if "token=" in url.partition("#")[0]]


@pytest.mark.when_changed
async def test_fleet_is_told_of_at_once_and_in_detail(tmp_path: Path) -> None:
    master = FakeMaster(VIEW)
    async with browsing() as browser, opened(master, tmp_path) as (_, link):
        await browser.open(link)
        details = "document.querySelector('[aria-label=\"attic: details\"]')"
        await browser.until(details)
        assert await browser.find(text_of("#fleet-news")) == ""
        fleet = await browser.find(text_of("#fleet tbody"))
        for reported in ("noop 1.23K", "job 1: 120\u2013127 (+1)", "100%", "12.3 ms"):
            assert reported in fleet
        master.lines = (
            LINE,
            replace(LINE, name="barn", trials_per_s=4.5, incidents=(INCIDENT,) * 8),
        )
        await browser.until(f"{text_of('#fleet-news')}.includes('barn is here.')")
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
            "barn is here.",
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

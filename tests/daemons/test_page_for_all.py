"""The page for everybody: axe-core finds nothing in any look of it, light and dark, wide and not.

Who adds a view opens it here and asks for `violations`.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from master.contract.job_words import JobState, Priority
from tests.daemons.test_page_in_browser import ENTER, ESCAPE, opened, text_of
from tests.master.api.axe import needs_axe, violations
from tests.master.api.browser import Browser, Scheme, browsing
from tests.master.api.fake_master import LINE, VIEW, FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, needs_axe, pytest.mark.sockets, pytest.mark.slow]

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


@pytest.mark.when_changed
async def test_axe_finds_nothing_on_the_overview(tmp_path: Path) -> None:
    master = busy_master()
    async with browsing() as browser, opened(master, tmp_path) as (_, link):
        await browser.open(link)
        await browser.until(f"{text_of('#fleet tbody')}.includes('quarantined')")
        await check(browser, PROBES)
        await dialog_of(browser, "Extend job 1", "#confirming")
        await dialog_of(browser, "suspect: details", "#analyser")


@pytest.mark.when_changed
async def test_axe_finds_nothing_where_one_may_only_read_or_nobody_answers(tmp_path: Path) -> None:
    async with browsing() as browser:
        async with opened(busy_master(), tmp_path) as (_, link):
            await browser.open(link.partition("#")[0])
            await browser.until(f"{text_of('#fleet tbody')}.includes('quarantined')")
            await check(browser)
        await browser.until(f"{text_of('#connection')}.startsWith('Connection lost')")
        await check(browser)


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

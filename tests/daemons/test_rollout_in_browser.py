"""A rollout on the page, live: a real master, analysers that are killed, browsers that reload."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from master.api.rules import read_token
from master.api.server import MasterServer
from master.config.fleet_list import FleetEntry
from master.contract.views import JobRequest
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.service.service import MasterService
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.analyser_programs import HERE, Process, listening
from tests.daemons.command_line import POSITION
from tests.daemons.page_pictures import pictures
from tests.master.api.browser import Browser, browsing
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

PICTURES = os.environ.get("MANYPLY_PICTURES")
"""A folder where pictures of the page are put for people; unset: none are made."""

PROBES = ((1300, "light"), (1300, "dark"), (700, "light"), (390, "dark"), (320, "light"))
SAID = "(document.querySelector('#view')?.innerText ?? '')"
FOLDED = f"Number((/([\\d,]+) of [\\d,]+ trials/.exec({SAID})?.[1] ?? '0').replaceAll(',', ''))"
TRIALS = 240
MOVES = RolloutOptions(dice=(5, 1), candidates=4)
"""Two of these plays are out of contention at the first look, the others are close."""

MINUS = "\u2212"
ENTER = "Enter"


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
    mean = f"{best.means[-1]:+.4f}".replace("-", MINUS)
    assert await browser.find(f"{rows}[0].cells[1].innerText") == mean
    await browser.until("document.querySelector('.board img')?.naturalWidth > 100")
    pieces = "document.querySelectorAll('.outcomes li .piece').length"
    assert await browser.find(pieces) == 6 * len(found)
    assert await browser.find("document.querySelectorAll('.uplot canvas').length") == 2
    assert await browser.find(f"{SAID}.includes('barn') && {SAID}.includes('attic')")
    assert browser.complaints == []


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

"""A rollout on the page, live: a real master, analysers that are killed, browsers that reload."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from master.cli.backgammon.arguments import read_id
from master.cli.backgammon.rollout_request import RolloutOptions, to_context
from master.config.fleet_list import FleetEntry
from master.contract.views import JobRequest
from master.service.service import MasterService
from master.web.door import WebDoor
from master.web.token_file import read_token
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.guards.doorkeeper import Doorkeeper
from tests.daemons.analyser_programs import HERE, Process, listening
from tests.daemons.command_line import POSITION
from tests.master.reports.browser import needs_chromium
from tests.master.web.browser import Browser, browsing

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(90)]

PICTURES = os.environ.get("MANYPLY_PICTURES")
"""A folder where pictures of the page are put for people; unset: none are made."""

LOOKS = ((1300, "light"), (1300, "dark"), (700, "light"), (390, "dark"), (320, "light"))
SAID = "(document.querySelector('#view')?.innerText ?? '')"
FOLDED = f"Number((/([\\d,]+) of [\\d,]+ trials/.exec({SAID})?.[1] ?? '0').replaceAll(',', ''))"
TRIALS = 400
MINUS = "\u2212"


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
    keeper = Doorkeeper(NOBODY_ELSE)
    door = WebDoor(service, keeper, "attic", folder)
    await door.open(Address(HERE, 0))
    try:
        yield f"http://{HERE}:{door.port}/{read_token(folder).fragment}"
    finally:
        await door.aclose()


def request(trials: int = TRIALS, stop_settled: float | None = None) -> JobRequest:
    options = RolloutOptions(dice=(3, 1), candidates=3)
    context = to_context(read_id(POSITION), options).to_text()
    return JobRequest(context, trials, None, POSITION, stop_settled)


async def enter(browser: Browser, link: str, job: int) -> None:
    """Come with the token, and go on to a job by the link in the table."""
    await browser.open(link)
    await browser.until(f"document.querySelector('#jobs a[href=\"#/jobs/{job}\"]')")
    await browser.find(f"document.querySelector('#jobs a[href=\"#/jobs/{job}\"]').click()")


async def pictures(browser: Browser, name: str) -> None:
    """Look at the view in the widths and lights that there are: nothing is cut off in any."""
    for width, scheme in LOOKS:
        await browser.look_like(width, scheme)
        await browser.until("document.querySelector('.uplot') !== null")
        wide = await browser.find("document.documentElement.scrollWidth")
        assert wide <= width, (width, wide)
        if PICTURES:
            await browser.picture(Path(PICTURES) / f"{name}-{width}-{scheme}.png", is_whole=True)
    await browser.look_like(1300, "light")


async def test_rollout_is_followed_to_its_end(tmp_path: Path) -> None:
    """Two browsers see the same, one reloads, and an analyser is killed meanwhile."""
    async with AsyncExitStack() as stack:
        analysers = await stack.enter_async_context(fleet("attic", "barn"))
        service = await stack.enter_async_context(MasterService(tmp_path))
        link = await stack.enter_async_context(page_of(service, tmp_path))
        for entry, _ in analysers:
            assert await service.add_analyser(entry) == ""
        one, other = [
            await stack.enter_async_context(browsing(tmp_path / name)) for name in ("one", "other")
        ]
        job = await service.submit(request())
        await enter(one, link, job)
        await one.until(f"{FOLDED} > 20")
        await one.until("document.querySelectorAll('.alternatives tbody tr').length === 3")
        await enter(other, link, job)
        await one.find("window.isOld = true, location.reload()")
        await one.until("window.isOld === undefined")
        await one.until(f"{SAID}.includes('barn')")
        analysers[1][1].kill()
        for browser in (one, other):
            await browser.until(f"{SAID}.includes('done')")
            await browser.until("document.querySelector('tr.is-best td:nth-child(6)').innerText"
                                f" === '{TRIALS}'")  # fmt: skip
            await browser.until("document.querySelector('.board img')?.naturalWidth > 100")
            await browser.until("document.querySelectorAll('.outcomes li .piece').length === 18")
            await browser.until(f"{SAID}.includes('barn') && {SAID}.includes('attic')")
            assert browser.complaints == []
        best = (await service.show(job)).alternatives
        mean = max(found.means[-1] for found in best)
        for browser in (one, other):
            shown = "document.querySelector('tr.is-best td:nth-child(2)').innerText"
            assert await browser.find(shown) == f"{mean:+.4f}".replace("-", MINUS)
        await pictures(one, "rollout")

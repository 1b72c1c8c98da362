"""A search that runs in a real browser: its tree opens and closes by keys, and lives meanwhile."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.api.rules import read_token
from master.api.server import MasterServer
from master.config.fleet_specs import local_entry
from master.contract.views import JobRequest
from master.service.service import MasterService
from protocol.address import Address
from tests.daemons.page_pictures import pictures
from tests.daemons.test_page_in_browser import ENTER, TAB, text_of
from tests.engine_ext.othello.ffo import ROWS
from tests.master.api.browser import Browser, browsing
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

WORKERS = 3
PICTURES = os.environ.get("MANYPLY_PICTURES")
LEFT, RIGHT, DOWN, END = "ArrowLeft", "ArrowRight", "ArrowDown", "End"
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
        await browser.until(f"{text_of('.search-standing')} === 'It does not run.'")
        await browser.until(f"{text_of('.answer')}.startsWith('no answer yet')")
        assert await browser.find(ROWS_SHOWN) == 0
        await browser.find("location.hash = '#/searches/99'")
        await browser.until(f"{text_of('#view .trouble')} === 'there is no job 99'")
        await browser.find("location.hash = '#/'")
        await browser.until("document.querySelector('#view').hidden")
        complaints = [each for each in browser.complaints if "/api/jobs/99/tree" not in each]
        assert complaints == []

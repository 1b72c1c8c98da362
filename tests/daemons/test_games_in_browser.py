"""A game that the engine plays, in a real browser: watched, paused, stepped through, and ended."""

import os
from pathlib import Path

import pytest

from master.games.threes.played_frames import frames
from tests.daemons.page_pictures import pictures
from tests.daemons.test_page_in_browser import ENTER, opened, text_of
from tests.master.api.browser import browsing
from tests.master.api.fake_master import FakeMaster
from tests.master.reports.browser import needs_chromium

pytestmark = [needs_chromium, pytest.mark.sockets, pytest.mark.slow]

PICTURES = os.environ.get("MANYPLY_PICTURES")
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

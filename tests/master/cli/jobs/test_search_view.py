"""How a search by a fleet looks, in the words of its game and in none."""

from dataclasses import replace
from typing import Any

import pytest

from engine_ext.othello.board import OthelloBoard
from master.cli.jobs.search_view import search_view, status_line
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.games.job_words import PLAIN_SEARCH, SearchWords
from master.games.othello.search_report import WORDS

BOARD = OthelloBoard.start(8)
FLEET = (SearcherLine("attic", 2, 3, 80_000_000, 41.5e6), SearcherLine("cellar", 1, 1, 1, 0.0))
SPOTS = (HotSpot("attic", (0, 1), 57, 0.25), HotSpot("cellar", None, 50, 0.01))
VIEW = SearchView(
    "solving 60 empty squares", BOARD.to_text(), -4, 10, None, True, 90_000_000, 12.3, 1_200, 34,
    FLEET, SPOTS,
)  # fmt: skip


def shown(**changes: Any) -> SearchView:
    return replace(VIEW, **changes)


def lines(
    what: SearchView, width: int = 100, height: int = 20, words: SearchWords = WORDS
) -> list[str]:
    return [line.plain.rstrip() for line in search_view(what, words, width, height)]


def test_head_analysers_and_hot_spots_are_shown() -> None:
    assert lines(shown(move=2)) == [
        "solving 60 empty squares: value -4 to +10, best f5",
        "90,000,000 nodes, 12 s, 1,200 parts, 34 hot spots split",
        "attic     41.5 M/s       80,000,000 nodes  3 parts   2 workers",
        "cellar     0.0 M/s                1 nodes  1 part    1 worker",
        "",
        "attic       250 ms  57 empty squares behind d3 e3",
        "cellar       10 ms  50 empty squares behind ?",
    ]


def test_game_without_words_is_shown_in_numbers() -> None:
    found = lines(shown(move=2), words=PLAIN_SEARCH)
    assert found[0] == "solving 60 empty squares: value -4 to 10, best move 3"
    assert found[-2] == "attic       250 ms  57 deep behind move 1 move 2"


@pytest.mark.parametrize("height", range(6, 30))
def test_display_fits_the_terminal(height: int) -> None:
    many = shown(searchers=FLEET * 20, hot_spots=SPOTS * 20)
    found = lines(many, 40, height)
    assert 3 <= len(found) < height
    assert max(map(len, found)) <= 40


def test_log_line_names_the_fleet() -> None:
    assert status_line(shown(), WORDS) == (
        "solving 60 empty squares, value -4 to +10: 90,000,000 nodes, 41.5 M/s, 12 s, 2 analysers"
    )
    nobody = status_line(shown(searchers=()), WORDS)
    assert nobody.endswith("0.0 M/s, 12 s, no analyser is ready")

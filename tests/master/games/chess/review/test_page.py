"""A page of games is one file, and every board in it is the record's."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from master.games.chess.analysis.report import AnalysedGame
from master.games.chess.review.page import review_page
from master.games.chess.review.wording import Reviewed, grade, worst
from master.reports.games_page import ERRORS_LISTED
from tests.master.games.backgammon.review.page_reader import PageReader
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR, analysed
from tests.master.games.chess.drawing.board_reader import read_board

_TURN = re.compile(r'<article class="turn[^>]* id="m(\d+)\.(\d+)".*?(<svg .*?</svg>)', re.DOTALL)


@pytest.fixture(scope="module")
def games() -> tuple[AnalysedGame, ...]:
    return analysed(SCHOLAR, 2_000), replace(analysed(LEGAL, 2_000), number=2)


def page_of(*games: AnalysedGame) -> str:
    return review_page(Reviewed(games, 2_000, "e" * 16))


def test_every_board_is_the_records(games: tuple[AnalysedGame, ...]) -> None:
    seen = {
        (int(game), int(move)): read_board(svg)
        for game, move, svg in _TURN.findall(page_of(*games))
    }
    assert len(seen) == sum(len(game.moves) for game in games)
    for (number, half_move), shown in seen.items():
        game = games[number - 1]
        judged = game.moves[half_move - 1]
        assert shown.signs == game.record.game.boards[half_move - 1].signs
        assert shown.arrows["played"][:2] == judged.move[:2]
        assert ("better" in shown.arrows) == (grade(judged) > 0 and not judged.is_best)


def test_page_is_one_file_whose_links_lead_to_what_is_there(
    games: tuple[AnalysedGame, ...],
) -> None:
    page = PageReader(page_of(*games))
    names = set(page.names)
    assert len(names) == len(page.names)
    assert {each for each in page.references if not each.startswith("#")} == set()
    assert {each[1:] for each in page.references} <= names
    assert page.handlers == []


def test_figures_and_errors_are_those_of_the_game(games: tuple[AnalysedGame, ...]) -> None:
    html = page_of(games[0])
    assert "<h1>Ann - Bob</h1>" in html
    for side in "wb":
        accuracy = games[0].figures(side).accuracy
        assert f"<td>{accuracy:.1f} %</td>" in html
    listed = re.findall(r'<th scope="row"><a href="#m1\.(\d+)">', html)
    assert listed == [str(move.number + 1) for _, _, move in worst(games[:1], ERRORS_LISTED)]


def test_same_games_give_the_same_page(games: tuple[AnalysedGame, ...]) -> None:
    assert page_of(*games) == page_of(*games)
    assert "<h1>2 games</h1>" in page_of(*games)


def test_game_without_moves_has_a_page() -> None:
    assert "Move by move" in page_of(analysed('[White "A"]\n[Result "*"]\n\n*\n'))

"""A page of games is one file, and every board in it is the record's."""

from __future__ import annotations

import re

from master.games.othello.analysis.judging import AnalysedGame
from master.games.othello.level import Level
from master.games.othello.review.page import review_page
from master.games.othello.review.wording import Reviewed
from master.reports.games_page import ERRORS_LISTED
from tests.master.games.backgammon.review.page_reader import PageReader
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed
from tests.master.games.othello.drawing.board_reader import read_board, squares_of

_TURN = re.compile(r'<article class="turn[^>]* id="m(\d+)\.(\d+)".*?(<svg .*?</svg>)', re.DOTALL)


def page_of(*games: AnalysedGame) -> str:
    return review_page(Reviewed(games, Level(6, 10)))


def test_every_board_is_the_records() -> None:
    games = {1: analysed(TIGER, 1), 2: analysed(SHORTEST, 2)}
    seen = {
        (int(a), int(b)): read_board(svg) for a, b, svg in _TURN.findall(page_of(*games.values()))
    }
    assert len(seen) == sum(len(game.moves) for game in games.values())
    for (number, move), shown in seen.items():
        game = games[number]
        board, judged = game.record.game.boards[move - 1], game.moves[move - 1]
        assert shown.black == squares_of(board.black, 8)
        assert shown.white == squares_of(board.white, 8)
        assert shown.rings["played"] == judged.square
        assert ("better" in shown.rings) == (judged.lost > 0)
        assert shown.last == ({game.moves[move - 2].square} if move > 1 else set())


def test_page_is_one_file_whose_links_lead_to_what_is_there() -> None:
    page = PageReader(page_of(analysed(TIGER, 1), analysed(SHORTEST, 2)))
    names = set(page.names)
    assert len(names) == len(page.names)
    assert {each for each in page.references if not each.startswith("#")} == set()
    assert {each[1:] for each in page.references} <= names
    assert page.handlers == []


def test_figures_are_those_of_the_game() -> None:
    game = analysed(TIGER, 1, "Ann", "Bob")
    html = page_of(game)
    assert "<h1>Ann - Bob</h1>" in html
    for side in "XO":
        assert f"<td>{game.figures(side).discs_lost:.2f}</td>" in html
    assert "Largest errors" in html
    listed = re.findall(r'<th scope="row"><a href="#m1\.(\d+)">', html)
    assert listed == [str(move.number + 1) for move in game.worst(ERRORS_LISTED)]


def test_names_of_players_are_text() -> None:
    html = page_of(analysed(TIGER, 1, "<script>alert(1)</script>", "&amp;"))
    assert "<script>alert" not in html
    assert "&amp;amp;" in html


def test_same_games_give_the_same_page() -> None:
    assert page_of(analysed(TIGER)) == page_of(analysed(TIGER))
    assert "2 games" in page_of(analysed(TIGER), analysed(TIGER, 2))

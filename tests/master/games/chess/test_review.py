"""Reviews of chess games: their page, its moves and words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from master.games.chess.analysis.judging import Mark, chances
from master.games.chess.analysis.report import AnalysedGame
from master.games.chess.review import (
    GRADES,
    Reviewed,
    chances_after,
    game_parts,
    game_words,
    grade,
    grade_name,
    grade_words,
    lost_words,
    place,
    player_of,
    players,
    review_page,
    value_words,
    worst,
)
from master.reports.games_page import ERRORS_LISTED, player_mark
from tests.master.games.backgammon.review.page_reader import PageReader
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR, analysed
from tests.master.games.chess.board_reader import read_board

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


GAME = analysed(SCHOLAR.replace("Ann", "Ann <x>"), 2_000)
HTML = "".join(game_parts(3, GAME))


def test_every_move_is_a_turn_with_who_made_it_and_what_it_lost() -> None:
    found = re.findall(
        r'<article class="turn( m\d)?" id="m([0-9.]+)" data-p="(\d)" data-e="([0-9.]+)"', HTML
    )
    reported = [(name, marked, player, lost) for marked, name, player, lost in found]
    assert reported == [
        (
            place(3, move),
            f" m{grade(move)}" if grade(move) else "",
            str(player_of(GAME, move)),
            f"{move.lost:.2f}",
        )
        for move in GAME.moves
    ]


def test_names_are_text_and_better_lines_are_shown_where_something_was_lost() -> None:
    assert "Ann &lt;x&gt;" in HTML
    assert "<x>" not in HTML
    better = sum(not move.is_best and move.lost > 0 for move in GAME.moves)
    assert HTML.count('title="better"') == better > 0
    assert player_mark(1) == '<i class="c1"></i>'


@pytest.fixture(scope="module")
def game() -> AnalysedGame:
    return analysed(SCHOLAR, 2_000)


def test_moves_are_graded_by_their_marks(game: AnalysedGame) -> None:
    for move in game.moves:
        assert GRADES[grade(move)] is move.mark
        assert bool(grade_name(move)) == (move.mark is not Mark.GOOD)
    blunder = game.moves[5]
    assert (grade(blunder), grade_name(blunder)) == (3, "blunder")
    assert lost_words(blunder) == f"-{blunder.lost:.1f} %"
    assert "blunder from 15" in grade_words()


def test_chances_are_whites_and_values_the_movers(game: AnalysedGame) -> None:
    assert players(game) == ("Ann", "Bob")
    for move in game.moves:
        assert move.value is not None
        own = chances(move.value)
        is_white = player_of(game, move) == 0
        assert chances_after(game, move) == pytest.approx(own if is_white else 100 - own)
    assert value_words(game.moves[-1]).startswith("#")


def test_worst_moves_come_first_with_the_numbers_of_their_games(game: AnalysedGame) -> None:
    games = (game, replace(analysed(LEGAL, 2_000), number=2))
    found = worst(games, 3)
    assert [move.lost for _, _, move in found] == sorted(
        (move.lost for _, _, move in found), reverse=True
    )
    assert all(games[number - 1] is of for number, of, _ in found)
    assert worst(games, 0) == []


def test_what_is_not_known_of_a_game_is_left_out(game: AnalysedGame) -> None:
    assert game_words(game) == "1-0"
    assert game_words(analysed(LEGAL, 1)) == "1-0, Paris"

from dataclasses import replace

import pytest

from master.games.chess.analysis.judging import Mark, chances
from master.games.chess.analysis.report import AnalysedGame
from master.games.chess.review.wording import (
    GRADES,
    chances_after,
    game_words,
    grade,
    grade_name,
    grade_words,
    lost_words,
    player_of,
    players,
    value_words,
    worst,
)
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR, analysed


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

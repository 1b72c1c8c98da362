from master.games.othello.level import Level
from master.games.othello.review.wording import (
    BOUNDS,
    game_words,
    grade,
    grade_name,
    grade_words,
    level_words,
    player_of,
    players,
    value_after,
    value_words,
)
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed


def test_errors_have_four_grades_and_each_begins_at_its_bound() -> None:
    assert [grade(bound) for bound in BOUNDS] == [1, 2, 3]
    assert [grade(bound - 0.01) for bound in BOUNDS] == [0, 1, 2]
    assert grade_name(0.0) == ""
    assert grade_words() == "doubtful from 2, bad from 4, very bad from 10"


def test_level_says_how_far_was_looked() -> None:
    assert level_words(Level(12, 20)) == "depth 12, exact scores from 20 empty squares on"
    assert level_words(Level(6, 0)) == "depth 6"
    assert level_words(Level(12, 0, 1.5)) == "1.5 s a move"


def test_values_after_moves_are_blacks() -> None:
    game = analysed(TIGER, black="Ann")
    assert players(game) == ("Ann", "White")
    for move in game.moves:
        found = move.judgement
        assert found is not None
        sign = 1 if player_of(move) == 0 else -1
        assert value_after(move) == sign * found.value
        assert value_words(found.value, move) == f"{found.value:+.0f}"


def test_game_is_told_by_its_end_and_its_opening() -> None:
    assert game_words(analysed(TIGER)) == "not over, Comp'Oth"
    assert game_words(analysed(SHORTEST)).startswith("64-0")

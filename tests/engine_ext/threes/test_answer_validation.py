"""What the engine answers is always taken; what it cannot have answered never is."""

import pytest

from engine_ext.control import RunControl
from engine_ext.services import answer
from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.engine import SCORE_MAX, engine_digest
from engine_ext.threes.questions import BoardAsked, PartsQuestion, read_values, write_values
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.threes.plain_threes import played

BOARDS = tuple(
    BoardAsked(game.cells, game.bag, limit)
    for game, limit in zip(played(3)[::9], (64, 0xFF) * 99, strict=False)
)
STUCK = ThreesBoard.from_text("1414353514143535")


def question(plies: int, boards: tuple[BoardAsked, ...] = BOARDS, engine: str = "") -> str:
    return PartsQuestion(engine or engine_digest(), plies, boards).to_text()


def answered(text: str) -> str:
    found = answer(text, RunControl())
    assert found is not None, "nobody stops it"
    return found


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.when_changed
def test_honest_answers_are_taken(plies: int) -> None:
    for seed in range(4):
        games = played(seed)
        for first in range(0, len(games), 20):
            boards = tuple(BoardAsked(game.cells, game.bag) for game in games[first : first + 9])
            text = question(plies, boards)
            assert answer_fault(text, answered(text)) == ""


def test_broken_texts_are_refused_and_said_in_one_line() -> None:
    text = question(2)
    for how, wrong in broken(answered(text)).items():
        said = answer_fault(text, wrong)
        assert said, how
        assert "\n" not in said, how


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_the_same_number_for_every_board_is_refused(plies: int) -> None:
    text = question(plies)
    for number in (9_000.0, 0.0, 1e7):
        assert answer_fault(text, write_values([number] * len(BOARDS)))


def test_values_are_from_what_a_board_scores_to_the_largest_board() -> None:
    text = question(2)
    values = read_values(answered(text), len(BOARDS))
    for place, board in enumerate(BOARDS):
        score = ThreesBoard(board.cells).score
        for wrong in (score - 1.0, SCORE_MAX + 1.0):
            if wrong >= 0.0:
                reported = write_values([*values[:place], wrong, *values[place + 1 :]])
                assert f"scores {score} already" in answer_fault(text, reported)


def test_values_shifted_beyond_the_range_are_refused() -> None:
    text = question(2)
    values = read_values(answered(text), len(BOARDS))
    assert answer_fault(text, write_values([value + SCORE_MAX for value in values]))
    assert "is worth" in answer_fault(text, write_values([3.0 * value for value in values]))


def test_values_in_another_order_are_refused() -> None:
    text = question(1)
    values = read_values(answered(text), len(BOARDS))
    assert values != values[::-1]
    assert answer_fault(text, write_values(values[::-1]))


def test_board_without_a_move_is_worth_its_score() -> None:
    assert not STUCK.moves()
    text = question(2, (BoardAsked(STUCK.cells, (4, 4, 4)),))
    assert answer_fault(text, answered(text)) == ""
    assert "is possible" in answer_fault(text, write_values([STUCK.score + 1.0]))


def test_values_of_another_engine_keep_to_the_rules_alone() -> None:
    text = question(1, engine="0" * 16)
    assert answer_fault(text, write_values([1e6] * len(BOARDS))) == ""
    assert answer_fault(text, write_values([-1.0] * len(BOARDS)))

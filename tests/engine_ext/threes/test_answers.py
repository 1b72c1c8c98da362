"""Boards are valued as the search values them, and answers that cannot be are refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from engine_ext import services
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.engine import SCORE_MAX, engine_digest
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BoardAsked, PartsQuestion, read_values, write_values
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.threes.plain_threes import played


def boards_of(rarity: int) -> tuple[BoardAsked, ...]:
    """Return boards of a game, each second one asked for to this rarity at most."""
    return tuple(
        BoardAsked(game.cells, game.bag, limit)
        for game, limit in zip(played(3)[::9], (64, rarity) * 99, strict=False)
    )


BOARDS, NEAR = boards_of(0xFFFF), boards_of(0xFF)
STUCK = ThreesBoard.from_text("1414353514143535")


def question(boards: tuple[BoardAsked, ...], plies: int, engine: str = "") -> str:
    return PartsQuestion(engine or engine_digest(), plies, boards).to_text()


def values(boards: tuple[BoardAsked, ...], plies: int) -> list[float | None]:
    return [
        Adviser(shipped_net()).value_behind(board.cells, board.bag, plies, board.rarity)
        for board in boards
    ]


def answer_to(text: str) -> str:
    found = services.answer(text, RunControl())
    assert found is not None, "nobody stops it"
    return found


def answered(boards: tuple[BoardAsked, ...], plies: int) -> list[float]:
    return read_values(answer_to(question(boards, plies)), len(boards))


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_answer_tells_the_values_of_the_boards(plies: int) -> None:
    assert answered(BOARDS, plies) == values(BOARDS, plies)


def test_answers_do_not_depend_on_the_thread_or_on_questions_before() -> None:
    expected = values(BOARDS, 2)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda board: answered((board,), 2)[0], BOARDS))
    assert found == expected
    assert answered(BOARDS[::-1], 2) == expected[::-1]


def test_stopped_question_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    assert services.answer(question(BOARDS, 3), control) is None
    assert answered(BOARDS[:2], 2) == values(BOARDS[:2], 2)


def test_question_for_another_engine_is_refused() -> None:
    with pytest.raises(ContextError, match="this one is") as caught:
        services.answer(question(BOARDS, 2, "0" * 16), RunControl())
    assert caught.value.code == "engine-mismatch"


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.when_changed
def test_honest_answers_are_taken(plies: int) -> None:
    for seed in range(4):
        games = played(seed)
        for first in range(0, len(games), 20):
            boards = tuple(BoardAsked(game.cells, game.bag) for game in games[first : first + 9])
            text = question(boards, plies)
            assert answer_fault(text, answer_to(text)) == ""


def test_broken_texts_are_refused_and_said_in_one_line() -> None:
    text = question(NEAR, 2)
    for how, wrong in broken(answer_to(text)).items():
        said = answer_fault(text, wrong)
        assert said, how
        assert "\n" not in said, how


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_the_same_number_for_every_board_is_refused(plies: int) -> None:
    text = question(NEAR, plies)
    for number in (9_000.0, 0.0, 1e7):
        assert answer_fault(text, write_values([number] * len(NEAR)))


def test_values_are_from_what_a_board_scores_to_the_largest_board() -> None:
    text = question(NEAR, 2)
    values = read_values(answer_to(text), len(NEAR))
    for place, board in enumerate(NEAR):
        score = ThreesBoard(board.cells).score
        for wrong in (score - 1.0, SCORE_MAX + 1.0):
            if wrong >= 0.0:
                reported = write_values([*values[:place], wrong, *values[place + 1 :]])
                assert f"scores {score} already" in answer_fault(text, reported)


def test_values_shifted_beyond_the_range_are_refused() -> None:
    text = question(NEAR, 2)
    values = read_values(answer_to(text), len(NEAR))
    assert answer_fault(text, write_values([value + SCORE_MAX for value in values]))
    assert "is worth" in answer_fault(text, write_values([3.0 * value for value in values]))


def test_values_in_another_order_are_refused() -> None:
    text = question(NEAR, 1)
    values = read_values(answer_to(text), len(NEAR))
    assert values != values[::-1]
    assert answer_fault(text, write_values(values[::-1]))


def test_board_without_a_move_is_worth_its_score() -> None:
    assert not STUCK.moves()
    text = question((BoardAsked(STUCK.cells, (4, 4, 4)),), 2)
    assert answer_fault(text, answer_to(text)) == ""
    assert "is possible" in answer_fault(text, write_values([STUCK.score + 1.0]))


def test_values_of_another_engine_keep_to_the_rules_alone() -> None:
    text = question(NEAR, 1, "0" * 16)
    assert answer_fault(text, write_values([1e6] * len(NEAR))) == ""
    assert answer_fault(text, write_values([-1.0] * len(NEAR)))

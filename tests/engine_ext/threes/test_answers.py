"""Boards are valued as the search values them, whichever thread, and whatever was asked before."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.services import ContextError
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BoardAsked, PartsQuestion, read_values
from tests.engine_ext.threes.plain_threes import played

BOARDS = tuple(
    BoardAsked(game.cells, game.bag, limit)
    for game, limit in zip(played(3)[::9], (64, 0xFFFF) * 99, strict=False)
)


def question(boards: tuple[BoardAsked, ...], plies: int, engine: str = "") -> str:
    return PartsQuestion(engine or engine_digest(), plies, boards).to_text()


def values(boards: tuple[BoardAsked, ...], plies: int) -> list[float | None]:
    return [
        Adviser(shipped_net()).value_behind(board.cells, board.bag, plies, board.rarity)
        for board in boards
    ]


def answered(boards: tuple[BoardAsked, ...], plies: int) -> list[float]:
    text = services.answer(question(boards, plies), RunControl())
    assert text is not None
    return read_values(text, len(boards))


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

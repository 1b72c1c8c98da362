"""Answers to questions about boards of Threes!: text in, text out.

The answer contains the value of each board in the question.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BoardAsked, PartsQuestion, write_values

_idle: list[Adviser] = []
"""Searches that are not in use: the next question reuses their stored values of boards.  Their
number is the largest number ever used at the same time."""


def answer(question: str, control: RunControl) -> str | None:
    """Return the values of the boards of a question; None if `control` was stopped.

    Raises:
        ContextError: `bad-context` for a text that means nothing; `engine-mismatch` if it names
            another engine than this one.
    """
    asked = PartsQuestion.from_text(question)
    if asked.engine != engine_digest():
        raise ContextError(
            "engine-mismatch", f"the question is for engine {asked.engine}, this one is "
            f"{engine_digest()}"
        )  # fmt: skip
    values = values_of(asked.boards, asked.plies, control)
    return None if values is None else write_values(values)


def values_of(boards: Sequence[BoardAsked], plies: int, control: RunControl) -> list[float] | None:
    """Return the values of boards, so many moves ahead; None if `control` was stopped."""
    try:
        adviser = _idle.pop()
    except IndexError:
        adviser = Adviser(shipped_net())
    adviser.watch(control)
    values = []
    try:
        for board in boards:
            value = adviser.value_behind(board.cells, board.bag, plies, board.rarity)
            if value is None:
                return None
            values.append(value)
        return values
    finally:
        _idle.append(adviser)

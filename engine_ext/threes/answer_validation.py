"""Which answers a question about boards of Threes! can have.

A score never falls.  So a board's value is at least its score, and at most the largest board's
score; the value of a board without a move is its score.  Values are compared with those of a search
one move ahead.  The value with the largest difference is computed again if that difference is
large and the computation is short.  So a true answer is never refused, and invented numbers seldom
pass.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine_ext.control import RunControl
from engine_ext.threes.answers import values_of
from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.engine import SCORE_MAX, engine_digest
from engine_ext.threes.questions import BoardAsked, PartsQuestion, read_values, write_values

ROUNDING = 1e-9
"""Of a mean of means, as a share of it."""

COMPARED_MAX = 8
"""Largest number of boards compared, spread over the question: some 10 us each."""

RATIO_MAX = 2.0
"""Of the values of a board one move ahead and more: of 100 honest questions 99 keep within it."""

PLIES_MAX = 4
"""Moves ahead up to which a board is computed again: some 50 ms at 4, a second at 5."""


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless a question can have an answer."""
    asked = PartsQuestion.from_text(question)
    values = read_values(answer, len(asked.boards))
    if write_values(values) != answer:
        raise ValueError("expected numbers of 17 digits, or as many as they have")
    for board, value in zip(asked.boards, values, strict=True):
        _require_range(ThreesBoard(board.cells), value)
    if asked.engine == engine_digest() and asked.plies <= PLIES_MAX:
        _require_alike(asked, values)


def _require_range(board: ThreesBoard, value: float) -> None:
    least = board.score
    most = SCORE_MAX if board.moves() else least
    if not least * (1.0 - ROUNDING) <= value <= most * (1.0 + ROUNDING):
        text = f"{value!r} for a board that scores {least} already: {least} to {most} is possible"
        raise ValueError(text)


def _require_alike(asked: PartsQuestion, values: list[float]) -> None:
    """Recompute the value farthest from a search one move ahead, if it is far or `plies` is 1."""
    step = -(-len(values) // COMPARED_MAX)
    pairs = list(zip(asked.boards, values, strict=True))[::step]
    ratio, board, value = max(_compared(pairs), key=lambda one: one[0])
    if ratio <= RATIO_MAX and asked.plies > 1:
        return
    right = _value(board, asked.plies)
    if right != value:
        raise ValueError(f"{value!r} for a board that is worth {right!r}")


def _compared(
    pairs: Iterable[tuple[BoardAsked, float]],
) -> Iterable[tuple[float, BoardAsked, float]]:
    for board, value in pairs:
        near = _value(board, 1) + 1.0
        yield max(near / (value + 1.0), (value + 1.0) / near), board, value


def _value(board: BoardAsked, plies: int) -> float:
    values = values_of((board,), plies, RunControl())
    assert values is not None, "nobody stops it"
    return values[0]

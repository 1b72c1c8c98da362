"""Which answers a look at a chess position can have.

Knows the rules.  Must not know searches: nothing here says whether an answer is true.  Programs
that speak UCI answer too: a program may tell fewer lines than it was asked for.
"""

from __future__ import annotations

from itertools import pairwise

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.looks.look_text import (
    LINE_MOVES_MAX,
    LookAnswer,
    LookAnswerError,
    LookLine,
    LookQuestion,
    LookValue,
)

MATE_MOVES_MAX = 500
"""No search looks further; tables of endings tell mates in hundreds of moves."""

MATE_RANK = 1_000_000
"""Above all centipawns, of which a line has room for 99,999."""


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless a question can have an answer."""
    asked, found = LookQuestion.from_text(question), LookAnswer.from_text(answer)
    board = asked.boards[-1]
    most = min(asked.line_count, board.move_count)
    if len(found.lines) > most:
        raise LookAnswerError(f"expected at most {most} lines, not {len(found.lines)}")
    first = [line.moves[0] for line in found.lines]
    if len(set(first)) != len(first):
        raise LookAnswerError("two lines begin with the same move")
    for line in found.lines:
        _validate_line(board, line)
    _require_order(found)


def _require_order(found: LookAnswer) -> None:
    """Require the best first; those of an iteration that was cut off come before older ones."""
    breaks = [
        f"{worse.moves[0]} is better than {better.moves[0]}"
        for better, worse in pairwise(found.lines)
        if _rank(better.value) < _rank(worse.value)
    ]
    if len(breaks) > 1:
        raise LookAnswerError(f"lines in no order: {', '.join(breaks[:3])}")


def _validate_line(board: ChessBoard, line: LookLine) -> None:
    if len(line.moves) > LINE_MOVES_MAX:
        raise LookAnswerError(f"expected at most {LINE_MOVES_MAX} moves of a line")
    value, after = line.value, board
    for move in line.moves:
        try:
            after = after.play(move)
        except ValueError:
            raise LookAnswerError(f"{move} is no legal move in {'.'.join(line.moves)}") from None
    if value.is_mate and not 1 <= abs(value.number) <= MATE_MOVES_MAX:
        raise LookAnswerError(f"expected a mate in 1 to {MATE_MOVES_MAX} moves, not {value.number}")
    if value == LookValue(1, is_mate=True):
        mated = board.play(line.moves[0])
        if mated.move_count or not mated.is_check:
            raise LookAnswerError(f"{line.moves[0]} does not mate")


def _rank(value: LookValue) -> int:
    """Return what orders values: mates, the shorter the better, centipawns, being mated."""
    if not value.is_mate:
        return value.number
    return MATE_RANK - value.number if value.number > 0 else -MATE_RANK - value.number

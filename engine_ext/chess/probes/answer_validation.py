"""Which answers a look at a chess position can have.

The checks use the rules, not a search: they do not prove that an answer is true.  UCI programs
answer too: a program may send fewer lines than requested, no lines, or no values.
"""

from __future__ import annotations

from itertools import pairwise

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import VALUE_MAX
from engine_ext.chess.fen import write_fen
from engine_ext.chess.probes.probe_text import (
    LINE_MOVES_MAX,
    ProbeAnswer,
    ProbeAnswerError,
    ProbeLine,
    ProbeQuestion,
    ProbeValue,
)
from engine_ext.kept_digest import kept_engine_digest

GAME = "chess"

MATE_MOVES_MAX = 500
"""No search goes deeper; endgame tables have mates in hundreds of moves."""

MATE_RANK = 1_000_000
"""Above all centipawns, of which a line has room for 99,999."""


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless a question can have an answer."""
    validate_lines(ProbeQuestion.from_text(question), ProbeAnswer.from_text(answer))


def validate_lines(asked: ProbeQuestion, found: ProbeAnswer) -> None:
    """Raise ProbeAnswerError, which says why, unless a question can have these lines."""
    board = asked.boards[-1]
    most = min(asked.line_count, board.move_count)
    if len(found.lines) > most:
        raise ProbeAnswerError(f"expected at most {most} lines, not {len(found.lines)}")
    first = [line.moves[0] for line in found.lines]
    if len(set(first)) != len(first):
        raise ProbeAnswerError("two lines begin with the same move")
    for line in found.lines:
        validate_line(board, line)
    _require_order(found)
    if asked.engine == kept_engine_digest(GAME, _own_digest):
        _require_own_range(found)


def _own_digest(game: str) -> str:
    """Return the digest of our own engine, though this process may use another."""
    from engine_ext.chess.engine import engine_digest  # noqa: PLC0415  # loads the engine

    return engine_digest()


def _require_own_range(found: ProbeAnswer) -> None:
    """Require the ranges of our own engine; other programs have other ranges."""
    if found.lines and not found.nodes:
        raise ProbeAnswerError("expected nodes that were searched, not 0")
    for line in found.lines:
        if line.value is None:
            raise ProbeAnswerError(f"{line.moves[0]}: expected a value")
        if not line.value.is_mate and abs(line.value.number) >= VALUE_MAX:
            raise ProbeAnswerError(
                f"{line.moves[0]}: expected fewer than {VALUE_MAX:,} centipawns, not"
                f" {line.value.number:,}"
            )


def _require_order(found: ProbeAnswer) -> None:
    """Require the best first; those of an iteration that was cut off come before older ones."""
    breaks = [
        f"{worse.moves[0]} is better than {better.moves[0]}"
        for better, worse in pairwise(found.lines)
        if better.value and worse.value and _rank(better.value) < _rank(worse.value)
    ]
    if len(breaks) > 1:
        raise ProbeAnswerError(f"lines in no order: {', '.join(breaks[:3])}")


def validate_line(board: ChessBoard, line: ProbeLine) -> None:
    """Raise ProbeAnswerError, which says why, unless a position can have this line."""
    if len(line.moves) > LINE_MOVES_MAX:
        raise ProbeAnswerError(f"expected at most {LINE_MOVES_MAX} moves of a line")
    value, after = line.value, board
    for move in line.moves:
        try:
            after = after.play(move)
        except ValueError:
            raise ProbeAnswerError(f"{move} is no legal move in {write_fen(after)}") from None
    if value is not None and value.is_mate and not 1 <= abs(value.number) <= MATE_MOVES_MAX:
        raise ProbeAnswerError(
            f"expected a mate in 1 to {MATE_MOVES_MAX} moves, not {value.number}"
        )
    if value == ProbeValue(1, is_mate=True):
        mated = board.play(line.moves[0])
        if mated.move_count or not mated.is_check:
            raise ProbeAnswerError(f"{line.moves[0]} does not mate")


def _rank(value: ProbeValue) -> int:
    """Return a sort key of values: mates, the shorter the better, centipawns, being mated."""
    if not value.is_mate:
        return value.number
    return MATE_RANK - value.number if value.number > 0 else -MATE_RANK - value.number

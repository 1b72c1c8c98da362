"""Which answers a look at a move of Othello can have.

The checks use the rules, not a search: they do not prove that an answer is true.
"""

from __future__ import annotations

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeAnswerError, ProbeQuestion

EVALUATION_MAX = 64 * DISC
"""No evaluation is beyond it, on boards of any size (see search.pyx)."""


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless a question can have an answer."""
    asked, found = ProbeQuestion.from_text(question), ProbeAnswer.from_text(answer)
    board = asked.board
    if found.best not in board.moves():
        raise ProbeAnswerError(f"{found.best} is no legal move here")
    if found.best == asked.move and found.value != found.best_value:
        raise ProbeAnswerError(f"{found.best} has two values")
    if found.is_exact != (asked.depth >= board.empties):
        raise ProbeAnswerError(f"{board.empties} empty squares, looked {asked.depth} moves ahead")
    least, most = _scores(board) if found.is_exact else (-EVALUATION_MAX, EVALUATION_MAX)
    for value in (found.value, found.best_value):
        if not least <= value <= most:
            bounds = f"{least // DISC} to {most // DISC} is possible"
            raise ProbeAnswerError(f"a value of {value / DISC:.2f} discs: {bounds}")
        if found.is_exact and value % (2 * DISC):
            raise ProbeAnswerError(f"an exact score of {value / DISC:.2f} discs, which is not even")


def _scores(board: OthelloBoard) -> tuple[int, int]:
    """Return the least and the greatest score, in hundredths of a disc.

    Discs that can never turn stay their owner's to the end.
    """
    squares = board.size**2
    kept, lost = (
        OthelloBoard(player, opponent, board.to_move, board.size).stable.bit_count()
        for player, opponent in ((board.player, board.opponent), (board.opponent, board.player))
    )
    return (2 * kept - squares) * DISC, (squares - 2 * lost) * DISC

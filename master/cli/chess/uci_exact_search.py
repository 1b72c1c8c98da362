"""A reproducible chess search in a thread of its own, for the UCI engine.

Knows threads and the reproducible search.  Must not know the protocol, nor what sets limits.  What
an iteration finds is a function of the position, the game before it and the depth; only how deep
the search comes is the clock's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.parts.answer import (
    DEPTH_MAX,
    DEPTH_MIN,
    ExactAnswer,
    ExactQuestion,
    best_line,
)
from engine_ext.control import RunControl
from engine_ext.search.table import KeyedTable
from master.games.chess.exact_report import best_of
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Iteration


class ExactUciSearch:
    """One search, which runs from its making on; as uci_search.UciSearch.

    Args:
        thinking: what is searched, how deep, and when no iteration is begun any more.
        table: of earlier searches too.
        elapsed_s: seconds since `go`.
        report: called in the thread: with each finished iteration, and at the end with the last one
            and `is_end`.
    """

    current_move: tuple[str, int] | None = None
    """It is not told which move is searched."""

    def __init__(
        self,
        thinking: Thinking,
        table: KeyedTable,
        elapsed_s: Callable[[], float],
        report: Callable[[Iteration, bool], None],
    ) -> None:
        self._thinking = thinking
        self._table = table
        self._elapsed_s = elapsed_s
        self._report = report
        self._control = RunControl()
        self._search: ExactSearch | None = None
        self._nodes_before = 0
        table.begin_search()
        threading.Thread(target=self._run, name="chess search", daemon=True).start()

    @property
    def nodes(self) -> int:
        """Positions visited so far, but for those that a line is read with."""
        search = self._search
        return self._nodes_before + (0 if search is None else search.nodes)

    @property
    def fill(self) -> float:
        """Of the table, 0 to 1."""
        return self._table.fill

    def stop(self) -> None:
        """Have it end soon, with a move in any case; the end is reported."""
        self._control.stop()

    def _run(self) -> None:
        """Search, and look at the clock between iterations."""
        boards = self._thinking.wish.boards
        before = GameBefore.of_game(boards)
        last = Iteration(0, 0, ())
        try:
            for depth in range(DEPTH_MIN, max(self._depth_max, DEPTH_MIN) + 1):
                found = self._deepen(ExactQuestion(boards[-1], before, depth))
                if found is None:
                    break
                last = self._iteration(boards[-1], found)
                self._report(last, False)
                if self._elapsed_s() >= self._thinking.soft_deadline_s or self._is_spent:
                    break
        finally:
            self._report(last, True)

    @property
    def _depth_max(self) -> int:
        return min(self._thinking.depth_max, DEPTH_MAX)

    @property
    def _is_spent(self) -> bool:
        nodes_max = self._thinking.wish.go.nodes
        return nodes_max is not None and self.nodes >= nodes_max

    def _deepen(self, question: ExactQuestion) -> ExactAnswer | None:
        """Return what is found at a depth; None: it was broken off."""
        position, depth, before = question.position, question.depth, question.before
        # Without its first iteration it has no move: that one is over in a millisecond.
        control = RunControl() if depth == DEPTH_MIN else self._control
        search = ExactSearch(
            position, depth, first_depth=depth, before=before, table=self._table, control=control
        )
        self._search, self._nodes_before = search, self.nodes
        search.run()
        value = search.value
        if control.is_stopped or value is None:
            return None
        line = best_line(position, depth, value, before, self._table, control)
        if control.is_stopped:
            return None
        return ExactAnswer(value, depth, line, self.nodes)

    def _iteration(self, board: ChessBoard, found: ExactAnswer) -> Iteration:
        value, moves = best_of(found).value, found.line
        if self._thinking.is_chess960:
            moves = castled_as_in_chess960(board, moves)
        return Iteration(found.depth, found.depth, ((value, moves),))


def castled_as_in_chess960(board: ChessBoard, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line with castling written as the king takes its rook."""
    written = []
    for move in moves:
        after = board.play(move)
        written.append(
            next(name for name in board.moves(True) if board.play(name).key == after.key)
        )
        board = after
    return tuple(written)

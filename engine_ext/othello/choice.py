"""The choice of a move: the best by a fast search, and near the end a winning one if there is one.

The numbers of empty squares in `Effort` set when the end is searched, and how surely.  A choice
depends on the board, the effort, the evaluation and the contents of the tables.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from engine_ext.othello.answer import (
    STEP_NODES,
    BoardAnswer,
    BoardQuestion,
    BoardStatus,
    Steps,
    last_of,
    searched,
)
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable

TABLE_BYTES = 1 << 21
"""Of each of a chooser's tables: together they fit the caches, which searches of a tenth of a
second gain more by than by more entries.  Nor do longer ones need more: at depth 24 FFO #45 is
solved in 247 million nodes with these and with tables 32 times as large."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The depth of searches, by the number of empty squares.

    Args:
        depth: of the fast search, for all boards that are not solved.
        probable: with this many or fewer, a search finds the probable winner.
        win: with this many or fewer, a search proves the winner.
        solve: with this many or fewer, a search proves the exact score.
    """

    depth: int
    probable: int = 0
    win: int = 0
    solve: int = 0


def effort_for(depth: int) -> Effort:
    """Return an effort whose ends take a few times as long as its searches to a depth.

    That is true at depth 15; no other setting tried played better in matches.  Two moves more make
    a fast search 2.7 times as long.  Two empty squares more make the search for the probable winner
    3 times as long, and the proof of the winner 4.2 times.
    """
    more = depth - 15
    win = max(depth, 19 + 2 * more // 3)
    return Effort(depth, probable=max(win, 24 + 5 * more // 6), win=win, solve=depth)


class Chooser:
    """Chooses moves in games of one evaluation; keeps its search tables until `forget`."""

    def __init__(
        self, evaluation: Evaluation, effort: Effort, table_bytes: int = TABLE_BYTES
    ) -> None:
        """Prepare a chooser.

        Args:
            evaluation: of the boards' size, 100 to the disc.
            effort: the depths of searches.
            table_bytes: of each of three tables.
        """
        self.effort = effort
        self._evaluation = evaluation
        self._searched, self._probable, self._solved = (HashTable(table_bytes) for _ in range(3))

    def forget(self) -> None:
        """Clear the search tables."""
        for table in (self._searched, self._probable, self._solved):
            table.clear()

    def steps(self, board: OthelloBoard) -> Steps:
        """Choose in steps, and yield the progress after each.

        Args:
            board: has a legal move.

        Returns:
            The answer; its best move is the choice, its value the score of a solved board and else
            the fast search's of the move that it found best.
        """
        if board.empties <= self.effort.solve:
            solver = Solver(board, table=self._solved, evaluation=self._evaluation)
            yield from _run(solver, "solving", (), 0)
            assert solver.score is not None
            assert solver.best_move is not None
            best = solver.best_move
            return BoardAnswer(solver.score, True, best, (best,), solver.nodes)
        question = BoardQuestion(board, min(self.effort.depth, board.empties), mode="fast")
        found = yield from searched(question, self._searched, self._evaluation)
        if board.empties > max(self.effort.probable, self.effort.win):
            return found
        assert found.best_move is not None
        best, nodes = yield from self._winning(board, found.best_move, found.nodes)
        pv = found.pv if best == found.best_move else (best,)
        return BoardAnswer(found.value, False, best, pv, nodes)

    def choose(self, board: OthelloBoard) -> str:
        """Return a move of a board that has a legal one."""
        found = last_of(self.steps(board))
        assert found.best_move is not None
        return found.best_move

    def _winning(
        self, board: OthelloBoard, best: str, nodes: int
    ) -> Generator[BoardStatus, None, tuple[str, int]]:
        """Return a move that wins, or else draws, or else the best; and nodes visited until then.

        The best one comes first: it wins by more than others, and where its win is only probable,
        it is the least improbable.
        """
        is_sure = board.empties <= self.effort.win
        after = board.play(best)
        sign = -1
        if after.must_pass:
            after, sign = after.passed(), 1
        if after.is_over:
            outcome = sign * _sign(after.final_score)
        else:
            solver = self._outcome(after, -1, is_sure)
            nodes = yield from _run(solver, "who wins", (best,), nodes)
            assert solver.score is not None
            outcome = sign * _sign(solver.score)
        if outcome > 0:
            return best, nodes
        solver = self._outcome(board, outcome, is_sure)
        nodes = yield from _run(solver, "who wins", (best,), nodes)
        assert solver.score is not None
        if solver.best_move is not None and _sign(solver.score) > outcome:
            return solver.best_move, nodes
        return best, nodes

    def _outcome(self, board: OthelloBoard, alpha: int, is_sure: bool) -> Solver:
        """Return a solver for the winner of a board, under (alpha, 1), proved or probable."""
        if is_sure:
            return Solver(board, alpha, 1, table=self._solved, evaluation=self._evaluation)
        return Solver(
            board, alpha, 1, table=self._probable, evaluation=self._evaluation,
            judge_table=self._searched,
        )  # fmt: skip


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def _run(
    solver: Solver, what: str, pv: tuple[str, ...], before: int
) -> Generator[BoardStatus, None, int]:
    """Run a solver after so many nodes of other searches; return the nodes of all."""
    while not solver.step(STEP_NODES):
        phase = f"{what}, {solver.board.empties} empty squares"
        yield BoardStatus(phase, before + solver.nodes, None, pv)
    return before + solver.nodes

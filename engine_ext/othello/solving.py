"""Whole answers from the endgame solver: a score, every move's score, the best line.

All scores are discs of the board's side to move minus the other's, the empty squares to the winner.
"""

from dataclasses import dataclass

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable

SCORE_MAX = 64

EXACT = (-SCORE_MAX, SCORE_MAX)
"""The window of exact scores."""

WIN_LOSS_DRAW = (-1, 1)
"""The window that tells a win (score > 0), a draw (0) and a loss apart."""


class SolvingStoppedError(Exception):
    """The control stopped the search before it was done."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a finished search.

    Args:
        score: fail-soft under the window: at most alpha means "at most score", at least beta means
            "at least score", otherwise exact.
        best_move: the first in order of search that has the score; None for a pass or the end.
        nodes: boards visited.
    """

    score: int
    best_move: str | None
    nodes: int


def solve(
    board: OthelloBoard,
    window: tuple[int, int] = EXACT,
    *,
    table: HashTable | None = None,
    control: RunControl | None = None,
    evaluation: Evaluation | None = None,
) -> Solution:
    """Solve a board under a window (alpha, beta).

    Raises:
        SolvingStoppedError: `control` was stopped before the end.
        ValueError: there is no such window.
    """
    solver = Solver(board, *window, table=table, control=control, evaluation=evaluation)
    if not solver.run() or solver.score is None:
        raise SolvingStoppedError
    return Solution(solver.score, solver.best_move, solver.nodes)


def move_scores(
    board: OthelloBoard,
    *,
    table: HashTable | None = None,
    control: RunControl | None = None,
    evaluation: Evaluation | None = None,
) -> dict[str, int]:
    """Return the exact score of every legal move, best first, equals by square.

    Raises:
        SolvingStoppedError: `control` was stopped before the end.
    """
    table = HashTable() if table is None else table
    scores = {
        move: -solve(board.play(move), table=table, control=control, evaluation=evaluation).score
        for move in board.moves()
    }
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def best_line(
    board: OthelloBoard,
    score: int,
    *,
    table: HashTable | None = None,
    control: RunControl | None = None,
    evaluation: Evaluation | None = None,
) -> list[str]:
    """Return best moves of both sides to the end of the game; passes are left out.

    Args:
        board: where the line starts.
        score: its exact score.
        table: the table of the search that solved `board` makes this fast.
        control: as for `solve`.
        evaluation: as for `solve`.

    Raises:
        SolvingStoppedError: `control` was stopped before the end.
        ValueError: the score is wrong.
    """
    table = HashTable() if table is None else table
    line: list[str] = []
    while not board.is_over:
        if board.must_pass:
            board, score = board.passed(), -score
            continue
        window = max(score - 1, -SCORE_MAX), min(score + 1, SCORE_MAX)
        found = solve(board, window, table=table, control=control, evaluation=evaluation)
        if found.score != score or found.best_move is None:
            raise ValueError(f"the score of {board.to_text()} is not {score:+d}")
        line.append(found.best_move)
        board, score = board.play(found.best_move), -score
    return line

"""Endgames solved at once, and what came of it."""

from typing import Any

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solver import Solver

SMALL_TABLE = 1 << 16


def run(board: OthelloBoard, alpha: int = -64, beta: int = 64, **rest: Any) -> Solver:
    solver = Solver(board, alpha, beta, **rest)
    assert solver.run()
    return solver


def outcome(solver: Solver) -> tuple[object, ...]:
    return solver.score, solver.best_move, solver.nodes, solver.move_bounds

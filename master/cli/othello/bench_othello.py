"""Speed of the engine of Othello here, on one core."""

from __future__ import annotations

from engine_ext.othello.board import OthelloBoard, kernel_name, perft
from engine_ext.othello.ffo import suite_position
from engine_ext.othello.search import DepthSearch, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.cli.bench.bench_figures import best_rate, cpu_description

WORDS = {
    "perft_per_s": "games counted (perft), a second",
    "values_per_s": "positions valued by patterns, a second",
    "search_nodes_per_s": "nodes searched to a depth, a second",
    "solver_nodes_per_s": "nodes of an endgame solved, a second",
    "kernel": "kernel",
    "cpu": "processor",
}

PERFT_DEPTH = 8
DEPTH = 12
TABLE_BYTES = 1 << 22

MIDGAME = "FFO59"
"""With 34 empty squares, far from the end for a search to DEPTH."""

ENDGAME = "FFO40"
"""With 20 empty squares, solved in some tenths of a second."""


def bench_othello() -> dict[str, object]:
    """Return the documented figures, each of one core."""
    return {
        "perft_per_s": best_rate(lambda: perft(OthelloBoard.start(), PERFT_DEPTH)),
        "values_per_s": best_rate(_valued),
        "search_nodes_per_s": best_rate(_searched),
        "solver_nodes_per_s": best_rate(_solved),
        "kernel": kernel_name(),
        "cpu": cpu_description(),
    }


def _valued() -> int:
    """Value a position a thousand times; a call from Python takes part of that."""
    board, evaluation = suite_position(MIDGAME).board, default_evaluation(8)
    for _ in range(1000):
        evaluation.value(board)
    return 1000


def _searched() -> int:
    search = DepthSearch(suite_position(MIDGAME).board, DEPTH, table=HashTable(TABLE_BYTES))
    search.run()
    return search.nodes


def _solved() -> int:
    solver = Solver(suite_position(ENDGAME).board, table=HashTable(TABLE_BYTES))
    solver.run()
    return solver.nodes

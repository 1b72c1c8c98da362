"""Speed of the engine of chess here, on one core."""

from __future__ import annotations

from collections.abc import Callable

from engine_ext.chess.board import ChessBoard, kernel_name, perft
from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.evaluation import static_value
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fen import read_fen
from engine_ext.search.table import KeyedTable
from master.cli.bench.bench_figures import best_rate, cpu_description

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""Every kind of move is there; the chess programming wiki's second perft position."""

PERFT_DEPTH = 4

FAST_NODES = 30_000
EXACT_DEPTH = 9
"""Of each of the Bratko-Kopec positions: some tenths of a second in all."""

TABLE_BYTES = 1 << 22

WORDS = {
    "perft_per_s": "positions counted (perft), a second",
    "values_per_s": "positions valued, a second",
    "fast_nodes_per_s": "nodes of the fast search, a second",
    "reproducible_nodes_per_s": "nodes of the reproducible search, a second",
    "kernel": "kernel",
    "cpu": "processor",
}


def bench_chess() -> dict[str, object]:
    """Return the documented figures, each of one core."""
    boards = [each.board for each in bratko_kopec().values()]
    return {
        "perft_per_s": best_rate(_counted),
        "values_per_s": best_rate(_of_all(boards, _valued)),
        "fast_nodes_per_s": best_rate(_of_all(boards, _searched_fast)),
        "reproducible_nodes_per_s": best_rate(_of_all(boards, _searched)),
        "kernel": kernel_name(),
        "cpu": cpu_description(),
    }


def _counted() -> int:
    return perft(read_fen(KIWIPETE), PERFT_DEPTH)


def _of_all(boards: list[ChessBoard], work: Callable[[ChessBoard], int]) -> Callable[[], int]:
    return lambda: sum(work(board) for board in boards)


def _valued(board: ChessBoard) -> int:
    """Value a position a thousand times; a call from Python takes part of that."""
    for _ in range(1000):
        static_value(board)
    return 1000


def _searched_fast(board: ChessBoard) -> int:
    search = FastSearch(board, nodes_max=FAST_NODES)
    while search.deepen():
        pass
    return search.nodes


def _searched(board: ChessBoard) -> int:
    search = ExactSearch(
        Position(board, ROOT | BEFORE), EXACT_DEPTH, before=GameBefore([board.key]),
        table=KeyedTable(TABLE_BYTES),
    )  # fmt: skip
    search.run()
    return search.nodes

"""Searches that the tests of the fast search begin with."""

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import read_fen

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

SMALL = 1 << 16
"""Bytes of a table for a few plies."""


def search(fen: str, depth: int, **how: object) -> FastSearch:
    """Return a search that has been deepened so far."""
    found = FastSearch(read_fen(fen), table=FastTable(1 << 20), **how)  # type: ignore[arg-type]
    while found.depth < depth and found.deepen():
        pass
    return found


def every_line(board: ChessBoard, before: list[ChessBoard]) -> list[tuple[int, tuple[str, ...]]]:
    """Return all moves with their values, three plies deep."""
    found = FastSearch(board, before, line_count=256)
    while found.depth < 3:
        found.deepen()
    return found.lines

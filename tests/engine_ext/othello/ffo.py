"""Rows of the FFO endgame suite, copied beside the tests, with the exact score of each move."""

from dataclasses import dataclass
from pathlib import Path

from engine_ext.othello.board import OthelloBoard

DATA = Path(__file__).with_name("data")


@dataclass(frozen=True)
class Row:
    """One position: its exact score and that of each legal move, for the side to move."""

    name: str
    board: OthelloBoard
    score: int
    moves: dict[str, int]


def rows(file: str) -> list[Row]:
    found = []
    for line in (DATA / file).read_text().splitlines()[1:]:
        name, squares, side, _, score, _, moves, _ = line.split("\t")
        scored = dict(pair.lower().split(":") for pair in moves.split())
        board = OthelloBoard.from_text(squares + side)
        found.append(Row(name, board, int(score), {m: int(s) for m, s in scored.items()}))
    return found


SMALL = rows("ffo_small.tsv")
LARGE = rows("ffo_40_47.tsv")

"""The FFO endgame suite, beside the tests, with the exact score of each legal move.

The rows that are at hand: all but FFO60 to FFO65.  The scores are the published ones, but for
FFO31: its G1 is worth -32, as two searches here and a program written for nothing else say.
"""

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


ROWS = {row.name: row for row in rows("ffo.tsv")}
"""All of them by name."""

SMALL = [ROWS[f"FFO{number:02}"] for number in [*range(1, 22), 27, 29]]
"""Those that are solved in no time."""

LARGE = [ROWS[f"FFO{number}"] for number in range(40, 48)]
"""Those that solvers are compared by."""

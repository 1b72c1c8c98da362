"""The exact score of every legal move of FFO rows, against the published ones; one core.

Run as `python -m tests.benchmarks.othello_ffo_moves [NAME...] [--empties-max N] [--table-mb N]
[--log FILE]`. Rows come with the fewest empty squares first, each with an empty table that its
moves share, and make a line each. Every score is solved by null windows from the evaluation's guess
on; nothing published is used. The lines are added to FILE, and rows that FILE has already are left
out: a run can be stopped and gone on with, or several share the rows. The exit status says whether
all scores are the published ones.

Rows of up to 22 empty squares take a second or two each; from there on about twice as long for each
empty square more.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine_ext.control import RunControl
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solving import move_scores
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS, Row

EMPTIES_MAX = 22

TABLE_MB = 1024

AS_PUBLISHED = "as published"


def verdict(found: dict[str, int], published: Mapping[str, int]) -> str:
    """Say whether the scores are the same, and which are not."""
    wrong = [
        f"{move} {found.get(move)} published {published.get(move)}"
        for move in sorted(found.keys() | published.keys())
        if found.get(move) != published.get(move)
    ]
    return ", ".join(wrong) or AS_PUBLISHED


def line(row: Row, table_bytes: int) -> str:
    """Solve every move of a row: its name, empty squares, moves, seconds, nodes and the verdict."""
    control = RunControl()
    started = time.process_time()
    scores = move_scores(
        row.board, table=HashTable(table_bytes), control=control, evaluation=load_patterns()
    )
    seconds = time.process_time() - started
    return (
        f"{row.name}  {row.board.empties} empty  {len(scores)} moves  {seconds:.2f} s  "
        f"{control.steps / 1e6:.1f} M nodes  {verdict(scores, row.moves)}"
    )


def rows_to_solve(names: Sequence[str], empties_max: int, log: Path | None) -> list[Row]:
    """Choose rows by name, or all up to a number of empty squares, but for those of the log."""
    done = set() if log is None or not log.exists() else {
        text.split()[0] for text in log.read_text().splitlines() if text
    }  # fmt: skip
    chosen = [ROWS[name] for name in names] or [
        row for row in ROWS.values() if row.board.empties <= empties_max
    ]
    return sorted(
        (row for row in chosen if row.name not in done), key=lambda row: row.board.empties
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as FFO41")
    parser.add_argument("--empties-max", type=int, default=EMPTIES_MAX, metavar="N")
    parser.add_argument("--table-mb", type=int, default=TABLE_MB, metavar="N")
    parser.add_argument("--log", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(ROWS):
        parser.error(f"expected names such as FFO41, not {', '.join(sorted(unknown))}")
    is_right = True
    for row in rows_to_solve(options.names, options.empties_max, options.log):
        text = line(row, options.table_mb << 20)
        print(text, flush=True)
        if options.log is not None:
            with options.log.open("a") as log:
                log.write(text + "\n")
        is_right = is_right and text.endswith(AS_PUBLISHED)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())

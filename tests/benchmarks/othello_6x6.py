"""The proof that White wins 6x6 Othello 20 to 16, on two cores, and seconds and nodes it takes.

Run as `python -m tests.benchmarks.othello_6x6 [--table-mb N]`; the exit status says whether it is
proved. J. Feinstein's proof of 1993 (British Othello Federation newsletter) took two weeks.

Black's four first moves are one by symmetry. After it White must have 4 discs more at the end, no
matter what Black does, and Black must be able to hold White to 4. These are two searches with null
windows, one a thread, which share the table: what one of them proves of a position is true for the
other as well. Moves are ordered by mobility.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import best_line
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from master.cli.bench.bench_figures import cpu_description
from tests.benchmarks.measure import print_table

WHITE_LEAD = 20 - 16

TABLE_MB = 1024


@dataclass(frozen=True)
class Half:
    """One of the two searches.

    Args:
        claim: what it was to prove.
        is_proved: whether it did.
        seconds: of its thread's processor time.
        nodes: boards visited.
    """

    claim: str
    is_proved: bool
    seconds: float
    nodes: int


def proved_at_least(board: OthelloBoard, score: int, table: HashTable) -> Half:
    """Search whether the side to move can get `score`."""
    started = time.thread_time()
    solver = Solver(board, score - 1, score, table=table)
    solver.run()
    assert solver.score is not None
    seconds = time.thread_time() - started
    return Half(f"at least {score:+d}", solver.score >= score, seconds, solver.nodes)


def proved_at_most(board: OthelloBoard, score: int, table: HashTable) -> Half:
    """Search whether the other side can hold the side to move to `score`."""
    started = time.thread_time()
    solver = Solver(board, score, score + 1, table=table)
    solver.run()
    assert solver.score is not None
    seconds = time.thread_time() - started
    return Half(f"at most {score:+d}", solver.score <= score, seconds, solver.nodes)


def halves(board: OthelloBoard, score: int, table: HashTable) -> list[Half]:
    """Search both ways at once."""
    with ThreadPoolExecutor(2) as pool:
        searches = [
            pool.submit(half, board, score, table) for half in (proved_at_least, proved_at_most)
        ]
        return [search.result() for search in searches]


def after_first_move() -> OthelloBoard:
    """Return the only position after one move."""
    start = OthelloBoard.start(6)
    canonical = {start.play(move).canonical() for move in start.moves()}
    assert len(canonical) == 1
    return start.play(start.moves()[0])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table-mb", type=int, default=TABLE_MB)
    options = parser.parse_args(arguments)
    table = HashTable(options.table_mb << 20)
    board = after_first_move()
    started = time.perf_counter()
    found = halves(board, WHITE_LEAD, table)
    seconds = time.perf_counter() - started
    print(f"{cpu_description()}, kernel {kernel_name()}, two threads, {seconds:.1f} s together")
    print_table(
        ["White, after the first move", "proved", "seconds", "million nodes"],
        [
            [half.claim, str(half.is_proved), f"{half.seconds:.1f}", f"{half.nodes / 1e6:.1f}"]
            for half in found
        ],
    )
    if not all(half.is_proved for half in found):
        return 1
    line = best_line(board, WHITE_LEAD, table=table)
    last = boards_of(line, board)[-1]
    discs = last.disc_counts()
    print(f"best play: {OthelloBoard.start(6).moves()[0]}{''.join(line)}, {discs[0]} to {discs[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

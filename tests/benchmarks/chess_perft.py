"""Games of chess counted, against the published counts, and how fast.

Run as `python -m tests.benchmarks.chess_perft [--games-max N] [--json]`.  Every kernel that this
processor runs counts all rows of the suites (chess; Chess960; deep counts of well-known positions)
of up to so many games; a count that is not the published one ends the program.  Rates are millions
of games a second of processor time of one core, moves of the last ply counted and not played.  The
peer is the `chess` package, on the counts that it gets through.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import chess

from engine_ext.chess.board import available_kernels, force_kernel, perft
from engine_ext.chess.fen import START, read_fen
from tests.benchmarks.measure import machine_description, print_table
from tests.engine_ext.chess.perft_suites import CHESS, CHESS960, SuiteRow

PEER_GAMES_MAX = 20_000
"""Of one count of the peer's: a second in all."""

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

DEEP = [
    SuiteRow(START, {6: 119_060_324, 7: 3_195_901_860, 8: 84_998_978_956}),
    SuiteRow(KIWIPETE, {5: 193_690_690, 6: 8_031_647_685}),
    SuiteRow("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {7: 178_633_661, 8: 3_009_794_393}),
    SuiteRow(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        {5: 164_075_551, 6: 6_923_051_137},
    ),
]
"""The Chess Programming Wiki's page of perft results."""

SUITES = {"chess": CHESS, "chess960": CHESS960, "deep": DEEP}


@dataclass(frozen=True)
class Counted:
    """What one counter did with one suite.

    Args:
        counts: that were made, all as published.
        games: of all of them.
        seconds: of processor time.
    """

    counts: int
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        """Millions of games a second; 0: nothing was counted."""
        return self.games / self.seconds / 1e6 if self.games else 0.0


def measure(
    rows: Iterable[SuiteRow], games_max: int, counter: Callable[[str, int], int]
) -> Counted:
    """Count each row; AssertionError names one that is not counted as published."""
    wanted = [
        (row.fen, depth, games)
        for row in rows
        for depth, games in row.games.items()
        if games <= games_max
    ]
    started = time.process_time()
    for fen, depth, games in wanted:
        found = counter(fen, depth)
        assert found == games, f"{fen} depth {depth}: {found}, published {games}"
    seconds = time.process_time() - started
    return Counted(len(wanted), sum(games for _, _, games in wanted), seconds)


def count_by(kernel: str, fen: str, depth: int) -> int:
    """Count by a kernel of ours."""
    force_kernel(kernel)
    return perft(read_fen(fen), depth)


def count_by_peer(fen: str, depth: int) -> int:
    """Count by the `chess` package."""
    return _games(chess.Board(fen, chess960=True), depth)


def _games(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    games = 0
    for move in board.legal_moves:
        board.push(move)
        games += _games(board, depth - 1)
        board.pop()
    return games


def measure_all(games_max: int) -> dict[str, dict[str, Counted]]:
    """Measure all counters on all suites, by their names."""
    ours = {kernel: partial(count_by, kernel) for kernel in available_kernels()}
    found = {
        name: {suite: measure(rows, games_max, counter) for suite, rows in SUITES.items()}
        for name, counter in ours.items()
    }
    force_kernel(available_kernels()[0])
    small = min(games_max, PEER_GAMES_MAX)
    found["chess package"] = {
        suite: measure(rows, small, count_by_peer) for suite, rows in SUITES.items()
    }
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games-max", type=int, default=10**10)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure_all(arguments.games_max)
    if arguments.json:
        table = {
            name: {suite: vars(each) | {"rate": each.rate} for suite, each in suites.items()}
            for name, suites in found.items()
        }
        json.dump(table, sys.stdout)
        return
    print(machine_description())
    print_table(
        ("counter", "suite", "counts", "games", "millions/s"),
        [
            (name, suite, str(each.counts), f"{each.games:,}", f"{each.rate:,.2f}")
            for name, suites in found.items()
            for suite, each in suites.items()
        ],
    )


if __name__ == "__main__":
    main()

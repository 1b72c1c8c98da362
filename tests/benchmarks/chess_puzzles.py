"""Positions with a known best move: how many the fast search finds, beside Stockfish.

Run as `python -m tests.benchmarks.chess_puzzles [--suite wac|bratko-kopec] [--seconds S |
--nodes N] [--peer PATH | --no-peer] [--peer-nodes N,N] [--first N] [--json]`.  The answer counts
that stands when the time is over, not one that was found on the way.  One thread each, a table of
64 MB that is emptied between positions.  The peer, Debian's Stockfish unless another UCI engine is
named, gets so many nodes: the figures that are quoted of it are of 10,000 and 100,000.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import chess
import chess.engine

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import read_fen
from engine_ext.control import RunControl
from tests.benchmarks.measure import machine_description, print_table

DATA = Path(__file__).parents[1] / "engine_ext" / "chess" / "data"

SUITES = {"wac": "wac_1_150.epd", "bratko-kopec": "bratko_kopec.epd"}

TABLE_BYTES = 1 << 26

STOCKFISH = "/usr/games/stockfish"


@dataclass(frozen=True)
class Puzzle:
    """A position, the moves that solve it, and those that do not.

    Args:
        name: in its suite.
        fen: of the position.
        best: moves in UCI's words, one of which is to be found; empty: any but `avoided`.
        avoided: moves that must not be chosen.
    """

    name: str
    fen: str
    best: frozenset[str]
    avoided: frozenset[str]

    def is_solved_by(self, move: str) -> bool:
        """Tell whether a move solves it."""
        return (move in self.best or not self.best) and move not in self.avoided


@dataclass(frozen=True)
class Limit:
    """When to stop thinking: after seconds, or after nodes."""

    seconds: float = 0.0
    nodes: int = 0


def read_suite(name: str) -> list[Puzzle]:
    """Return the puzzles of a suite."""
    puzzles = []
    for line in (DATA / SUITES[name]).read_text().splitlines():
        if not line.strip():
            continue
        board, said = chess.Board.from_epd(line)
        best, avoided = (_moves(said.get(word)) for word in ("bm", "am"))
        puzzles.append(Puzzle(str(said["id"]), board.fen(), best, avoided))
    return puzzles


def _moves(said: object) -> frozenset[str]:
    """Return the moves of an EPD operand, in UCI's words; none if it is missing."""
    moves = said if isinstance(said, list) else []
    return frozenset(move.uci() for move in moves)


def our_move(table: FastTable, limit: Limit, puzzle: Puzzle) -> str:
    """Return what the fast search plays."""
    table.clear()
    control = RunControl()
    board = read_fen(puzzle.fen)
    search = FastSearch(board, table=table, control=control, nodes_max=limit.nodes)
    timer = threading.Timer(limit.seconds, control.stop)
    if limit.seconds:
        timer.start()
    while search.deepen():
        pass
    timer.cancel()
    return search.lines[0][1][0]


def peer_move(engine: chess.engine.SimpleEngine, limit: Limit, puzzle: Puzzle) -> str:
    """Return what a UCI engine plays."""
    asked = chess.engine.Limit(time=limit.seconds or None, nodes=limit.nodes or None)
    played = engine.play(chess.Board(puzzle.fen), asked, game=object())
    return played.move.uci() if played.move else ""


@dataclass(frozen=True)
class Solved:
    """How many puzzles a program solved, the names of the others, and seconds in all."""

    solved: int
    of: int
    failed: list[str]
    seconds: float


def solve(puzzles: list[Puzzle], choose: Callable[[Puzzle], str]) -> Solved:
    """Have a program choose a move in each."""
    started = time.perf_counter()
    failed = [each.name for each in puzzles if not each.is_solved_by(choose(each))]
    seconds = time.perf_counter() - started
    return Solved(len(puzzles) - len(failed), len(puzzles), failed, seconds)


def solve_all(
    puzzles: list[Puzzle], limit: Limit, peer: str | None, peer_nodes: list[int]
) -> dict[str, Solved]:
    """Return what each program solves, by its name and its limit."""
    table = FastTable(TABLE_BYTES)
    said = f"{limit.nodes:,} nodes" if limit.nodes else f"{limit.seconds:g} s"
    found = {f"manyply, {said}": solve(puzzles, partial(our_move, table, limit))}
    if peer is None:
        return found
    with chess.engine.SimpleEngine.popen_uci(peer) as engine:
        engine.configure({"Hash": TABLE_BYTES >> 20, "Threads": 1})
        for nodes in peer_nodes:
            choose = partial(peer_move, engine, Limit(nodes=nodes))
            found[f"{engine.id['name']}, {nodes:,} nodes"] = solve(puzzles, choose)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--suite", choices=SUITES, default="wac")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--first", type=int, default=None)
    parser.add_argument("--peer", default=shutil.which("stockfish") or STOCKFISH)
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--peer-nodes", default="10000,100000")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    limit = Limit(nodes=asked.nodes) if asked.nodes else Limit(seconds=asked.seconds)
    peer = None if asked.no_peer or not Path(asked.peer).exists() else asked.peer
    puzzles = read_suite(asked.suite)[: asked.first]
    found = solve_all(puzzles, limit, peer, [int(each) for each in asked.peer_nodes.split(",")])
    if asked.json:
        json.dump({name: vars(each) for name, each in found.items()}, sys.stdout)
        return
    print(machine_description())
    print_table(
        ("program", "solved", "of", "seconds", "not solved"),
        [
            (name, str(each.solved), str(each.of), f"{each.seconds:.1f}", " ".join(each.failed))
            for name, each in found.items()
        ],
    )


if __name__ == "__main__":
    main()

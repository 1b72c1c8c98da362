"""What dividing the root's moves between two UCI engines is worth: nodes to a depth, in halves.

Run as `python -m tests.benchmarks.uci_root_split [NAME...] [--depth N] [--engine SPEC]`. A program
that speaks UCI searches each position of the Bratko-Kopec test with all moves, then twice with
`searchmoves`, each time forgetting what it knew. The moves are ranked by a search eight plies less
deep that tells a value of each, and divided in three ways. The ratio is of the nodes with all moves
to those of the larger part: what two equally fast machines could gain at most.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from statistics import geometric_mean, mean

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.fen import write_fen
from engine_ext.chess.probes.probe_text import ProbeValue
from engine_ext.chess.uci_engine.engine_lines import EngineReport
from engine_ext.chess.uci_engine.engine_process import EngineProcess
from engine_ext.chess.uci_engine.engine_spec import read_spec
from tests.benchmarks.measure import print_table

DEPTH = 14
RANKING_PLIES_LESS = 8
RANKING_DEPTH_MIN = 2
BROTHERS_PLIES_LESS = 3
LAST = "brothers less deep"
SEARCH_S_MAX = 600.0
MOVES_MAX = 256

Moves = tuple[str, ...]
Worth = tuple[int, int]
Pair = tuple[EngineProcess, EngineProcess]

DIVISIONS: dict[str, Callable[[Moves], tuple[Moves, Moves]]] = {
    "every other": lambda moves: (moves[0::2], moves[1::2]),
    "best quarter": lambda moves: (moves[: len(moves) // 4 or 1], moves[len(moves) // 4 or 1 :]),
    "best one": lambda moves: (moves[:1], moves[1:]),
}
"""Of moves in the order of what they are worth: the two parts."""


def report(
    engine: EngineProcess,
    board: ChessBoard,
    depth: int,
    moves: Moves = (),
    lines: int = 1,
    *,
    is_new: bool = True,
) -> EngineReport:
    """Search a position, anew or not, with some of its moves or all; return what was told."""
    if is_new:
        engine.send("ucinewgame")
    engine.send(f"setoption name MultiPV value {lines}")
    engine.settle()
    engine.send(f"position fen {write_fen(board)}")
    engine.send(" ".join([f"go depth {depth}", *(("searchmoves", *moves) if moves else ())]))
    found = EngineReport(sys.maxsize)  # its depth is its limit
    for line in engine.lines(SEARCH_S_MAX):
        if line.startswith("bestmove"):
            return found
        if line.startswith("info"):
            found.hear(line)
    raise AssertionError("an engine's lines end with an error, if not with its move")


def ratios(engines: Pair, board: ChessBoard, depth: int) -> tuple[int, list[float]]:
    """Return the nodes with all moves, and the ratio of each way."""
    engine = engines[0]
    whole, moves = report(engine, board, depth).nodes, ranked_moves(engine, board, depth)
    longest = [
        max(report(engine, board, depth, part).nodes for part in divide(moves))
        for divide in DIVISIONS.values()
    ]
    return whole, [
        whole / nodes for nodes in (*longest, unequal_nodes(engines, board, depth, moves))
    ]


def ranked_moves(engine: EngineProcess, board: ChessBoard, depth: int) -> Moves:
    """Return the moves by what a search of less depth thinks of them."""
    ranking_depth = max(depth - RANKING_PLIES_LESS, RANKING_DEPTH_MIN)
    ranked = report(engine, board, ranking_depth, lines=MOVES_MAX).lines
    return tuple(ranked[place].moves[0] for place in sorted(ranked))


def unequal_nodes(engines: Pair, board: ChessBoard, depth: int, moves: Moves) -> int:
    """Return the nodes until both have searched brothers less deep, those that seem better too."""
    done = [0, 0]  # by each engine: its clock

    def search(who: int, to_depth: int, some: Moves) -> tuple[Worth, str]:
        is_new = done[who] == 0
        found = report(engines[who], board, to_depth, some, is_new=is_new)
        done[who] += found.nodes
        line = found.lines[1]
        assert line.value is not None, "Stockfish tells a value with each line"
        return worth(line.value), line.moves[0]

    less = max(depth - BROTHERS_PLIES_LESS, 1)
    best, _ = search(0, depth, moves[:1])
    brothers = moves[1:]
    while brothers:
        seen, move = search(int(done[1] < done[0]), less, brothers)
        if seen <= best:
            break
        best = max(best, search(int(done[1] < done[0]), depth, (move,))[0])
        brothers = tuple(each for each in brothers if each != move)
    return max(done)


def worth(value: ProbeValue) -> Worth:
    """Return what compares as values do: nearer mates are worth more."""
    if not value.is_mate:
        return 0, value.number
    return (1, -value.number) if value.number > 0 else (-1, -value.number)


def main(words: Sequence[str]) -> None:
    """Print a row for each position, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(bratko_kopec()))
    parser.add_argument("--depth", type=int, default=DEPTH)
    parser.add_argument("--engine", default="stockfish,Hash=64", metavar="COMMAND[,OPTION=VALUE]")
    args = parser.parse_args(words)
    rows, found = [], []
    spec = read_spec(args.engine)
    with closing(EngineProcess(spec)) as engine, closing(EngineProcess(spec)) as other:
        for name in args.names:
            nodes, each = ratios((engine, other), bratko_kopec()[name].board, args.depth)
            found.append(each)
            rows.append([name, f"{nodes:,}", *(f"{ratio:.2f}" for ratio in each)])
    means = [f"{mean(c):.2f} ({geometric_mean(c):.2f} geometric)" for c in zip(*found, strict=True)]
    print_table(["position", "nodes", *DIVISIONS, LAST], [*rows, ["mean", "", *means]])


if __name__ == "__main__":
    main(sys.argv[1:])

"""`manyply simulate chess`: speed-up tables of parallel searches, in virtual time."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, best_line
from engine_ext.chess.parts.shared_table import TABLE_BYTES_MAX
from engine_ext.search.table import KeyedTable
from master.cli.arguments import CountType, reads
from master.cli.chess.arguments import to_chess_board
from master.cli.jobs.progress import ProgressDisplay
from master.cli.simulating.options import SimulateOptions, simulate_options
from master.cli.simulating.report import Published
from master.cli.simulating.runs import simulate_all
from master.games.chess import speedup
from master.games.chess.speedup import Searched
from master.reports.svg_plot import Curve
from protocol.guards.number_ranges import WholeRange

NODE_NS = 1000.0
"""Of a node of a reproducible search."""

HOT_NODES = 512
"""So long a part is left alone (tests/benchmarks/hot_spots)."""

DEFAULT_NAMES = ("BK2", "BK4")

DEFAULT_NODES = 1_000_000

BENCHMARK = "hypercube"
"""The even-numbered positions, two searches each: the benchmark of source 2's speed-ups."""

NODES_MAX = 10**10
"""Hours of one core."""

Positions = tuple[tuple[str, ChessBoard], ...]


def read_positions(text: str) -> Positions:
    """Return the positions of names, BK2,BK4, of `hypercube`, or of one FEN; ValueError else."""
    suite = bratko_kopec()
    if text.lower() == BENCHMARK:
        return tuple((name, suite[name].board) for name in suite if int(name[2:]) % 2 == 0)
    names = [name.strip().upper() for name in text.split(",")]
    if all(name in suite for name in names):
        return tuple((name, suite[name].board) for name in dict.fromkeys(names))
    if names[0].startswith("BK"):
        wrong = next(name for name in names if name not in suite)
        raise ValueError(f"there is no {wrong}: expected names such as {','.join(DEFAULT_NAMES)}")
    board = to_chess_board((text,))
    if not board.move_count:
        raise ValueError("expected a position in which somebody can move")
    return (("position", board),)


@click.command("chess", short_help="Chess positions searched by up to hundreds of processors.")
@click.option(
    "--positions", default=",".join(DEFAULT_NAMES), show_default=True,
    metavar=f"NAMES|{BENCHMARK}|FEN", callback=reads(read_positions),
    help="Of the Bratko-Kopec test, BK1 to BK24; the even-numbered ones, as the hypercube searched "
    "them; or one position.",
)  # fmt: skip
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), default=DEFAULT_NODES, show_default=True, metavar="N",
    help="Each is searched as deep as one processor gets within so many nodes.",
)  # fmt: skip
@click.option(
    "--searches", type=WholeRange(1, 2), metavar="N",
    help="2: and again after the best move and the reply.  "
    f"[default: 1, but 2 for {BENCHMARK}]",
)  # fmt: skip
@click.option(
    "--full-width",
    is_flag=True,
    help="All moves are searched to the same depth, as programs of the hypercube's time did; ours "
    "are selective.",
)
@simulate_options(NODE_NS, HOT_NODES)
def simulate_chess(
    positions: Positions,
    nodes: int,
    searches: int | None,
    full_width: bool,
    options: SimulateOptions,
) -> None:
    """Search chess positions by fleets of every size, in virtual time, and print the speed-ups.

    The shipped scheduler hands out real, reproducible searches. Time is counted in nodes: every run
    prints the same. Value and first best move are compared with the sequential search's.
    """
    is_benchmark = [name for name, _ in positions] == [
        name for name in bratko_kopec() if int(name[2:]) % 2 == 0
    ]
    times = searches or (2 if is_benchmark else 1)
    searched = []
    with ProgressDisplay() as progress:
        for name, board in positions:
            progress.draw_line(f"{name}: how deep one processor gets")
            found, line = deepest(board, nodes, full_width)
            searched.append((name, found))
            if times == 2 and len(line) >= 2 and (after := _played(board, line)).move_count:
                searched.append((f"{name}'", deepest(after, nodes, full_width)[0]))
    simulate_all(speedup, searched, options, HYPERCUBE)


def deepest(
    board: ChessBoard, nodes: int, is_full_width: bool = False
) -> tuple[Searched, tuple[str, ...]]:
    """Return the depth that one processor finishes within so many nodes, and the best line."""
    table, left, depth = KeyedTable(TABLE_BYTES_MAX), nodes, DEPTH_MIN
    line: tuple[str, ...] = ()
    for each in range(1, DEPTH_MAX + 1):
        asked = Searched(board, each, is_full_width)
        search = ExactSearch(asked.root, each, first_depth=each, before=asked.before, table=table)
        if not search.step(max(left, 1)) and each > DEPTH_MIN:
            break
        search.run()
        left -= search.nodes
        if each >= DEPTH_MIN:
            assert search.value is not None
            depth, line = each, best_line(asked.root, each, search.value, asked.before, table)
    return Searched(board, depth, is_full_width), line


def _played(board: ChessBoard, line: tuple[str, ...]) -> ChessBoard:
    return board.play(line[0]).play(line[1])


# Published results of the hypercube's chess program.  Source 2: 101 of 256 processors on the same
# benchmark, and an estimate of 170 of 512.

SPEEDUPS = {256: 101.0, 512: 170.0}


def _cells(strategy: str, processors: int) -> tuple[str, ...]:
    return (f"{SPEEDUPS[processors]:.0f}" if processors in SPEEDUPS else "",)


def _curves(strategies: Sequence[str]) -> list[Curve]:
    return [Curve("hypercube", list(SPEEDUPS.items()), is_dashed=True)]


HYPERCUBE = Published(
    "chess", lambda strategy: ("hypercube",), _cells, _curves,
    (
        "The hypercube's speed-ups are of another program on another machine: 12 positions of the "
        "Bratko-Kopec test, two searches each; that of 512 is an estimate.",
    ),
)  # fmt: skip

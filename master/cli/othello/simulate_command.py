"""`manyply simulate`: speed-up tables of parallel searches, in virtual time.

Knows options; the simulating is master.search's, the layout simulate_report's.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import ffo_suite
from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.cli.arguments import CountType, json_option, reads
from master.cli.drawings import drawing_option, write_drawing
from master.cli.jobs.progress import ProgressDisplay
from master.cli.othello.simulate_report import (
    SimulationReport,
    echo_report,
    echo_report_json,
    speedup_svg,
    timeline_svg,
)
from master.games.othello.speedup import (
    Reference,
    Simulation,
    SpeedupRow,
    ablations,
    baseline,
    check,
    simulate,
    solve_by_one,
    sum_up,
)
from master.search.limits import NEWS_S, Costs
from master.search.strategies import STRATEGIES, Strategy

PROCESSORS_MAX = 1024
"""Each has 5 MB of tables."""

EMPTIES_MAX = 30
"""What has more empty squares takes an hour and more."""

POLL_NODES = 1024
"""The solver looks up so often."""

BEGIN_NODES = 4096
"""So long a part is left alone; with a quarter of that 256 analysers take a third longer."""

DEFAULT_NAMES = ("FFO26", "FFO28", "FFO36", "FFO41")
"""From 20 to 22 empty squares: enough nodes for a table, few enough for a minute."""

Positions = tuple[tuple[str, OthelloBoard], ...]


def read_processors(text: str) -> tuple[int, ...]:
    """Return ascending counts, written 1,2,4 and `...` where doubling goes on; ValueError else."""
    words = [word.strip() for word in text.split(",")]
    counts: list[int] = []
    for word, following in pairwise([*words, ""]):
        if word == "..." and counts and following.isdecimal():
            while counts[-1] * 2 < int(following):
                counts.append(counts[-1] * 2)
        elif word.isdecimal() and 1 <= int(word[:5]) <= PROCESSORS_MAX:
            counts.append(int(word))
        else:
            raise ValueError(f"expected counts of 1 to {PROCESSORS_MAX}, such as 1,2,4,...,64")
    if counts != sorted(set(counts)):
        raise ValueError(f"{text!r} does not ascend")
    return tuple(counts)


def read_positions(text: str) -> Positions:
    """Return the boards of names, FFO41,FFO43, or one board of 64 characters and its side."""
    names, suite = [name.strip().upper() for name in text.split(",")], ffo_suite()
    if all(name in suite for name in names):
        return tuple((name, _checked(name, suite[name].board)) for name in dict.fromkeys(names))
    if not any(name.startswith("FFO") for name in names):
        return (("board", _checked("the board", OthelloBoard.from_text(text))),)
    wrong = next(name for name in names if name not in suite)
    raise ValueError(f"there is no {wrong}: expected names such as {','.join(DEFAULT_NAMES)}")


def _checked(name: str, board: OthelloBoard) -> OthelloBoard:
    """Return a board; ValueError, by its name, if it takes no search or too long a one."""
    if board.is_over:
        raise ValueError(f"{name} cannot be played on")
    if board.empties > EMPTIES_MAX:
        raise ValueError(
            f"{name} has {board.empties} empty squares: expected {EMPTIES_MAX} at most"
        )
    return board


class _Cost(click.FloatRange):
    """A number in a range; not a number is in none."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number that a text is."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be simulated."""

    positions: Positions
    processors: tuple[int, ...]
    strategies: tuple[Strategy, ...]
    costs: Costs


@click.command("othello", short_help="Endgames solved by up to hundreds of processors.")
@click.option(
    "--processors", default="1,4,16,64", show_default=True, callback=reads(read_processors),
    metavar="LIST", help="Fleets, such as 1,2,4,...,256.",
)  # fmt: skip
@click.option(
    "--strategy", "names", multiple=True, type=click.Choice(list(STRATEGIES)),
    help="Which to compare; manyply if not given. May be given several times.",
)  # fmt: skip
@click.option(
    "--ablate", is_flag=False, flag_value="", metavar="[WHICH]",
    help="Also without each of its means, or those whose names hold WHICH, such as replication.",
)  # fmt: skip
@click.option(
    "--positions", default=",".join(DEFAULT_NAMES), show_default=True, metavar="NAMES|BOARD",
    callback=reads(read_positions),
    help=f"FFO endgames of up to {EMPTIES_MAX} empty squares, or one board and its side to move.",
)  # fmt: skip
@click.option("--latency-us", type=_Cost(0, 1e6), default=100.0, show_default=True,
              help="A message from end to end.")  # fmt: skip
@click.option("--message-us", type=_Cost(0.001, 1e6), default=20.0, show_default=True,
              help="The master's time for a message.")  # fmt: skip
@click.option("--entry-us", type=_Cost(0, 1e6), default=0.2, show_default=True,
              help="The master's time for a table entry.")  # fmt: skip
@click.option("--node-ns", type=_Cost(1, 1e6), default=40.0, show_default=True,
              help="A processor's time for a node; source 5's was 69000.")  # fmt: skip
@click.option("--rank-max", type=CountType(0, SPECULATION_MAX), metavar="N",
              help="Hand out no part in vain with a chance of over N/1000.")  # fmt: skip
@drawing_option("--svg-speedup", "Draw the speed-ups.")
@drawing_option("--svg-timeline", "Draw who searches when: largest fleet, last position.")
@json_option
def simulate_othello(
    processors: tuple[int, ...], names: tuple[str, ...], ablate: str | None, positions: Positions,
    latency_us: float, message_us: float, entry_us: float, node_ns: float, rank_max: int | None,
    svg_speedup: Path | None, svg_timeline: Path | None, is_json: bool,
) -> None:  # fmt: skip
    """Solve Othello endgames by fleets of every size, in virtual time, and print the speed-ups.

    The shipped scheduler hands out real searches. Time is counted in nodes: every run prints the
    same. Value and first best move are compared with the sequential search's.
    """
    nodes_per_us = 1000 / node_ns
    costs = Costs(
        latency=latency_us * nodes_per_us,
        message=message_us * nodes_per_us,
        entry=entry_us * nodes_per_us,
        entry_out=entry_us * nodes_per_us,
        poll=POLL_NODES,
        begin=BEGIN_NODES,
        news=NEWS_S * 1e6 * nodes_per_us,
    )
    work = _Work(positions, processors, chosen(names, ablate, rank_max), costs)
    report, last = _simulated(work, node_ns)
    if is_json:
        echo_report_json(report)
    else:
        echo_report(report)
    if svg_speedup is not None:
        write_drawing(svg_speedup, speedup_svg(report))
    if svg_timeline is not None:
        title = f"{positions[-1][0]}, {processors[-1]} processors, {work.strategies[0].name}"
        end = last.run.time
        write_drawing(svg_timeline, timeline_svg(report, title, last.run.busy, end, processors[-1]))


def chosen(names: Sequence[str], ablate: str | None, rank_max: int | None) -> tuple[Strategy, ...]:
    """Return the strategies named, each with those of its ablations whose names hold a text.

    Raises:
        click.BadParameter: no ablation's does.
    """
    found = [STRATEGIES[name] for name in dict.fromkeys(names or ("manyply",))]
    if rank_max is not None:
        found = [replace(strategy, rank_max=rank_max) for strategy in found]
    if ablate is None:
        return tuple(found)
    with_variants = []
    for strategy in found:
        itself, *variants = ablations(strategy)
        with_variants.append(itself)
        with_variants += [
            replace(variant, name=f"{strategy.name}, {variant.name}")
            for variant in variants
            if ablate in variant.name
        ]
    if len(with_variants) == len(found):
        known = ", ".join(f"'{each.name}'" for each in ablations(found[0])[1:])
        raise click.BadParameter(f"{ablate!r} is in none of {known}", param_hint="'--ablate'")
    return tuple(with_variants)


def _simulated(work: _Work, node_ns: float) -> tuple[SimulationReport, Simulation]:
    """Simulate everything; also return the first strategy's last and largest simulation."""
    with ProgressDisplay() as progress:
        watch = _Watch(progress, time.perf_counter())
        references = []
        for name, board in work.positions:
            watch.show(f"{name} by one processor")
            references.append(solve_by_one(board))
        rows, last = [], None
        by_one = None
        for strategy in work.strategies:
            for count in work.processors:
                row, simulation = _row(work, strategy, count, references, watch)
                rows.append(row)
                if strategy is work.strategies[0]:
                    last = simulation
                    by_one = row if count == 1 else by_one
        if by_one is None:
            by_one, _ = _row(work, work.strategies[0], 1, references, watch)
    assert last is not None
    nodes = sum(each.nodes for each in references)
    names = [name for name, _ in work.positions]
    return SimulationReport(names, nodes, baseline(references, by_one), rows, node_ns), last


def _row(
    work: _Work, strategy: Strategy, count: int, references: Sequence[Reference], watch: _Watch
) -> tuple[SpeedupRow, Simulation]:
    simulations = []
    for (name, board), reference in zip(work.positions, references, strict=True):
        watch.show(f"{name} by {count}, {strategy.name}")
        simulations.append(simulate(board, count, strategy, work.costs))
        check(board, reference, simulations[-1].run)
    return sum_up(strategy.name, count, simulations), simulations[-1]


@dataclass(frozen=True, slots=True)
class _Watch:
    """Shows what is being simulated, on standard error."""

    progress: ProgressDisplay
    started: float

    def show(self, doing: str) -> None:
        self.progress.draw_line(f"{time.perf_counter() - self.started:.0f} s: {doing}")

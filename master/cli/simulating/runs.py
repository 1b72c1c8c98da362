"""Runs and records the requested simulations with a progress display, and shows the results.

Each game supplies its own searches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from master.cli.drawings import refusal_of, write_drawing
from master.cli.jobs.progress import ProgressDisplay
from master.cli.simulating.options import SimulateOptions
from master.cli.simulating.report import (
    Published,
    SimulationReport,
    echo_report,
    echo_report_json,
    speedup_svg,
    timeline_svg,
)
from master.laboratory.laboratory import LogTurn, Run
from master.laboratory.speedup import Reference, Simulation, SpeedupRow, baseline, sum_up
from master.search.events import SearchCommand, SearchEvent
from master.search.limits import Costs
from master.search.strategies import Strategy
from master.timeline.reading import SearchLogHead, first_line, turn_line


class SearchRecording:
    """A file that is being written; used as a context manager."""

    def __init__(self, path: Path, head: SearchLogHead) -> None:
        """Begin the file anew; CommandError: it cannot be written."""
        self._path = path
        try:
            self._file = path.open("w", encoding="ascii")
            self._file.write(first_line(head) + "\n")
        except OSError as error:
            raise refusal_of(path, error) from error

    def turn(
        self, now: float, events: Sequence[SearchEvent], commands: Sequence[SearchCommand]
    ) -> None:
        """Add a turn of the scheduler; CommandError: the disk is full."""
        line = turn_line(now, events, commands)
        if line is None:
            return
        try:
            self._file.write(line + "\n")
        except OSError as error:
            raise refusal_of(self._path, error) from error

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        try:
            self._file.close()
        except OSError as failed:
            if error is None:
                raise refusal_of(self._path, failed) from failed


Board = TypeVar("Board")
Board_contra = TypeVar("Board_contra", contravariant=True)


class SimulatedGame(Protocol[Board_contra]):
    """How one game's positions are searched."""

    def solve_by_one(self, board: Board_contra) -> Reference:
        """Return the result of one processor, and its cost."""

    def simulate(
        self, board: Board_contra, processors: int, strategy: Strategy, costs: Costs, workers: int,
        log: LogTurn | None = None,
    ) -> Simulation:  # fmt: skip
        """Search by a fleet of a size, with so many workers for each analyser.

        `log` is called with each turn of the scheduler.
        """

    def check(self, board: Board_contra, reference: Reference, run: Run) -> None:
        """Compare answers.  Raises UnansweredError."""


@dataclass(frozen=True, slots=True)
class _Work(Generic[Board]):
    """The requested simulations."""

    game: SimulatedGame[Board]
    positions: Sequence[tuple[str, Board]]
    options: SimulateOptions


def simulate_all(
    game: SimulatedGame[Board],
    positions: Sequence[tuple[str, Board]],
    options: SimulateOptions,
    published: Published,
) -> None:
    """Run the requested simulations, and print or draw their results."""
    report, last = _simulated(_Work(game, positions, options))
    if options.is_json:
        echo_report_json(report)
    else:
        echo_report(report, published)
    if options.svg_speedup is not None:
        write_drawing(options.svg_speedup, speedup_svg(report, published))
    if options.svg_timeline is not None:
        count = options.processors[-1]
        title = _title(positions[-1][0], count, options.strategies[0])
        drawing = timeline_svg(report, title, last.run.busy, last.run.time, count)
        write_drawing(options.svg_timeline, drawing)


def _simulated(work: _Work[Board]) -> tuple[SimulationReport, Simulation]:
    """Simulate everything; also return the first strategy's last and largest simulation."""
    with ProgressDisplay() as progress:
        watch = _Watch(progress, time.perf_counter())
        references = []
        for name, board in work.positions:
            watch.show(f"{name} by one processor")
            references.append(work.game.solve_by_one(board))
        rows, last = [], None
        by_one = None
        for strategy in work.options.strategies:
            for count in work.options.processors:
                row, simulation = _row(work, strategy, count, references, watch)
                rows.append(row)
                if strategy is work.options.strategies[0]:
                    last = simulation
                    by_one = row if count == 1 else by_one
        if by_one is None:
            by_one, _ = _row(work, work.options.strategies[0], 1, references, watch)
    assert last is not None
    base = baseline(references, by_one)
    nodes = sum(each.nodes for each in references)
    names = [name for name, _ in work.positions]
    options = work.options
    return SimulationReport(names, nodes, base, rows, options.node_ns, options.workers), last


def _row(
    work: _Work[Board],
    strategy: Strategy,
    count: int,
    references: Sequence[Reference],
    watch: _Watch,
) -> tuple[SpeedupRow, Simulation]:  # fmt: skip
    simulations = []
    for (name, board), reference in zip(work.positions, references, strict=True):
        watch.show(f"{name} by {count}, {strategy.name}")
        options = work.options
        with _recording(work, strategy, count, name) as log:
            simulations.append(
                work.game.simulate(board, count, strategy, options.costs, options.workers, log)
            )
        work.game.check(board, reference, simulations[-1].run)
    return sum_up(strategy.name, count, simulations), simulations[-1]


@contextmanager
def _recording(
    work: _Work[Board], strategy: Strategy, count: int, name: str
) -> Iterator[LogTurn | None]:
    """Yield a log for a simulation that is to be recorded; None: it is not."""
    options = work.options
    last = options.strategies[0], options.processors[-1], work.positions[-1][0]
    if options.record is None or (strategy, count, name) != last:
        yield None
        return
    title = _title(name, count, strategy)
    head = SearchLogHead(title, options.workers, options.node_ns)
    with SearchRecording(options.record, head) as recording:
        yield recording.turn


def _title(name: str, count: int, strategy: Strategy) -> str:
    return f"{name}, {count} processors, {strategy.name}"


@dataclass(frozen=True, slots=True)
class _Watch:
    """Shows the progress of the simulation, on standard error."""

    progress: ProgressDisplay
    started: float

    def show(self, doing: str) -> None:
        self.progress.draw_line(f"{time.perf_counter() - self.started:.0f} s: {doing}")

"""Output of `manyply simulate`: tables with published numbers beside ours, JSON, plots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from master.cli.output import echo, echo_json, echo_table
from master.cli.terminal import terminal_width
from master.laboratory.speedup import SpeedupRow
from master.reports.svg_plot import Axes, Curve, speedup_plot, timeline_plot
from master.reports.tables import paragraph


@dataclass(frozen=True, slots=True)
class Published:
    """Published measurements, to show beside ours.

    Args:
        title: names the searched positions.
        headings: of its columns, by the strategy that they are beside.
        cells: of these columns, by the strategy and the processors; as many as headings.
        curves: speed-ups over processors, by the names of our strategies.
        legend: describes the columns.
    """

    title: str
    headings: Callable[[str], tuple[str, ...]]
    cells: Callable[[str, int], tuple[str, ...]]
    curves: Callable[[Sequence[str]], list[Curve]]
    legend: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """All that is shown.

    Args:
        positions: names of the searched positions.
        nodes: nodes that one processor searches without a scheduler.
        base: time that speed-ups are against, in nodes.
        rows: one a fleet and strategy.
        node_ns: time of a node.
        workers: of each analyser.
    """

    positions: Sequence[str]
    nodes: int
    base: float
    rows: Sequence[SpeedupRow]
    node_ns: float
    workers: int = 1

    def seconds(self, nodes: float) -> float:
        """Return the time that so many nodes take."""
        return nodes * self.node_ns * 1e-9

    def speedup(self, row: SpeedupRow) -> float:
        """Return how many times as fast as one processor a fleet is."""
        return self.base / row.time


def echo_report(report: SimulationReport, published: Published) -> None:
    """Print the tables."""
    for name in dict.fromkeys(row.strategy for row in report.rows):
        rows = [row for row in report.rows if row.strategy == name]
        _echo_strategy(report, rows, published)
    _echo_legend(report, published)


def _echo_strategy(
    report: SimulationReport, rows: Sequence[SpeedupRow], published: Published
) -> None:
    theirs = published.headings(rows[0].strategy)
    headings = (
        "processors", "computing s", "overhead s", "total s", "speed-up", *theirs,
        "nodes searched", "busy", "master busy", "parts", "cancelled", "messages", "entries",
    )  # fmt: skip
    cells = [_cells(report, row, published) for row in rows]
    echo_table(f"Strategy: {rows[0].strategy}", headings, cells, groups=(4, len(theirs), 3, 4))
    echo("")


def _cells(report: SimulationReport, row: SpeedupRow, published: Published) -> tuple[str, ...]:
    useful, total = report.seconds(row.useful), report.seconds(row.time)
    return (
        str(row.processors), f"{useful:.4g}", f"{max(total - useful, 0.0):.3g}", f"{total:.4g}",
        f"{report.speedup(row):.1f}", *published.cells(row.strategy, row.processors),
        f"{row.nodes / report.nodes:.2f}", f"{row.useful / row.time:.0%}",
        f"{row.master / row.time:.0%}", f"{row.handed_out:,}", f"{row.shot:,}",
        f"{row.messages:,}", f"{row.entries:,}",
    )  # fmt: skip


def _echo_legend(report: SimulationReport, published: Published) -> None:
    paragraphs = (
        (
            "Computing: mean time that a processor searches. Overhead: the rest of the total. In "
            f"simulated seconds; a node takes {report.node_ns:g} ns.",
        ),
        (
            f"Positions: {', '.join(report.positions)}; {report.nodes:,} nodes for one processor.",
            f"Speed-ups are relative to {report.seconds(report.base):.4g} s: the better of a "
            "sequential search and this scheduler with one processor, for the value and the first "
            "best move.",
            "Nodes searched: relative to the sequential search. Busy: share of the time in which "
            "processors, or the master, work. Entries: table entries sent to other analysers.",
        ),
        ()
        if report.workers == 1
        else (
            f"Up to {report.workers} processors are workers of one analyser and share its table.",
        ),
        published.legend,
    )
    for lines in paragraphs:
        for line in paragraph(lines, terminal_width()):
            echo(line)


def echo_report_json(report: SimulationReport) -> None:
    """Print one object."""
    echo_json({
        "positions": list(report.positions), "sequential_nodes": report.nodes,
        "baseline_s": report.seconds(report.base), "node_ns": report.node_ns,
        "workers": report.workers,
        "rows": [_json_row(report, row) for row in report.rows],
    })  # fmt: skip


def _json_row(report: SimulationReport, row: SpeedupRow) -> dict[str, object]:
    useful, total = report.seconds(row.useful), report.seconds(row.time)
    kept = asdict(row)
    for name in ("time", "master"):
        del kept[name]
    return kept | {
        "useful_s": useful, "overhead_s": max(total - useful, 0.0), "total_s": total,
        "speedup": report.speedup(row), "search_overhead": row.nodes / report.nodes,
        "busy": row.useful / row.time, "master_busy": row.master / row.time,
    }  # fmt: skip


def speedup_svg(report: SimulationReport, published: Published) -> str:
    """Draw speed-ups over processors, published ones dashed."""
    names = list(dict.fromkeys(row.strategy for row in report.rows))
    curves = [
        Curve(name, [(r.processors, report.speedup(r)) for r in report.rows if r.strategy == name])
        for name in names
    ]
    title = f"{published.title} ({', '.join(report.positions)})"
    axes = Axes(title[:70], "processors", "speed-up")
    return speedup_plot(axes, [*curves, *published.curves(names)])


def timeline_svg(
    report: SimulationReport,
    title: str,
    steps: Sequence[tuple[float, int]],
    end: float,
    processors: int,
) -> str:
    """Draw how many processors search, over time."""
    scale = report.node_ns * 1e-6
    drawn = [(time * scale, float(count)) for time, count in steps]
    axes = Axes(title, "milliseconds", "processors that search")
    return timeline_plot(axes, drawn, end * scale, float(processors))

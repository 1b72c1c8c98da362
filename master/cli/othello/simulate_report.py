"""What `manyply simulate` prints: source 5's table with its numbers beside ours, JSON, plots.

Knows figures and layout.  Must not know how they were measured.  Source 5: Othello by MTD(f) on a
cluster of 64 processors, one node 69 us; its columns are (1) average useful time of a
processor, (2) average parallel overhead of a processor, (3) total running time, in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from master.cli.output import echo, echo_json, echo_table
from master.cli.terminal import terminal_width
from master.games.othello.speedup import SpeedupRow
from master.reports.svg_plot import Axes, Curve, speedup_plot, timeline_plot
from master.reports.tables import paragraph

SEQUENTIAL_S = 3776

PUBLISHED = {
    "par": {
        1: (3839, 0, 3839), 2: (1925, 2, 1927), 4: (1624, 4, 1626), 8: (1204, 12, 1216),
        16: (853, 13, 866), 24: (675, 18, 693), 32: (542, 20, 562), 48: (528, 24, 552),
        64: (442, 29, 471),
    },
    "par_rmi": {
        1: (3791, 0, 3791), 2: (2135, 2, 2137), 4: (1104, 5, 1109), 8: (730, 10, 740),
        16: (432, 15, 447), 24: (382, 28, 410), 32: (334, 36, 370), 48: (273, 66, 339),
        64: (236, 73, 309),
    },
    "par_tuple": {
        1: (4255, 0, 4255), 2: (2326, 5, 2331), 4: (1227, 6, 1233), 8: (704, 10, 715),
        16: (418, 20, 438), 24: (346, 22, 368), 32: (301, 30, 331), 48: (236, 34, 271),
        64: (189, 47, 231),
    },
}  # fmt: skip
"""(1), (2), (3) by strategy and processors: the table of source 5's chapter on speed-ups."""

BEST_PUBLISHED = "par_tuple"


@dataclass(frozen=True, slots=True)
class SimulationReport:
    """All that is shown.

    Args:
        positions: names of what was searched.
        nodes: what one processor needs for it without a scheduler.
        base: time that speed-ups are against, in nodes.
        rows: one a fleet and strategy.
        node_ns: what a node costs.
    """

    positions: Sequence[str]
    nodes: int
    base: float
    rows: Sequence[SpeedupRow]
    node_ns: float

    def seconds(self, nodes: float) -> float:
        """Return how long so many nodes take."""
        return nodes * self.node_ns * 1e-9

    def speedup(self, row: SpeedupRow) -> float:
        """Return how many times as fast as one processor a fleet is."""
        return self.base / row.time


def published_for(strategy: str) -> str:
    """Return which of source 5's programs a strategy is compared with."""
    return strategy if strategy in PUBLISHED else BEST_PUBLISHED


def echo_report(report: SimulationReport) -> None:
    """Print the tables."""
    for name in dict.fromkeys(row.strategy for row in report.rows):
        _echo_strategy(report, [row for row in report.rows if row.strategy == name])
    _echo_legend(report)


def _echo_strategy(report: SimulationReport, rows: Sequence[SpeedupRow]) -> None:
    published = published_for(rows[0].strategy)
    headings = (
        "processors", "(1) s", "(2) s", "(3) s", "speed-up", f"{published} (1)", "(2)", "(3)",
        "speed-up", "search overhead", "busy", "master", "parts", "shot", "messages", "entries",
    )  # fmt: skip
    echo_table(
        rows[0].strategy,
        headings,
        [_cells(report, row, published) for row in rows],
        groups=(4, 4, 3, 4),
    )
    echo("")


def _cells(report: SimulationReport, row: SpeedupRow, published: str) -> tuple[str, ...]:
    useful, total = report.seconds(row.useful), report.seconds(row.time)
    theirs = PUBLISHED[published].get(row.processors)
    shown = [""] * 4
    if theirs is not None:
        shown = [*map(str, theirs), f"{SEQUENTIAL_S / theirs[2]:.1f}"]
    return (
        str(row.processors), f"{useful:.4g}", f"{max(total - useful, 0.0):.3g}", f"{total:.4g}",
        f"{report.speedup(row):.1f}", *shown, f"{row.nodes / report.nodes:.2f}",
        f"{row.useful / row.time:.0%}", f"{row.master / row.time:.0%}", f"{row.handed_out:,}",
        f"{row.shot:,}", f"{row.messages:,}", f"{row.entries:,}",
    )  # fmt: skip


def _echo_legend(report: SimulationReport) -> None:
    paragraphs = (
        (
            "(1) useful time of a processor, (2) its parallel overhead, (3) total: simulated "
            f"seconds, a node {report.node_ns:g} ns.",
        ),
        (
            f"Positions: {', '.join(report.positions)}: {report.nodes:,} nodes for one processor; "
            f"speed-ups are against {report.seconds(report.base):.4g} s,",
            "the better of the sequential solver and the same scheduler with one processor, each "
            "for the score",
            "and the first best move. Search overhead: nodes against the sequential solver's.",
        ),
        (
            f"Source 5's columns: seconds on its cluster, against {SEQUENTIAL_S} s of its "
            "sequential program; another search of another tree.",
        ),
    )
    for lines in paragraphs:
        for line in paragraph(lines, terminal_width()):
            echo(line)


def echo_report_json(report: SimulationReport) -> None:
    """Print one object."""
    echo_json({
        "positions": list(report.positions), "sequential_nodes": report.nodes,
        "baseline_s": report.seconds(report.base), "node_ns": report.node_ns,
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


def speedup_svg(report: SimulationReport) -> str:
    """Draw speed-ups over processors, source 5's best ones dashed."""
    names = dict.fromkeys(row.strategy for row in report.rows)
    curves = [
        Curve(name, [(r.processors, report.speedup(r)) for r in report.rows if r.strategy == name])
        for name in names
    ]
    for name in dict.fromkeys(published_for(name) for name in names):
        points = [(p, SEQUENTIAL_S / total) for p, (_, _, total) in PUBLISHED[name].items()]
        curves.append(Curve(f"source 5, {name}", points, is_dashed=True))
    title = f"Othello endgames ({', '.join(report.positions)})"
    return speedup_plot(Axes(title[:70], "processors", "speed-up"), curves)


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

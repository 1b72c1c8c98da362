"""How a job looks while it runs: a live display on a terminal, plain lines elsewhere.

Knows updates and a console; decides nothing.  Everything goes to standard error, so that
standard output holds the result alone.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

import click
from rich.console import Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from master.cli.output import console
from master.cli.rollout_report import rollout_lines, round_count
from master.views import AnalyserLine, JobView, Update

PLAIN_INTERVAL_S = 10.0
"""Lines in a log file: often enough to see life, seldom enough to read."""

FIRST_PLAIN_S = 1.0
SHOWN_ALTERNATIVES_MAX = 12
SHOWN_ANALYSERS_MAX = 16
"""What fits a terminal of ordinary height."""


class Progress:
    """Shows updates of one job; a context manager."""

    def __init__(self, *, is_quiet: bool = False) -> None:
        """Prepare; nothing but notices is shown if `is_quiet` and there is no terminal."""
        self._console = console(is_error=True)
        self._is_quiet = is_quiet
        self._live: Live | None = None
        self._next_plain = time.monotonic() + FIRST_PLAIN_S
        if self._console.is_terminal:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)

    def __enter__(self) -> Self:
        """Take the terminal's last lines."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give the terminal back, cleared."""
        if self._live is not None:
            self._live.stop()

    def show(self, update: Update) -> None:
        """Show how the job stands, and what went wrong since the last update."""
        for notice in update.notices:
            self.say(f"{notice.kind.value}: {notice.text}")
        if self._live is not None:
            self._live.update(_display(update), refresh=True)
        elif not self._is_quiet and not update.is_final and time.monotonic() >= self._next_plain:
            self._next_plain = time.monotonic() + PLAIN_INTERVAL_S
            click.echo(progress_line(update.job), err=True)

    def say(self, text: str) -> None:
        """Print one line for people, above the live display."""
        if self._live is not None:
            self._console.print(Text(f"manyply: {text}"))
        else:
            click.echo(f"manyply: {text}", err=True)


def progress_line(view: JobView) -> str:
    """Return one line: trials, rate, time left, best equity."""
    parts = [f"job {view.job}: {round_count(view)}{_goal(view)} trials"]
    parts.append(f"{view.trials_per_s:.0f}/s")
    if view.eta_s is not None:
        parts.append(f"{duration(view.eta_s)} left")
    if view.alternatives:
        best = max(range(len(view.alternatives)), key=lambda i: view.alternatives[i].diff_to_best)
        alternative = view.alternatives[best]
        parts.append(
            f"{view.alternative_names[best]} {alternative.means[-1]:+.4f}"
            f" [{alternative.std_errors[-1] or 0:.4f}]"
        )
    return ", ".join(parts)


def _goal(view: JobView) -> str:
    return "" if view.trials is None else f"/{view.trials}"


def duration(seconds: float) -> str:
    """Return a time as people say it: 42 s, 3 min 20 s, 5 h 12 min."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _display(update: Update) -> Group:
    view = update.job
    head = Table.grid(padding=(0, 1))
    total = (view.trials or 0) * len(view.alternative_names)
    bar = ProgressBar(total=max(total, 1), completed=min(view.folded, max(total, 1)), width=30)
    head.add_row(bar, Text(progress_line(view)))
    lines = rollout_lines(view)[: 1 + 2 * SHOWN_ALTERNATIVES_MAX] if view.alternatives else []
    return Group(head, *map(_one_line, lines), _analysers(update.analysers))


def _one_line(line: str) -> Text:
    return Text(line, no_wrap=True, overflow="crop")


def _analysers(lines: tuple[AnalyserLine, ...]) -> Table:
    table = Table.grid(padding=(0, 2))
    for line in lines[:SHOWN_ANALYSERS_MAX]:
        table.add_row(
            Text(line.name), Text(line.address, style="dim"),
            Text(line.state, style="green" if line.state == "ready" else "yellow"),
            Text(f"{line.workers} workers, {line.parts} parts, {line.trials} trials"),
            Text(line.text or f"{line.trials_per_s:.0f}/s"),
        )  # fmt: skip
    if len(lines) > SHOWN_ANALYSERS_MAX:
        table.add_row(Text(f"and {len(lines) - SHOWN_ANALYSERS_MAX} more analysers"))
    return table

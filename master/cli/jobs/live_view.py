"""The live display's lines: a head, a line for each alternative, a line for each analyser.

Pure functions of an update and the terminal's size. No line is wider than the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from master.cli.jobs.estimate import advance, largest_std_error, trials_needed
from master.contract.views import AnalyserLine, JobView, Update
from master.games.table import front_of
from master.reports.job_table import round_count
from master.reports.tables import fitting, shortened
from master.reports.texts import counted

NAME_WIDTH_MAX = 32
"""Longer names of analysers are cut."""

BAR_WIDTH_MAX = 30
BAR_WIDTH_MIN = 5
"""A shorter bar shows less than the numbers beside it: it is left out."""

ADVANCE_WIDTH = 48
"""The most columns that the words beside the bar need."""

ERROR_WIDTH = 22
"""Further columns for the standard error to be reached."""

ANALYSER_LINES_MIN = 3
"""Kept free below the alternatives, however many there are."""

FIXED_LINES = 5
"""Title, bar, headings, an empty line, and the line that the terminal's cursor needs."""


def live_view(update: Update, width: int, height: int) -> list[RenderableType]:
    """Return the display, line by line: at most `height` - 1 of them, as wide as `width`."""
    view = update.job
    room = max(2, height - FIXED_LINES)
    analyser_room = min(len(update.analysers), max(ANALYSER_LINES_MIN, room // 3))
    alternatives = _cut(_alternatives(update, width), room - analyser_room + 1, "alternatives")
    analysers = _cut(_analysers(update.analysers, width), room - len(alternatives) + 1, "analysers")
    title = _line(f"Job {view.job}  {view.label}", width, "bold")
    lines: list[RenderableType] = [title, _bar(view, width), *alternatives]
    return [*lines, Text(""), *analysers] if analysers else lines


def _line(text: str, width: int, style: str = "") -> Text:
    return Text(shortened(text, width), style=style, no_wrap=True, overflow="crop")


def _cut(lines: list[Text], count_max: int, what: str) -> list[Text]:
    """Return the lines for which there is room; the last one counts the others."""
    if len(lines) <= count_max:
        return lines
    kept = lines[: max(0, count_max - 1)]
    return [*kept, Text(f"... and {len(lines) - len(kept)} more {what}", style="dim", no_wrap=True)]


def _bar(view: JobView, width: int) -> RenderableType:
    """Return the bar and how far the job is, on one line."""
    needed = trials_needed(view) or 0.0
    share = min(1.0, round_count(view) / needed) if needed else 0.0
    words_width, suffix = ADVANCE_WIDTH, ""
    error = largest_std_error(view)
    if view.stop_se is not None and error is not None:
        words_width += ERROR_WIDTH
        suffix = f", error {error:.4f} of {view.stop_se:g}"
    words = advance(view, is_short=width < words_width) + suffix
    bar_width = min(BAR_WIDTH_MAX, width - words_width)
    if bar_width < BAR_WIDTH_MIN:
        return _line(words, width)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=bar_width)
    grid.add_column(no_wrap=True, overflow="crop")
    grid.add_row(ProgressBar(total=1.0, completed=share, width=bar_width), Text(words))
    return grid


def _alternatives(update: Update, width: int) -> list[Text]:
    """Return headings and a line for each alternative, best first, in the game's words."""
    view = update.job
    if not view.alternatives:
        is_served = any(line.state == "ready" for line in update.analysers)
        awaited = "the first trial of every alternative" if is_served else "an analyser to be ready"
        return [_line(f"waiting for {awaited}", width, "dim")]
    heading, *rows = front_of(view.game).job_words().rows(view, width)
    best, *others = rows
    return [
        _line(heading, width, "dim"), _line(best, width, "bold"),
        *(_line(row, width) for row in others),
    ]  # fmt: skip


def _analysers(lines: Sequence[AnalyserLine], width: int) -> list[Text]:
    """Return a line for each analyser: name, state, and its work or the reason for none."""
    name_width = min(NAME_WIDTH_MAX, width // 4, max((len(x.name) for x in lines), default=0))
    return [_analyser(line, name_width, width) for line in lines]


def _analyser(line: AnalyserLine, name_width: int, width: int) -> Text:
    text = Text(no_wrap=True, overflow="crop")
    text.append(f"{line.name[:name_width]:{name_width}}  ")
    text.append(f"{line.state:11} ", style="green" if line.state == "ready" else "yellow")
    room = width - len(text)
    if line.workers:
        rate = f"{line.trials_per_s:.0f}/s"
        counts = (f"{rate:>9}", f"{line.trials:>9} trials", f"{line.parts:>4} parts")
        where = (f"  {counted(line.workers, 'worker')}", f"  {line.address}")
        shown = fitting((*counts, *where), room)
        text.append("".join(shown[:3]))
        text.append("".join(shown[3:]), style="dim")
    else:
        text.append(shortened(line.text, room))
    text.truncate(width)
    return text

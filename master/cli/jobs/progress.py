"""The progress display of a job or a search: live on a terminal, plain lines elsewhere.

Everything goes to standard error, so that standard output holds only the result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from master.cli.jobs.estimate import progress_line
from master.cli.jobs.live_view import live_view
from master.cli.output import echo_error, echo_notice
from master.cli.terminal import is_terminal
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.contract.views import JobView, Notice, Update
from master.games.job_words import SearchWords
from master.games.table import front_of
from master.reports.tables import fitting, shortened
from master.reports.texts import counted

NAME_WIDTH_MAX = 32
"""Longer names of analysers are cut."""

HOT_SPOTS_SHARE = 2
"""Hot spots get one line in two below the head, the analysers the others."""


def status_line(view: SearchView, words: SearchWords) -> str:
    """Return the progress of a search in one line, for a log."""
    rate = sum(line.nodes_per_s for line in view.searchers) / 1e6
    count = len(view.searchers)
    fleet = counted(count, "analyser") if count else "no analyser is ready"
    return (
        f"{view.phase}, {words.bracket(view)}{_move(view, words)}: {view.nodes:,} nodes, "
        f"{rate:.1f} M/s, {view.seconds:.0f} s, {fleet}"
    )


def search_view(view: SearchView, words: SearchWords, width: int, height: int) -> list[Text]:
    """Return the display: at most `height` - 1 lines, none wider than `width`."""
    room = max(2, height - 4)
    analyser_count = min(len(view.searchers), max(1, room - room // HOT_SPOTS_SHARE))
    spot_count = max(0, room - analyser_count - 1)
    name_width = max([len(each.name) for each in view.searchers], default=0)
    name_width = min(NAME_WIDTH_MAX, width // 4, name_width)
    lines = [
        _line(f"{view.phase}: {words.bracket(view)}{_move(view, words)}", width, "bold"),
        _line(_sums(view), width),
        *(_analyser(each, name_width, width) for each in view.searchers[:analyser_count]),
    ]
    spots = view.hot_spots[:spot_count]
    if spots:
        lines += [
            _line("", width),
            *(_spot(each, view, words, name_width, width) for each in spots),
        ]
    return lines[: height - 1]


def _sums(view: SearchView) -> str:
    parts = f"{counted(view.parts, 'part')}, {counted(view.shot, 'hot spot')} split"
    return f"{view.nodes:,} nodes, {view.seconds:.0f} s, {parts}"


def _move(view: SearchView, words: SearchWords) -> str:
    """Return the best move, as soon as it is proved."""
    moves = [] if view.move is None else words.moves(view, (view.move,))
    return f", best {moves[0]}" if moves else ""


def _analyser(each: SearcherLine, name_width: int, width: int) -> Text:
    rate = f"{each.nodes_per_s / 1e6:.1f} M/s"
    pieces = (
        f"{each.name[:name_width]:{name_width}}  {rate:>10}", f"  {each.nodes:>15,} nodes",
        f"  {counted(each.parts, 'part'):8}", f"  {counted(each.workers, 'worker')}",
    )  # fmt: skip
    return _line("".join(fitting(pieces, width)), width)


def _spot(each: HotSpot, view: SearchView, words: SearchWords, name_width: int, width: int) -> Text:
    moves = "?" if each.path is None else " ".join(words.moves(view, each.path))
    text = f"{each.name[:name_width]:{name_width}}  {each.age_s * 1e3:>7.0f} ms"
    return _line(f"{text}  {words.depth(view, each.depth)} behind {moves}", width, "dim")


def _line(text: str, width: int, style: str = "") -> Text:
    return Text(shortened(text, width), style=style, no_wrap=True, overflow="crop")


PLAIN_INTERVAL_S = 10.0
"""Lines in a log file: often enough to see life, seldom enough to read."""

FIRST_PLAIN_S = 1.0

ECHO_WIDTH = 2
"""Columns left free: a terminal that echoes ^C must not begin a line that was not counted."""


def error_console() -> Console:
    """Return a console for standard error, a terminal only if that is one: FORCE_COLOR is not."""
    return Console(stderr=True, highlight=False, force_terminal=is_terminal(sys.stderr))


class ProgressDisplay:
    """Shows updates of one job, or of other long work; a context manager."""

    def __init__(self, *, is_quiet: bool = False) -> None:
        """Prepare; nothing but notices is shown if `is_quiet` and there is no terminal."""
        self._console = error_console()
        self._is_quiet = is_quiet
        self._live: Live | None = None
        self._next_plain = time.monotonic() + FIRST_PLAIN_S
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._live = Live(console=self._console, transient=True, auto_refresh=False)

    def __enter__(self) -> Self:
        """Take the terminal's last lines."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *ending: object) -> None:
        """Give the terminal back, cleared."""
        self.leave()

    def leave(self) -> None:
        """Give the terminal back, cleared; nothing is shown from now on but notices."""
        live, self._live = self._live, None
        if live is not None:
            live.stop()

    def show(self, update: Update) -> None:
        """Show the state of the job, and the warnings and incidents since the last update."""
        for notice in update.notices:
            self.show_notice(notice)
        if update.job.search is not None:
            self._show_search(update.job, update.job.search, is_final=update.is_final)
            return
        is_served = any(line.state == "ready" for line in update.analysers)
        waiting = "" if is_served else "; no analyser is ready"
        plain = "" if update.is_final else progress_line(update.job) + waiting
        self.draw(lambda width, height: live_view(update, width, height), plain)

    def _show_search(self, job: JobView, search: SearchView, *, is_final: bool) -> None:
        if is_final or not search.phase:
            return
        words = front_of(job.game).search_words()
        self.draw(
            lambda width, height: search_view(search, words, width, height),
            status_line(search, words),
        )

    def draw(self, view: Callable[[int, int], Sequence[RenderableType]], plain: str) -> None:
        """Show the progress of other work.

        Args:
            view: its lines on a terminal of so many columns and lines.
            plain: the same in one line, for a log; empty: nothing is worth a line.
        """
        if self._live is not None:
            width, height = self._console.size
            self._live.update(Group(*view(width - ECHO_WIDTH, height)), refresh=True)
        elif not self._is_quiet and plain and time.monotonic() >= self._next_plain:
            self._next_plain = time.monotonic() + PLAIN_INTERVAL_S
            echo_error(plain)

    def draw_line(self, line: str) -> None:
        """Show the progress in one line, cut off where the terminal ends."""
        self.draw(lambda width, height: [Text(line[:width])], line)

    def show_notice(self, notice: Notice) -> None:
        """Print a warning or an incident."""
        self.show_text(f"{notice.kind.value}: {notice.text}")

    def show_text(self, text: str) -> None:
        """Print one line for people, above the live display."""
        if self._live is not None:
            self._console.print(Text(f"manyply: {text}"))
        else:
            echo_notice(text)

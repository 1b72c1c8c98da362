"""The display of a running search: a head, the analysers, the hot spots.

Pure functions of a view of the search and the terminal's size.
"""

from __future__ import annotations

from rich.text import Text

from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.games.job_words import SearchWords
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

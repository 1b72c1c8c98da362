"""How a search by a fleet looks while it goes on: a head, the analysers, the hot spots.

Knows standings and the size of a terminal.  Pure: it prints nothing and reads no clock.
"""

from __future__ import annotations

from rich.text import Text

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import DISC
from master.cli.othello.search_watch import value_text
from master.cli.output import counted
from master.games.othello.fleet_search import FleetStanding
from master.reports.tables import fitting, shortened
from master.search.standing import RunningPart, SearcherLine

NAME_WIDTH_MAX = 32
"""Longer names of analysers are cut."""

HOT_SPOTS_SHARE = 2
"""Hot spots get one of so many lines below the head, the analysers the others."""


def standing_line(shown: FleetStanding) -> str:
    """Return how a search stands on one line, for a log."""
    standing = shown.standing
    rate = sum(line.nodes_per_s for line in standing.analysers) / 1e6
    count = len(standing.analysers)
    fleet = counted(count, "analyser") if count else "no analyser is ready"
    return (
        f"{shown.phase}, {bracket(shown)}{_move(shown)}: {shown.nodes:,} nodes, {rate:.1f} M/s, "
        f"{standing.seconds:.0f} s, {fleet}"
    )


def bracket(shown: FleetStanding) -> str:
    """Return what is proved of the value beyond what is true of every board."""
    unit = 1 if shown.is_exact else DISC
    value_max = shown.board.size**2 * unit
    lower, upper = shown.standing.lower, shown.standing.upper
    low = -value_max if lower is None else max(lower, -value_max)
    high = value_max if upper is None else min(upper, value_max)
    low_text = value_text(low / unit, is_exact=shown.is_exact)
    high_text = value_text(high / unit, is_exact=shown.is_exact)
    if low == high:
        return f"value {low_text}"
    if high == value_max:
        return "value unknown" if low == -value_max else f"value at least {low_text}"
    return f"value at most {high_text}" if low == -value_max else f"value {low_text} to {high_text}"


def search_view(shown: FleetStanding, width: int, height: int) -> list[Text]:
    """Return the display: at most `height` - 1 lines, none wider than `width`."""
    standing = shown.standing
    room = max(2, height - 4)
    analyser_count = min(len(standing.analysers), max(1, room - room // HOT_SPOTS_SHARE))
    spot_count = max(0, room - analyser_count - 1)
    name_width = max([len(each.name) for each in standing.analysers], default=0)
    name_width = min(NAME_WIDTH_MAX, width // 4, name_width)
    lines = [
        _line(f"{shown.phase}: {bracket(shown)}{_move(shown)}", width, "bold"),
        _line(_sums(shown), width),
        *(_analyser(each, name_width, width) for each in standing.analysers[:analyser_count]),
    ]
    spots = standing.running[:spot_count]
    if spots:
        lines += [
            _line("", width),
            *(_spot(each, shown, name_width, width) for each in spots),
        ]
    return lines[: height - 1]


def _sums(shown: FleetStanding) -> str:
    standing = shown.standing
    parts = f"{counted(standing.parts, 'part')}, {counted(standing.shot, 'hot spot')} split"
    return f"{shown.nodes:,} nodes, {standing.seconds:.0f} s, {parts}"


def _move(shown: FleetStanding) -> str:
    """Return the best move, as soon as it is proved."""
    moves, index = shown.board.moves(), shown.standing.move
    return f", best {moves[index]}" if index is not None and moves else ""


def _analyser(each: SearcherLine, name_width: int, width: int) -> Text:
    rate = f"{each.nodes_per_s / 1e6:.1f} M/s"
    pieces = (
        f"{each.name[:name_width]:{name_width}}  {rate:>10}", f"  {each.nodes:>15,} nodes",
        f"  {counted(each.parts, 'part'):8}", f"  {counted(each.workers, 'worker')}",
    )  # fmt: skip
    return _line("".join(fitting(pieces, width)), width)


def _spot(each: RunningPart, shown: FleetStanding, name_width: int, width: int) -> Text:
    moves = " ".join(moves_of(shown.board, each.path)) if each.path is not None else "?"
    text = f"{each.name[:name_width]:{name_width}}  {each.age_s * 1e3:>7.0f} ms"
    unit = "empty squares" if shown.is_exact else "moves deep"
    return _line(f"{text}  {each.depth} {unit} behind {moves}", width, "dim")


def moves_of(board: OthelloBoard, path: tuple[int, ...]) -> list[str]:
    """Return the names of moves that their places name, passes left out."""
    names = []
    for index in path:
        moves = board.moves()
        if moves:
            names.append(moves[index])
        board = board.play(moves[index]) if moves else board.passed()
    return names


def _line(text: str, width: int, style: str = "") -> Text:
    return Text(shortened(text, width), style=style, no_wrap=True, overflow="crop")

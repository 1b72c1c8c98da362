"""A game of Threes! at the terminal: board, hints, review, the end, and a watched engine's pace."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from engine_ext.threes.board import card_of
from master.cli.output import echo
from master.cli.terminal import terminal_width
from master.cli.threes.decider import Valued
from master.cli.threes.playing.play_advisor import Judgement
from master.games.spans import Line, Span
from master.games.threes.play_view import SCENE_COLUMNS, ThreesScene, scene_lines
from master.games.threes.record import DIRECTION_OF, ThreesRecord
from master.reports.tables import wrapped
from master.reports.texts import printable

DRAWING_S = 0.05
"""Between two boards: as many as an eye follows, and a terminal draws without an effort."""

KEEPING_S = 5.0
"""Time between two saves of the game; a crash loses no more."""


class Due(NamedTuple):
    """The actions due after a move."""

    is_drawing: bool
    is_keeping: bool


class Pace:
    """Of moves from a first one on.

    Attributes:
        moves: made so far.
        elapsed_s: at the last of them.
    """

    def __init__(self, now_s: float) -> None:
        """Begin."""
        self.moves = 0
        self.elapsed_s = 0.0
        self._began_s = now_s
        self._drawn_s = -math.inf
        self._kept_s = now_s

    @property
    def moves_per_s(self) -> float:
        """How many moves a second were made."""
        return self.moves / self.elapsed_s if self.elapsed_s > 0 else 0.0

    def moved(self, now_s: float) -> Due:
        """Record a move; return the actions due: the first board is drawn at once."""
        self.moves += 1
        self.elapsed_s = now_s - self._began_s
        due = Due(now_s - self._drawn_s >= DRAWING_S, now_s - self._kept_s >= KEEPING_S)
        if due.is_drawing:
            self._drawn_s = now_s
        if due.is_keeping:
            self._kept_s = now_s
        return due


LOSSES_SHOWN = 10

LOSS_MIN = 0.5
"""Less is shown as 0 points."""


def game_lines(record: ThreesRecord, name: str, notes: tuple[str, ...] = ()) -> list[Line]:
    """Draw the game, with notes beside it."""
    game = record.game
    scene = ThreesScene(record.board, game.next_ranks, len(record.moves), printable(name), notes)
    return scene_lines(scene, terminal_width() or SCENE_COLUMNS)


def watched_lines(
    record: ThreesRecord, name: str, pace: Pace, shares: Mapping[str, int]
) -> list[Line]:
    """Draw a game that the engine plays: its speed, and below the board the analysers' shares."""
    notes = (f"speed  {pace.moves_per_s:,.0f} moves/s", f"time   {clock_text(pace.elapsed_s)}")
    lines = game_lines(record, name, notes)
    return (
        [*lines, (Span(shares_text(shares, terminal_width() or SCENE_COLUMNS)),)]
        if shares
        else lines
    )


def clock_text(seconds: float) -> str:
    """Return a time as clocks show it, 1:07, 1:02:03, or if it is short as 7.2 s."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def shares_text(shares: Mapping[str, int], width: int) -> str:
    """Return each analyser's share of the work, the busiest first: `local 60 %  attic 40 %`.

    Those that the width has no room for are counted at the end: `local 60 %  +3`.
    """
    total = max(1, sum(shares.values()))
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{printable(name)} {100 * count / total:.0f} %" for name, count in ranked]
    for shown in range(len(parts), 0, -1):
        others = [f"+{len(parts) - shown}"] if shown < len(parts) else []
        text = "  ".join([*parts[:shown], *others])
        if cell_len(text) <= width:
            return text
    return set_cell_size(parts[0], width) if parts else ""


def result_text(record: ThreesRecord) -> str:
    """Return how the game ended."""
    highest, score = card_of(record.board.highest), record.board.score
    return (
        f"The game is over: {score:,} points, highest card {highest}, {len(record.moves):,} moves."
    )


def result_lines(record: ThreesRecord) -> list[Line]:
    """Return the text about the game's end, below its board."""
    return [(Span(text),) for text in wrapped(result_text(record), terminal_width())]


def show_hints(valued: Valued) -> None:
    """Print the moves, best first, with the final score that each may expect."""
    echo(f"{f'Final score, {valued.plies}-ply':>21} {'Diff':>8}", is_bold=True)
    best = max(valued.values.values())
    for rank, (direction, value) in enumerate(valued.values.items(), 1):
        behind = f"{value - best:,.0f}" if rank > 1 else ""
        echo(f"{rank}. {direction:<6} {value:>11,.0f} {behind:>8}".rstrip())


def show_review(record: ThreesRecord, judged: Mapping[int, Judgement]) -> None:
    """Print the moves that lost most, and all that was lost."""
    if not judged:
        echo("No move to judge.")
        return
    lost = sum(judgement.loss for judgement in judged.values())
    best = sum(judgement.loss < LOSS_MIN for judgement in judged.values())
    moves = "move" if len(judged) == 1 else "moves"
    echo(f"{len(judged):,} {moves} judged, {best:,} of them best: {lost:,.0f} points lost")
    worst = sorted(judged.items(), key=lambda item: (-item[1].loss, item[0]))[:LOSSES_SHOWN]
    if worst[0][1].loss < LOSS_MIN:
        return
    echo(f"{'Move':>6}  {'Played':<6}  {'Best':<6} {'Lost':>8}", is_bold=True)
    for number, judgement in worst:
        if judgement.loss >= LOSS_MIN:
            played = DIRECTION_OF[record.moves[number]]
            echo(f"{number + 1:>6}  {played:<6}  {judgement.best:<6} {judgement.loss:>8,.0f}")

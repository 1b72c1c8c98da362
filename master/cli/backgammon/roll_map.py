"""The temperature map of the next roll: the value of each of the 36 after its best move."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from master.cli.drawings import write_drawing
from master.cli.output import echo, echo_exactly
from master.games.backgammon.position_reports import best_moves, mean_equity, roll_equities
from master.reports.report import Report
from master.reports.svg_plot import Axes, HeatCell, heat_plot
from master.reports.texts import signed

DICE = range(1, 7)
CELL_WIDTH = 8
"""Of an equity with its sign and two blanks, of a triple game by a large cube too."""

SHADES = (160, 173, 187, 252, 152, 74, 26)
"""From the worst roll to the best: colours of the usual 256, red over white to blue; readers with
red-green blindness can tell them apart."""

LIGHT = (187, 252, 152, 173, 74)
"""Of these, those that black is read on."""


def show_map(state: GameState, report: Report) -> None:
    """Print the map: one die down, the other across; on a terminal in colours."""
    equities, mean = roll_equities(report), mean_equity(report)
    echo(f"{to_gnubg_id(state)}  equity after the best move of each roll")
    echo("   " + "".join(f"{die:>{CELL_WIDTH}}" for die in DICE), is_bold=True)
    reach = _reach(equities, mean)
    for first in DICE:
        cells = (_cell(equities[first, second], mean, reach) for second in DICE)
        echo_exactly(click.style(f"{first:>3}", bold=True) + "".join(cells))
    ordered = sorted(DICE_PAIRS, key=lambda roll: equities[roll])
    (worst1, worst2), (best1, best2) = ordered[0], ordered[-1]
    echo(f"Best {best1}-{best2} {signed(equities[best1, best2])}, worst {worst1}-{worst2} "
         f"{signed(equities[worst1, worst2])}, mean of all rolls {signed(mean)}")  # fmt: skip


DICE_PAIRS = [(first, second) for first in DICE for second in range(1, first + 1)]


def _reach(equities: Mapping[tuple[int, int], float], mean: float) -> float:
    """Return how far the farthest roll is from the mean."""
    return max(abs(each - mean) for each in equities.values())


def _cell(equity: float, mean: float, reach: float) -> str:
    shade = SHADES[shade_of(equity, mean, reach)]
    text = f"{signed(equity, 3):>{CELL_WIDTH}}"
    return click.style(text, bg=shade, fg="black" if shade in LIGHT else "bright_white")


def shade_of(equity: float, mean: float, reach: float) -> int:
    """Return the place of a roll's shade: the middle one is the mean's."""
    if reach == 0.0:
        return len(SHADES) // 2
    part = (equity - mean) / reach  # -1 to 1
    return min(len(SHADES) - 1, int((part + 1.0) / 2.0 * len(SHADES)))


def write_map(path: Path, state: GameState, report: Report) -> None:
    """Draw the map to a file.

    Raises:
        CommandError: it cannot be written.
    """
    equities, mean = roll_equities(report), mean_equity(report)
    axes = Axes(f"{to_gnubg_id(state)}: mean of all rolls {signed(mean)}", "one die", "the other")
    moves = best_moves(report)
    rows = [
        [HeatCell(equities[first, second], moves[first, second]) for second in DICE]
        for first in DICE
    ]
    write_drawing(path, heat_plot(axes, [str(die) for die in DICE], rows, mean))

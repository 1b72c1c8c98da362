"""Tables of a position: the cube question at every score, and the value of each next roll."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path

import click

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.control import RunControl
from master.cli.backgammon.rule_options import Rules
from master.cli.drawings import write_drawing
from master.cli.output import echo, echo_exactly
from master.cli.playing.play_terminal import show_count
from master.cli.terminal import terminal_width
from master.games.backgammon.position_reports import (
    best_moves,
    matrix_report,
    mean_equity,
    roll_equities,
    score_of,
)
from master.reports.report import Report
from master.reports.svg_plot import Axes, HeatCell, heat_plot
from master.reports.tables import table_blocks
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
        cells = (_roll_cell(equities[first, second], mean, reach) for second in DICE)
        echo_exactly(click.style(f"{first:>3}", bold=True) + "".join(cells))
    ordered = sorted(DICE_PAIRS, key=lambda roll: equities[roll])
    (worst1, worst2), (best1, best2) = ordered[0], ordered[-1]
    echo(f"Best {best1}-{best2} {signed(equities[best1, best2])}, worst {worst1}-{worst2} "
         f"{signed(equities[worst1, worst2])}, mean of all rolls {signed(mean)}")  # fmt: skip


DICE_PAIRS = [(first, second) for first in DICE for second in range(1, first + 1)]


def _reach(equities: Mapping[tuple[int, int], float], mean: float) -> float:
    """Return how far the farthest roll is from the mean."""
    return max(abs(each - mean) for each in equities.values())


def _roll_cell(equity: float, mean: float, reach: float) -> str:
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


LETTERS = {"no": "N", "take": "T", "pass": "P", "too good": "G"}
"""The letter of each proper action in the table."""

LEGEND = (
    "N no double, T double and take, P double and pass, G too good to double; behind it what a "
    "double gains or loses, in thousandths. - no double is possible, or none gains."
)
CRAWFORD = "1 to go is after the Crawford game, in which nobody doubles."

COLOURS = {"N": "blue", "T": "green", "P": "yellow", "G": "magenta"}
_CELL = re.compile(r"([NTPG])[+-]\d+\*?")

BLOCK_COLUMNS = 4
"""Scores in a row on a terminal too narrow for all of them."""

COUNT_AFTER_S = 1.0
"""Shorter work needs no progress display."""


def matrix_of(
    state: GameState, ply: int, size: int, rules: Rules, control: RunControl, *, is_cubeful: bool
) -> Report:
    """Return the matrix, showing on a terminal how far it is once that takes a while.

    Raises:
        click.UsageError: a rule that no match has.
        ValueError: a cube or match equities that no match has.
    """
    rules = rules.fitting(is_match=True)
    if (rules.jacoby, rules.beavers) != (None, None):
        raise click.UsageError("--jacoby and --beavers are for money play: leave out --matrix")
    began = time.monotonic()

    def show(done: int, total: int) -> None:
        if time.monotonic() - began >= COUNT_AFTER_S:
            show_count("" if done == total else f"score {done} of {total}")

    try:
        return matrix_report(
            state, ply, size, rules.table, is_cubeful=is_cubeful, control=control, on_done=show
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def show_matrix(state: GameState, report: Report) -> None:
    """Print the table, in colours where the terminal has them, and its legend."""
    title, heading, *lines = matrix_lines(state, report, terminal_width())
    echo(title)
    echo(heading, is_bold=True)
    for line in lines:
        echo_exactly(_CELL.sub(_coloured, line))
    echo(LEGEND)
    echo(CRAWFORD)
    if score_of(state) is not None and state.match.crawford:
        echo("The position itself is of the Crawford game.")


def _coloured(found: re.Match[str]) -> str:
    return click.style(found[0], fg=COLOURS[found[1]])


def matrix_lines(state: GameState, report: Report, width: int | None) -> list[str]:
    """Return title and table: the player on roll's points to go down, the opponent's across."""
    entries, size = report["scores"], report["size"]
    assert isinstance(entries, list)
    assert isinstance(size, int)
    own = score_of(state)
    cells = {
        tuple(each["away"]): _cell(each, is_own=own is not None and list(own.away) == each["away"])
        for each in entries
        if not each["crawford"]
    }
    numbers = range(1, size + 1)
    rows = [["to go", *map(str, numbers)]]
    rows += [[str(own), *(cells[own, other] for other in numbers)] for own in numbers]
    title = f"{to_gnubg_id(state)}  {report['ply']}-ply, {report['plays']} plays, by points to go"
    groups = [min(BLOCK_COLUMNS, size - first) for first in range(0, size, BLOCK_COLUMNS)]
    blocks = table_blocks(rows, (0,), width, groups=groups)
    first, *others = blocks
    return [title, *first, *(line for block in others for line in ("", *block))]


def _cell(entry: Report, *, is_own: bool) -> str:
    """Return a letter and a number; a star marks the position's own score."""
    star = "*" if is_own else ""
    gain = entry["gain"]
    assert isinstance(gain, float)
    if not entry["may_double"]:
        return f"-{star}"
    return f"{letter_of(str(entry['action']))}{round(1000 * gain):+d}{star}"


def letter_of(action: str) -> str:
    """Return the letter of a proper action; redoubling has the same as doubling."""
    if action.startswith("too good"):
        return LETTERS["too good"]
    if action.startswith("no "):
        return LETTERS["no"]
    return LETTERS[action.rpartition(", ")[2]]

"""The cube question at every score: its progress, and a table for people."""

from __future__ import annotations

import re
import time

import click

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.control import RunControl
from master.cli.backgammon.rule_options import Rules
from master.cli.output import echo, echo_exactly
from master.cli.playing.play_terminal import show_count
from master.cli.terminal import terminal_width
from master.games.backgammon.score_matrix import matrix_report, score_of
from master.reports.report import Report
from master.reports.tables import table_blocks

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

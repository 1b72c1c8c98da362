"""`manyply eval`, `move` and `cube`: one position, or a batch of them, answered at once.

Knows options and layout; the numbers come from position_reports and the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import IO

import click

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from master.cli.arguments import (
    Dice,
    batch_option,
    json_option,
    plies_option,
    read_dice,
    read_id,
    reads,
)
from master.cli.errors import ExitCode
from master.cli.interruptible import interruptible
from master.cli.output import echo, echo_json, echo_table, signed
from master.cli.position_reports import Report, cube_report, eval_report, move_report


def _answer(
    state: GameState | None,
    batch: IO[str] | None,
    is_json: bool,
    report: Callable[[GameState], Report],
    show: Callable[[GameState, Report], None],
) -> None:
    """Answer one ID, or a batch of them, by a report."""
    if (state is None) == (batch is None):
        raise click.UsageError("give one ID, or --batch FILE")
    if batch is not None:
        _answer_batch(batch, report)
        return
    assert state is not None, "checked above"
    answer = interruptible(partial(report, state))
    if is_json:
        echo_json(answer)
    else:
        show(state, answer)


def _answer_batch(batch: IO[str], report: Callable[[GameState], Report]) -> None:
    """Answer each line by one JSON line; a bad line by {"line", "error"} and exit code 2."""
    is_bad = False
    for number, line in enumerate(batch, start=1):
        if not line.strip():
            continue
        try:
            echo_json(interruptible(partial(report, read_id(line))))
        except (ValueError, click.UsageError) as error:
            is_bad = True
            text = error.message if isinstance(error, click.UsageError) else str(error)
            echo_json({"line": number, "error": text})
    if is_bad:
        raise SystemExit(ExitCode.BAD_INPUT)


@click.command("eval")
@click.argument("state", metavar="[ID]", callback=reads(read_id), required=False)
@plies_option
@batch_option
@json_option
def eval_command(state: GameState | None, ply: int, batch: IO[str] | None, is_json: bool) -> None:
    """Evaluate a position whose player on roll is about to roll."""
    _answer(state, batch, is_json, lambda one: eval_report(one, ply), _show_eval)


def _show_eval(state: GameState, report: Report) -> None:
    echo(f"{to_gnubg_id(state)}  {report['ply']}-ply, player on roll")
    _echo_probs([("", report["probs"], report["equity_cubeless"], report["equity_cubeful"])], "")


def _echo_probs(rows: list[tuple[str, object, object, object]], first_heading: str) -> None:
    headings = (
        first_heading,
        "Win",
        "W g",
        "W bg",
        "-",
        "Lose",
        "L g",
        "L bg",
        "Cubeless",
        "Cubeful",
    )
    cells = [
        (name, *_prob_cells(probs), signed(_number(cubeless)), signed(_number(cubeful)))
        for name, probs, cubeless, cubeful in rows
    ]
    echo_table("", headings, cells)


def _prob_cells(probs: object) -> list[str]:
    assert isinstance(probs, dict)
    win, win_g, win_bg, lose_g, lose_bg = (f"{100 * p:.2f}%" for p in probs.values())
    return [win, win_g, win_bg, "-", f"{100 * (1 - probs['win']):.2f}%", lose_g, lose_bg]


def _number(value: object) -> float:
    assert isinstance(value, float)
    return value


@click.command("move")
@click.argument("state", metavar="[ID]", callback=reads(read_id), required=False)
@click.option(
    "--dice",
    callback=reads(read_dice),
    metavar="DICE",
    help="The roll, e.g. 31; else the ID's own.",
)
@plies_option
@batch_option
@json_option
def move_command(
    state: GameState | None, dice: Dice | None, ply: int, batch: IO[str] | None, is_json: bool
) -> None:
    """Rank every legal move of a roll, best first."""

    def report(one: GameState) -> Report:
        roll = dice or one.match.dice
        if roll is None:
            raise click.UsageError("no roll: give --dice 31, or an ID with dice on the board")
        return move_report(one, roll, ply)

    _answer(state, batch, is_json, report, _show_moves)


def _show_moves(state: GameState, report: Report) -> None:
    moves = report["moves"]
    assert isinstance(moves, list)
    echo(f"{to_gnubg_id(state)}  {_counted(len(moves), 'legal move')}")
    best = moves[0]["equity_cubeful"]
    headings = (
        "",
        "Move",
        "Equity",
        "Diff",
        "Ply",
        "Win",
        "W g",
        "W bg",
        "-",
        "Lose",
        "L g",
        "L bg",
    )
    rows = [
        (
            f"{move['rank']}.", move["move"], signed(move["equity_cubeful"]),
            "" if move is moves[0] else signed(move["equity_cubeful"] - best),
            str(move["ply"]), *_prob_cells(move["probs"]),
        )
        for move in moves
    ]  # fmt: skip
    echo_table("", headings, rows, left=2)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


@click.command("cube")
@click.argument("state", metavar="[ID]", callback=reads(read_id), required=False)
@plies_option
@batch_option
@json_option
def cube_command(state: GameState | None, ply: int, batch: IO[str] | None, is_json: bool) -> None:
    """Answer the cube question before the roll: no double, double/take, double/pass."""
    _answer(state, batch, is_json, lambda one: cube_report(one, ply), _show_cube)


def _show_cube(state: GameState, report: Report) -> None:
    names = {"no_double": "No double", "double_take": "Double, take", "double_pass": "Double, pass"}
    equities = {key: _number(report[key]) for key in names}
    best = max(equities["no_double"], min(equities["double_take"], equities["double_pass"]))
    rows = [
        (name, signed(equities[key]), "" if equities[key] == best else signed(equities[key] - best))
        for key, name in names.items()
    ]
    echo_table(f"{to_gnubg_id(state)}  {report['ply']}-ply", ("", "Equity", "Diff"), rows)
    echo(f"Proper cube action: {report['action']}")

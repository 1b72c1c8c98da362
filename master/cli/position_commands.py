"""`manyply eval`, `move`, `cube`, `perft`: one position, answered at once.

Knows options and layout; the numbers come from position_reports and the engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO

import click

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id, to_gnubg_id
from engine_ext.backgammon.match_state import GameState, IdError
from engine_ext.backgammon.movegen import perft
from master.cli.arguments import (
    Dice,
    batch_option,
    json_option,
    plies_option,
    read_dice,
    read_id,
    reads,
)
from master.cli.output import echo_json, echo_table, signed
from master.cli.position_reports import Report, cube_report, eval_report, move_report

PERFT_DEPTH_MAX = 5
"""Depth 4 is about 10^11 positions; more would not end in a lifetime."""


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
    elif state is not None and is_json:
        echo_json(report(state))
    elif state is not None:
        show(state, report(state))


def _answer_batch(batch: IO[str], report: Callable[[GameState], Report]) -> None:
    """Answer each line by one JSON line; a bad line by {"line", "error"} and exit code 2."""
    is_bad = False
    for number, line in enumerate(batch, start=1):
        if not line.strip():
            continue
        try:
            echo_json(report(parse_id(line.strip())))
        except (IdError, click.UsageError) as error:
            is_bad = True
            text = error.message if isinstance(error, click.UsageError) else str(error)
            echo_json({"line": number, "error": text})
    if is_bad:
        raise SystemExit(2)


@click.command("eval")
@click.argument("state", metavar="[ID]", callback=reads(read_id), required=False)
@plies_option
@batch_option
@json_option
def eval_command(state: GameState | None, ply: int, batch: IO[str] | None, is_json: bool) -> None:
    """Evaluate a position whose player on roll is about to roll."""
    _answer(state, batch, is_json, lambda one: eval_report(one, ply), _show_eval)


def _show_eval(state: GameState, report: Report) -> None:
    click.echo(f"{to_gnubg_id(state)}  {report['ply']}-ply, player on roll")
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
    click.echo(f"{to_gnubg_id(state)}  {len(moves)} legal moves")
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
    click.echo(f"Proper cube action: {report['action']}")


def _position(text: str) -> Position:
    try:
        return read_id(text).position
    except IdError as error:
        raise click.UsageError(str(error)) from error


@click.group("perft")
def perft_command() -> None:
    """Count positions, to compare a move generator with others."""


@perft_command.command("backgammon")
@click.argument("arguments", metavar="[ID] DEPTH", nargs=-1)
@json_option
def perft_backgammon(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the distinct positions DEPTH rolls ahead, summed over the 21 rolls.

    Without an ID, from the start position: depth 1 is 447, depth 2 is 202,782.
    """
    if len(arguments) not in (1, 2) or not arguments[-1].isdecimal():
        raise click.UsageError("expected [ID] DEPTH, such as `manyply perft backgammon 2`")
    depth = int(arguments[-1])
    if not 0 <= depth <= PERFT_DEPTH_MAX:
        raise click.UsageError(f"DEPTH is 0 to {PERFT_DEPTH_MAX}, not {depth}")
    position = START if len(arguments) == 1 else _position(arguments[0])
    started = time.perf_counter()
    count = perft(position, depth)
    seconds = time.perf_counter() - started
    if is_json:
        echo_json({"position_id": position.position_id, "depth": depth, "positions": count,
                   "seconds": seconds})  # fmt: skip
    else:
        click.echo(f"{position.position_id} depth {depth}: {count:,} positions, {seconds:.2f} s")

"""`manyply show`: draws the position of an ID, or prints how a job stands.

Knows how an ID is told from a job's number; what is printed is others' business.
"""

from __future__ import annotations

import re
from dataclasses import asdict

import click

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import GameState
from master.cli.arguments import json_option, read_id, reads
from master.cli.backgammon.position_board import show_board
from master.cli.jobs.job_commands import JOB_NUMBER, master_option, show_job
from master.cli.output import echo, echo_json
from master.reports.values import Report


def read_job_or_id(text: str) -> int | GameState:
    """Return a job's number, which is digits alone, or what an ID says; ValueError otherwise."""
    if re.fullmatch(r"[-+]?\d+", text.strip()):
        number: int = JOB_NUMBER(text)
        return number
    try:
        return read_id(text)
    except ValueError as error:
        raise ValueError(f"{error}; expected a job's number or an ID") from error


@click.command("show")
@click.argument("asked", metavar="[JOB|ID]", callback=reads(read_job_or_id), required=False)
@master_option
@json_option
def show_command(asked: int | GameState | None, master: str | None, is_json: bool) -> None:
    """Draw the position of an ID, or print how a job stands, the newest one by default.

    Digits alone are a job's number.  With --json a job is the object of `rollout --json`.
    """
    if not isinstance(asked, GameState):
        show_job(asked, master, is_json=is_json)
        return
    if master is not None:
        raise click.UsageError("a position is drawn here: leave out --master")
    if is_json:
        echo_json(_position_report(asked))
        return
    echo(to_gnubg_id(asked))
    show_board(asked)


def _position_report(state: GameState) -> Report:
    """Return a position and its match, both seen by the player on roll."""
    pips = state.position.pip_counts()
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "pip_counts": list(pips),
        "match": asdict(state.match),
    }

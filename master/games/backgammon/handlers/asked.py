"""The web page's questions about a position: its equity, one roll's moves, all rolls', the cube."""

from __future__ import annotations

import asyncio

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.match_state import GameState
from engine_ext.control import RunControl
from master.contract.questions import AskQuestions
from master.games.backgammon.cube_asking import decide_cube_over
from master.games.backgammon.moves import ALL_ROLLS, rank_moves_over, rank_rolls_over
from master.games.backgammon.position_reports import (
    decision_report,
    eval_report,
    ranked_report,
    rolls_report,
    why_over,
)
from master.games.backgammon.typed import Dice, read_dice
from master.games.errors import AskedError
from master.games.handlers import Action, Field, Kind, Settings
from master.reports.report import Report

PLY = Field("plies", "Look-ahead", Kind.COUNT, 2, 0, PLY_MAX)
"""In gnubg's count, as everywhere; the default is gnubg's default for advice."""

DICE = Field("dice", "", Kind.TEXT)
"""The roll; empty: that of the position."""


def roll_of(state: GameState, settings: Settings) -> Dice | None:
    """Return the roll that is named, or that of the position; AskedError: there is none."""
    text = settings["dice"]
    if not text:
        return state.match.dice
    try:
        return read_dice(text)
    except ValueError as error:
        raise AskedError(str(error)) from None


async def evaluate(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply eval --json`, computed here: that is faster than a question."""
    control = RunControl()
    try:
        return await asyncio.to_thread(eval_report, state, settings["plies"], control=control)
    finally:
        control.stop()  # without effect unless the wait was cancelled


async def rank(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply move --json`."""
    dice = roll_of(state, settings)
    if dice is None:
        raise AskedError("no roll: put dice on the board, or name them")
    return ranked_report(dice, await rank_moves_over(ask, state, dice, settings["plies"]))


async def rank_each(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply move --all-rolls --json`."""
    ranked = await rank_rolls_over(ask, state, ALL_ROLLS, settings["plies"])
    return rolls_report(ALL_ROLLS, ranked)


async def decide(ask: AskQuestions, state: GameState, settings: Settings) -> Report:
    """Return the object of `manyply cube --json`."""
    return decision_report(await decide_cube_over(ask, state, settings["plies"]))


QUESTIONS = (
    Action("evaluate", "Evaluate", (PLY,), evaluate),
    Action("moves", "Moves", (PLY, DICE), rank, refusal=why_over),
    Action("rolls", "Each roll", (PLY,), rank_each, refusal=why_over),
    Action("cube", "Cube", (PLY,), decide, refusal=why_over),
)

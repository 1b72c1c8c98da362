"""The rollouts that the web page starts: their settings, and the job made of them."""

from __future__ import annotations

from dataclasses import replace

from engine_ext.backgammon.context import PLY_MAX, SEED_DEFAULT, SEED_MAX, TRUNCATION_PLY_MAX
from engine_ext.backgammon.match_state import GameState
from master.contract.views import JobRequest
from master.games.backgammon.handlers.asked import DICE, roll_of
from master.games.backgammon.position_reports import why_over
from master.games.backgammon.rollout_request import (
    CANDIDATES_DEFAULT,
    SETTLED_DEFAULT,
    TRIALS_DEFAULT,
    RolloutOptions,
    rollout_job,
    to_context,
)
from master.games.errors import AskedError
from master.games.handlers import Action, Field, Kind, Settings

TRIALS_MAX = 10_000_000
"""The same limit as of `manyply rollout`."""

MOVES_MAX = 40
"""Moves named in a request: as many as fit into a context with their names."""

MOVES, CUBE, POSITION = "moves", "cube", "position"

FIELDS = (
    Field("of", "Compare", Kind.OPTION, options=(MOVES, CUBE, POSITION),
          hint="as usual"),
    Field("moves", "", Kind.TEXTS, (), most=MOVES_MAX),
    DICE,
    Field("candidates", "Best moves", Kind.COUNT, CANDIDATES_DEFAULT, 1, MOVES_MAX),
    Field("plies", "Look-ahead", Kind.COUNT, 0, 0, PLY_MAX),
    Field("trials", "Games of each", Kind.COUNT, TRIALS_DEFAULT, 1, TRIALS_MAX),
    Field("stop_settled", "Until settled by so many standard errors", Kind.NUMBER, None, 0.01, 100,
          hint=f"{SETTLED_DEFAULT:g}"),
    Field("stop_se", "Until the standard error is", Kind.NUMBER, None, 1e-6, 10,
          hint="0.005"),
    Field("truncate", "Evaluate after so many turns", Kind.COUNT, 0, 0, TRUNCATION_PLY_MAX),
    Field("seed", "Seed", Kind.COUNT, SEED_DEFAULT, 0, SEED_MAX),
)  # fmt: skip


def begin(state: GameState, settings: Settings) -> JobRequest:
    """Return the job of a rollout; AskedError: the settings are invalid."""
    dice, moves, of = roll_of(state, settings), settings["moves"], settings["of"]
    if of is None:
        of = MOVES if dice is not None or moves else POSITION
    is_of_moves = of == MOVES
    options = RolloutOptions(
        dice=dice if is_of_moves else None,
        moves=moves if is_of_moves else (),
        is_cube=of == CUBE,
        candidates=settings["candidates"],
        seed=settings["seed"],
        ply=settings["plies"],
        truncation_ply=settings["truncate"],
    )
    context = to_context(state if is_of_moves else before_roll(state), options)
    if settings["stop_settled"] is not None and len(context.alternatives) < 2:
        raise AskedError("there is one alternative: nothing can be settled")
    return rollout_job(
        state, context, settings["trials"], settings["stop_se"], settings["stop_settled"]
    )


def before_roll(state: GameState) -> GameState:
    """Return a state whose dice are not rolled yet."""
    return replace(state, match=replace(state.match, dice=None))


ROLLOUT = Action("rollout", "Roll out", FIELDS, job=begin, refusal=why_over)

"""From a user's options to the context of a rollout: which alternatives a question has.

Knows options and their defaults; the engine ranks moves and writes the context.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.alternatives import (
    cube_alternatives,
    move_alternatives,
    roll_alternatives,
    rollout_context,
)
from engine_ext.backgammon.context import (
    ALTERNATIVES_MAX,
    POSITION_ITSELF,
    Alternative,
    RolloutContext,
)
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.notation import MoveError
from engine_ext.services import ContextError
from master.cli.arguments import Dice
from master.cli.errors import CommandError

TRIALS_DEFAULT = 1296
"""36 * 36: every pair of first rolls once, as gnubg's default."""

TRIALS_CAP = 46_656
"""36 ** 3: where a rollout that has only a standard error to meet ends at the latest."""

TRIALS_MAX = 10_000_000
"""Above this a rollout's noise is far below the evaluation's bias."""

CANDIDATES_DEFAULT = 5
"""Moves of a roll that are rolled out: the best play is seldom further down the list."""

SEED_DEFAULT = 1
"""A fixed seed, so that two people who ask the same question get the same bits."""


@dataclass(frozen=True)
class RolloutOptions:
    """What the command line says about a rollout.

    Args:
        dice: Roll out this roll's moves; None: not asked for.
        moves: Moves to compare, as typed.
        is_cube: Compare no double with double/take.
        candidates: How many of a roll's moves at most; 0 means every legal move.
        seed, ply, cubeful, variance_reduction, truncation_ply: see RolloutContext.
    """

    dice: Dice | None = None
    moves: tuple[str, ...] = ()
    is_cube: bool = False
    candidates: int = CANDIDATES_DEFAULT
    seed: int = SEED_DEFAULT
    ply: int = 0
    cubeful: bool = True
    variance_reduction: bool = True
    truncation_ply: int = 0


def to_context(state: GameState, options: RolloutOptions) -> RolloutContext:
    """Return the context that answers a question.

    Raises:
        CommandError: a move that is not legal, a question that contradicts itself.
    """
    if state.position.result:
        raise CommandError("the game is over in this position: nothing can be rolled out")
    try:
        dice, alternatives = _alternatives(state, options)
        return rollout_context(
            state,
            alternatives,
            dice,
            seed=options.seed,
            ply=options.ply,
            cube_ply=options.ply,
            cubeful=options.cubeful,
            variance_reduction=options.variance_reduction,
            truncation_ply=options.truncation_ply,
        )
    except (ContextError, MoveError) as error:
        raise CommandError(str(error)) from error


def _alternatives(
    state: GameState, options: RolloutOptions
) -> tuple[Dice | None, tuple[Alternative, ...]]:
    """Return the roll, if the question is about one, and the alternatives."""
    if options.is_cube:
        if options.moves or options.dice:
            raise CommandError("--cube asks before the roll: give no --dice or --move with it")
        if not options.cubeful:
            raise CommandError("--cube needs the cube: leave out --cubeless")
        return None, cube_alternatives(state)
    dice = options.dice or state.match.dice
    if options.moves:
        return dice, move_alternatives(state, dice, options.moves)
    if dice is None:
        return None, (POSITION_ITSELF,)
    return dice, roll_alternatives(state, dice, options.candidates or ALTERNATIVES_MAX)

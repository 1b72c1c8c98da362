"""Converts a user's options to the context of a rollout, with its alternatives, and to the job.

Options have the names of the command's options, and defaults; the engine ranks moves and writes the
context.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

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
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.limits import SEED_DEFAULT
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import MetError
from engine_ext.backgammon.notation import MoveError
from engine_ext.contexts import ContextError
from master.contract.goals import Goal
from master.contract.views import JobRequest
from master.games.backgammon.rollout_defaults import CANDIDATES_DEFAULT, TRIALS_CAP, TRIALS_DEFAULT
from master.games.backgammon.typed import Dice
from master.games.errors import AskedError


@dataclass(frozen=True)
class RolloutOptions:
    """A user's options for a rollout.

    Args:
        dice: Roll out this roll's moves; None: no roll is given.
        moves: Moves to compare, as typed.
        is_cube: Compare no double with double/take.
        candidates: The maximum number of a roll's moves; 0 means every legal move.
        cube_ply: None: as `ply`.
        opponent_ply, opponent_cube_ply: None: as `ply`; as `opponent_ply`, else `cube_ply`.
        late_ply, late_cube_ply: None: both as before; as `late_ply`.
        table: The match equities; None: the shipped ones.
        the others: see RolloutContext.
    """

    dice: Dice | None = None
    moves: tuple[str, ...] = ()
    is_cube: bool = False
    candidates: int = CANDIDATES_DEFAULT
    seed: int = SEED_DEFAULT
    ply: int = 0
    cube_ply: int | None = None
    opponent_ply: int | None = None
    opponent_cube_ply: int | None = None
    late_after: int = 0
    late_ply: int | None = None
    late_cube_ply: int | None = None
    move_filter: str = "normal"
    cubeful: bool = True
    variance_reduction: bool = True
    truncation_ply: int = 0
    evaluation_ply: int | None = None
    bearoff_truncation: bool = True
    quasi_random: bool = True
    rollout_initial: bool = False
    table: MatchTable | None = None


def to_context(state: GameState, options: RolloutOptions) -> RolloutContext:
    """Return the context of a rollout.

    Raises:
        AskedError: a move is illegal, or the options contradict each other.
    """
    if state.position.result:
        raise AskedError("the game is over in this position: nothing can be rolled out")
    _check_levels(options)
    try:
        dice, alternatives = _alternatives(state, options)
        if options.rollout_initial and alternatives != (POSITION_ITSELF,):
            raise AskedError("--initial rolls a position out: give no roll, --move or --cube")
        return rollout_context(
            state,
            alternatives,
            dice,
            table=options.table,
            seed=options.seed,
            late_after=options.late_after,
            move_filter=options.move_filter,
            cubeful=options.cubeful,
            variance_reduction=options.variance_reduction,
            truncation_ply=options.truncation_ply,
            evaluation_ply=options.evaluation_ply,
            bearoff_truncation=options.bearoff_truncation,
            quasi_random=options.quasi_random,
            rollout_initial=options.rollout_initial,
            **_levels(options),
        )
    except (ContextError, MetError, MoveError) as error:
        raise AskedError(str(error)) from error


def rollout_job(
    state: GameState,
    context: RolloutContext,
    goal: Goal,
) -> JobRequest:
    """Return the job of a context.

    Args:
        state: whose ID is the job's label.
        context: of the rollout.
        goal: when it has enough; without a number of trials, the usual one for its rules.

    Raises:
        AskedError: there is nothing to be settled.
    """
    if goal.stop_settled is not None and len(context.alternatives) < 2:
        raise AskedError("--stop-settled compares: give --dice, --move twice, or --cube")
    default = TRIALS_DEFAULT if goal.stop_se is None else TRIALS_CAP
    ends = asdict(replace(goal, trials=goal.trials or default))
    return JobRequest(context.to_text(), label=to_gnubg_id(state), **ends)


def _first(*levels: int | None) -> int | None:
    return next((level for level in levels if level is not None), None)


def _levels(options: RolloutOptions) -> dict[str, int | None]:
    """Return the context's levels: the cube's follow checker play's if they are not given."""
    cube_ply = _first(options.cube_ply, options.ply)
    return {
        "ply": options.ply,
        "cube_ply": cube_ply,
        "opponent_ply": options.opponent_ply,
        "opponent_cube_ply": _first(options.opponent_cube_ply, options.opponent_ply, cube_ply),
        "late_ply": options.late_ply,
        "late_cube_ply": _first(options.late_cube_ply, options.late_ply),
    }


def _check_levels(options: RolloutOptions) -> None:
    """Raise an AskedError for levels without effect."""
    if options.evaluation_ply is not None and not options.truncation_ply:
        raise AskedError("--truncate-plies is for evaluations at a truncation: give --truncate")
    has_late_levels = (options.late_ply, options.late_cube_ply) != (None, None)
    if has_late_levels and not options.late_after:
        raise AskedError("--late-plies and --late-cube-plies need --late-after")
    if options.late_after and not has_late_levels:
        raise AskedError("--late-after needs --late-plies or --late-cube-plies")
    cube_levels = (options.cube_ply, options.opponent_cube_ply, options.late_cube_ply)
    if not options.cubeful and cube_levels != (None, None, None):
        raise AskedError("--cubeless leaves no cube decisions: give no cube plies with it")


def _alternatives(
    state: GameState, options: RolloutOptions
) -> tuple[Dice | None, tuple[Alternative, ...]]:
    """Return the roll, if the question is about one, and the alternatives."""
    if options.is_cube:
        if options.moves or options.dice:
            raise AskedError("--cube asks before the roll: give no --dice or --move with it")
        if not options.cubeful:
            raise AskedError("--cube needs the cube: leave out --cubeless")
        return None, cube_alternatives(state)
    dice = options.dice or state.match.dice
    if options.moves:
        return dice, move_alternatives(state, dice, options.moves)
    if dice is None:
        return None, (POSITION_ITSELF,)
    count_max = options.candidates or ALTERNATIVES_MAX
    return dice, roll_alternatives(state, dice, count_max, options.table)

"""What a context asks for, as its trials need it.

Knows contexts and the rules that they may break.  Must not know how a game is played out.
"""

from engine_ext.backgammon.board cimport Position
from engine_ext.backgammon.cube cimport (
    CubeState, check_worth_playing, cube_after_take, cube_may_double, cube_swapped)
from engine_ext.backgammon.dice cimport dice_tables_fill
from engine_ext.backgammon.match_table cimport MatchTable, shared_match_table

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.context import AlternativeKind
from engine_ext.backgammon.met_code import met_from_code
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.contexts import ContextError

MET_NAME = "kazaross-xg2"


cdef MatchTable settings_fill(RolloutSettings *settings, context):
    """Fill zeroed settings; return what keeps the match equities alive, None in money play.

    Errors: ContextError, `bad-context`: a position that does not exist, a double that the rules
    forbid, a match equity table that is unknown or gives the score no worth.  GIL: needs.
    """
    cdef MatchTable table = None
    _fill_settings(settings, context)
    if context.match_length:
        table = _set_met(&settings.root_cube, context.met)
    _fill_starts(settings, context)
    return table


cdef MatchTable _set_met(CubeState *cube, word):
    """Let a cube's equities be of the table that a context names or carries; return it."""
    cdef MatchTable table
    cdef int player = 0
    try:
        if word == MET_NAME:
            table = shared_match_table()
        else:
            met, player = met_from_code(word)
            table = MatchTable(met)
        cube.met = table.of_player(player)
        check_worth_playing(cube)
    except ValueError as error:
        raise ContextError("bad-context", str(error)) from error
    return table


cdef int _level(ply, int standard) except -1:
    """Return a level of a context; None is the standard one."""
    return standard if ply is None else ply


cdef int _fill_levels(RolloutSettings *settings, int side, context, int ply,
                      int cube_ply) except -1:
    settings.early[side].ply = ply
    settings.early[side].cube_ply = cube_ply
    settings.late[side].ply = _level(context.late_ply, ply)
    settings.late[side].cube_ply = _level(context.late_cube_ply, cube_ply)
    return 0


cdef int _fill_settings(RolloutSettings *settings, context) except -1:
    cdef CubeState *cube = &settings.root_cube
    cube.cube_value = context.cube_value
    cube.cube_owner = context.cube_owner
    cube.match_length = context.match_length
    cube.away[0] = context.match_length - context.score[0]
    cube.away[1] = context.match_length - context.score[1]
    cube.crawford = context.crawford
    cube.jacoby = context.jacoby
    cube.beavers = context.beavers
    cube.met = NULL
    settings.is_cubeful = context.cubeful
    settings.is_variance_reduced = context.variance_reduction
    settings.is_bearoff_truncated = context.bearoff_truncation
    settings.move_filter = MOVE_FILTERS.index(context.move_filter)
    settings.truncation_ply = context.truncation_ply or TURNS_MAX
    settings.evaluation_ply = _level(context.evaluation_ply, context.cube_ply)
    settings.late_after = context.late_after
    _fill_levels(settings, 0, context, context.ply, context.cube_ply)
    _fill_levels(settings, 1, context, _level(context.opponent_ply, context.ply),
                 _level(context.opponent_cube_ply, context.cube_ply))
    dice_tables_fill(&settings.dice, context.seed, context.quasi_random, context.rollout_initial)
    return 0


cdef int _fill_starts(RolloutSettings *settings, context) except -1:
    cdef int i
    settings.start_count = len(context.alternatives)
    for i in range(settings.start_count):
        _fill_start(settings, &settings.starts[i], context, context.alternatives[i])
    return 0


cdef int _fill_start(RolloutSettings *settings, RolloutStart *start, context,
                     alternative) except -1:
    cdef bint is_move = alternative.kind is AlternativeKind.MOVE
    position_id = alternative.position_id if is_move else context.position_id
    try:
        start.board = (<Position>position_from_id(position_id)).board
    except ValueError as error:
        raise ContextError("bad-context", str(error)) from error
    start.cube = cube_swapped(&settings.root_cube) if is_move else settings.root_cube
    start.is_root_on_roll = not is_move
    start.may_double_first = alternative.kind is not AlternativeKind.NO_DOUBLE
    if alternative.kind is AlternativeKind.DOUBLE_TAKE:
        if not cube_may_double(&settings.root_cube):
            raise ContextError("bad-context", "the player on roll cannot double here")
        start.cube = cube_after_take(&settings.root_cube)
    return 0

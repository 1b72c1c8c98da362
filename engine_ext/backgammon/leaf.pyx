"""The cubeful equity of a position as it stands: the leaves of a search.

Knows which source answers for a class of positions: the result of a finished game, the exact
two-sided table, or Janowski's formula on the static probabilities.  Must not know dice.

The two-sided table's cubeful values are for money; at a match score bear-offs are solved for that
score (match_bearoff.pyx).

A search ends with one player on roll or the other, and the best cube action there gives the
one on roll the use of the cube and the other none: no double then falls at 1-ply and rises at
2-ply, by .01 each near a doubling point and by .03 near a take point, here as in gnubg.
`leaf_waiting_gain` is the other's share.
"""

from engine_ext.backgammon.bearoff cimport bearoff_two_sided_equities, bearoff_two_sided_no_double
from engine_ext.backgammon.board cimport Board, Position, board_result
from engine_ext.backgammon.cube cimport (
    CUBE_VALUE_MAX, OWNER_CENTRED, OWNER_ON_ROLL, Cube, CubeState, cube_efficiency,
    cube_equity_no_double, cube_equity_optimal, cube_may_double, cube_outcome_equity, cube_swapped,
)
from engine_ext.backgammon.evaluate cimport (
    CLASS_BEAROFF_TWO, CLASS_OVER, EvalTables, PositionClass, classify, evaluate_board,
    shared_evaluator,
)
from engine_ext.backgammon.match_bearoff cimport (
    MatchBearoff, ScoreBearoff, bearoff_at_score, match_bearoff_no_double, match_bearoff_optimal,
)

# Of what doubling at once would gain a player who has to wait for his opponent's roll. Less makes
# 1-ply double more than 2-ply by rollouts of close decisions (with a half, .010 too much), more
# makes it double less over all positions near one (with three quarters, by .012).
cdef double _WAITING_SHARE = 0.6


cdef double over_equity(const Board *board, const CubeState *cube) noexcept nogil:
    """Return the equity of a finished game; Jacoby: gammons count once the cube is turned.

    GIL: nogil.  Never fails.
    """
    cdef int points = board_result(board)
    if cube.jacoby and cube.match_length == 0 and cube.cube_owner == OWNER_CENTRED:
        points = 1 if points > 0 else -1
    return cube_outcome_equity(cube, points)


cdef int _table_column(const CubeState *cube) noexcept nogil:
    """Return which of the two-sided table's equities belongs to the cube's owner."""
    if cube.cube_value >= CUBE_VALUE_MAX:
        return 0                      # nobody turns it any more
    if cube.cube_owner == OWNER_CENTRED:
        return 2
    return 1 if cube.cube_owner == OWNER_ON_ROLL else 3


cdef double leaf_equity_no_double(const EvalTables *tables, const Board *board,
                                  PositionClass cls, const CubeState *cube,
                                  const double *probs) noexcept nogil:
    """Return the static equity of the player on roll, who does not double now.

    Args: cls and probs are the position's class and static evaluation; in a match `tables` has the
    bear-offs of the cube's score.
    Units: of the cube as it is (money), normalised (match).  GIL: nogil.  Never fails.
    """
    cdef double[4] exact
    if cls == CLASS_OVER:
        return over_equity(board, cube)
    if cls == CLASS_BEAROFF_TWO:
        if cube.match_length > 0:
            return match_bearoff_no_double(tables.score, board, cube)
        bearoff_two_sided_no_double(&tables.bearoff, board, exact)
        return exact[_table_column(cube)]
    return cube_equity_no_double(cube, probs, cube_efficiency(board, cls))


cdef double leaf_equity_optimal(const EvalTables *tables, const Board *board,
                                const CubeState *cube, const double *probs) noexcept nogil:
    """Return the static equity of the player on roll, who uses the cube as is best now.

    Args: as leaf_equity_no_double.
    Units: of the cube as it is (money), normalised (match).  GIL: nogil.  Never fails.
    """
    cdef double[4] exact
    cdef PositionClass cls = classify(board)
    if cls == CLASS_OVER:
        return over_equity(board, cube)
    if cls == CLASS_BEAROFF_TWO:
        if cube.match_length > 0:
            return match_bearoff_optimal(tables.score, board, cube)
        bearoff_two_sided_equities(&tables.bearoff, board, exact)
        return exact[_table_column(cube)]
    return cube_equity_optimal(cube, probs, cube_efficiency(board, cls))


cdef double leaf_waiting_gain(const Board *board, const CubeState *cube, const double *probs,
                              double no_double) noexcept nogil:
    """Return what the player not on roll may hope to gain by doubling at his next turn.

    Args: probs and no_double are the position's leaf values, of the player on roll.
    Returns: 0 or more; 0 where a table or a finished game has already counted it.
    Units: of the cube as it is (money), normalised (match).  GIL: nogil.  Never fails.
    """
    cdef double[5] own_probs = [1.0 - probs[0], probs[3], probs[4], probs[1], probs[2]]
    cdef double gain
    cdef CubeState own = cube_swapped(cube)
    cdef PositionClass cls = classify(board)
    if cls == CLASS_OVER or cls == CLASS_BEAROFF_TWO or not cube_may_double(&own):
        return 0.0
    gain = cube_equity_optimal(&own, own_probs, cube_efficiency(board, cls)) + no_double
    return _WAITING_SHARE * gain if gain > 0.0 else 0.0


cdef MatchBearoff _fill_tables(Cube cube, EvalTables *tables, ScoreBearoff *score):
    """Fill in the tables of a cube's score; the caller keeps what is returned.  GIL: needs."""
    tables[0] = shared_evaluator().tables
    if cube.state.match_length == 0:
        return None
    tables.score = score
    return bearoff_at_score(&cube.state, score)


def static_equities(Position position not None, Cube cube not None):
    """Return the 0-ply equities (no double now, best cube action) of the player on roll.

    Units: of the cube as it is (money), normalised (match).  GIL: needs it.
    """
    cdef EvalTables tables
    cdef ScoreBearoff score
    cdef MatchBearoff _kept = _fill_tables(cube, &tables, &score)
    cdef double[5] probs
    evaluate_board(&tables, &position.board, probs)
    return (
        leaf_equity_no_double(&tables, &position.board, classify(&position.board), &cube.state,
                              probs),
        leaf_equity_optimal(&tables, &position.board, &cube.state, probs),
    )


def waiting_gain(Position position not None, Cube cube not None):
    """Return what the player not on roll may hope to gain by doubling at his next turn.

    Units: of the cube as it is (money), normalised (match).  GIL: needs it.
    """
    cdef EvalTables tables
    cdef ScoreBearoff score
    cdef MatchBearoff _kept = _fill_tables(cube, &tables, &score)
    cdef double[5] probs
    evaluate_board(&tables, &position.board, probs)
    return leaf_waiting_gain(&position.board, &cube.state, probs,
                             leaf_equity_no_double(&tables, &position.board,
                                                   classify(&position.board), &cube.state, probs))

# Cubeful equity (Janowski, "Take-Points in Money Games", 1993) for money and
# match play, and the three answers to a cube question.
#
# Equities are of the player on roll, per unit of the CURRENT cube for money; in
# match play they are normalised (EMG): winning/losing a plain game at the
# current cube is +1/-1.  mwc = match winning chance of the player on roll.
# probs[5] are cumulative: win, win gammon, win backgammon, lose gammon, lose
# backgammon.

from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.janowski cimport (
    AWAY_MAX, CUBE_VALUE_MAX, CubeState, OWNER_CENTRED, OWNER_ON_ROLL, OWNER_OPPONENT,
)
from engine_ext.backgammon.match_table cimport MatchTable

cdef CubeState cube_swapped(const CubeState *cube) noexcept nogil
cdef bint cube_may_double(const CubeState *cube) noexcept nogil          # the player on roll
# Doubled and taken; the view of the player on roll.
cdef CubeState cube_after_take(const CubeState *cube) noexcept nogil
# Doubled and beavered: the opponent turned the cube once more and keeps it.
cdef CubeState cube_after_beaver(const CubeState *cube) noexcept nogil
# Whether a double, worth `double_take` to the player on roll if taken, is beavered.
cdef bint cube_is_beavered(const CubeState *cube, double double_take) noexcept nogil
# What a double is worth to him that is not passed: twice the take if it is beavered.
cdef double cube_equity_not_passed(const CubeState *cube, double double_take) noexcept nogil
# Value of winning `points` times the cube (1..3; negative: losing), in the units above.
cdef double cube_outcome_equity(const CubeState *cube, int points) noexcept nogil
# Linear: cubeless equity of probs in the units above (Jacoby ignored).
cdef double cube_cubeless_equity(const CubeState *cube, const double *probs) noexcept nogil
# Equity to the player on roll with live-cube interpolation, the player about to
# ROLL (not doubling now); `efficiency` in [0, 1].
cdef double cube_equity_no_double(const CubeState *cube, const double *probs,
                                  double efficiency) noexcept nogil
# Equity with the best cube action now: max(no double, min(not passed, double/pass)),
# units of the cube BEFORE doubling.
cdef double cube_equity_optimal(const CubeState *cube, const double *probs,
                                double efficiency) noexcept nogil
# An equity in the units of cube_after_take(cube) in the units of `cube`.
cdef double cube_equity_of_take(const CubeState *cube, double taken_equity) noexcept nogil
# Least winning chance with which player `side` (0 on roll, 1 opponent) takes a double of
# the cube as it is now, were it turned, with a fully live cube.
cdef double cube_live_take_point(const CubeState *cube, const double *probs,
                                 int side) noexcept nogil
# Efficiency by class and pip count, as gnubg: see cube.pyx.
cdef double cube_efficiency(const Board *board, int position_class) noexcept nogil
# Linear maps between normalised equity at this cube and mwc (identity in money).
cdef double cube_equity_to_mwc(const CubeState *cube, double equity) noexcept nogil
cdef double cube_mwc_to_equity(const CubeState *cube, double mwc) noexcept nogil

# ValueError where the table gives the game at hand no worth, so that it has no equities.
cdef int check_worth_playing(const CubeState *cube) except -1

cdef class Cube:
    # An immutable, checked CubeState for Python callers; keeps its table alive.
    cdef CubeState state
    cdef MatchTable _table         # None in money play

# Janowski's formulas, and the structs that they read.
#
# probs[5] are cumulative probabilities of the player on roll: win, win gammon, win
# backgammon, lose gammon, lose backgammon.  A side is 0 (on roll) or 1 (opponent).

from libc.stdint cimport uint64_t

cdef enum:
    OWNER_CENTRED = -1
    OWNER_ON_ROLL = 0
    OWNER_OPPONENT = 1
    AWAY_MAX = 64             # as met.AWAY_MAX
    CUBE_VALUE_MAX = 4096     # nobody doubles a cube that shows this; keeps points within int

# Match equities as one player sees them: his mwc, i+1 away against j+1 away.
ctypedef struct MetTable:
    double pre[64][64]        # before and in the Crawford game
    double post[64]           # of this player as the TRAILER against 1 away, after that game
    const MetTable *other     # as the other player sees them: this one where both are alike
    uint64_t serial           # no two tables of a process have the same

ctypedef struct CubeState:
    int cube_value            # 1, 2, 4, ...
    int cube_owner            # OWNER_*
    int match_length          # 0 = money
    int away[2]               # points to go: [0] player on roll, [1] opponent (0 in money)
    bint crawford             # this is the Crawford game
    bint jacoby
    bint beavers
    const MetTable *met       # as the player on roll sees them; borrowed; NULL in money play

# Whether `side` may turn the cube, now or on his turn, and could gain by it: not in the
# Crawford game, not when his win at this cube already wins the match.
cdef bint may_use_cube(const CubeState *cube, int side) noexcept nogil

# Money, in units of the cube: all games played out, Jacoby ignored.
cdef double money_cubeless(const double *probs) noexcept nogil
# ... a fully live cube.
cdef double money_live(const CubeState *cube, const double *probs) noexcept nogil
# ... between the two, the player on roll not doubling now; efficiency in [0, 1].
cdef double money_no_double(const CubeState *cube, const double *probs,
                            double efficiency) noexcept nogil
# ... with the best cube action now, for a player who may double: equal, to the bit, to the
# best of money_no_double, of twice that of the taken cube, or four times that of the beavered
# one, and of 1 for a pass.
cdef double money_optimal(const CubeState *cube, const double *probs,
                          double efficiency) noexcept nogil
# Whether a double of the cube may be answered by a beaver: a redouble at once that leaves the
# cube, and its next turn, with the player who beavers.
cdef bint may_be_beavered(const CubeState *cube) noexcept nogil

# The mwc of `side` after he wins `points` (loses, if negative) in this game.
cdef double mwc_after(const CubeState *cube, int side, int points) noexcept nogil
# The mwc of the player on roll: dead cube, and cubeful as money_no_double.
cdef double match_dead(const CubeState *cube, const double *probs) noexcept nogil
cdef double match_no_double(const CubeState *cube, const double *probs,
                            double efficiency) noexcept nogil

# Least winning chance with which `side` takes a double of the cube as it is now, were it
# turned, with a fully live cube; money or match.
cdef double live_take_point(const CubeState *cube, const double *probs, int side) noexcept nogil

# Exact cubeful equities of two-sided bear-offs at a match score: see match_bearoff.pyx.
#
# Equities are of the player on roll and normalised: winning and losing the cube as it is are
# +1 and -1.  A side is 0 or 1, the planes' own count of the players; `us` and `them` are the
# home indexes (bearoff_generate.home_index) of who is on roll and of the other.

from libc.stdint cimport uint16_t, uint32_t
from engine_ext.backgammon.bearoff cimport BearoffTables
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.janowski cimport CubeState, MetTable

cdef enum:
    LEVEL_COUNT = 6           # cubes of 1 to 32: at 64 points to go none above is of use
    OWNER_COUNT = 3           # 0 nobody, 1 + side

# The plays of each board of the two-sided table: play[start[board] : start[board + 1]], each the
# board after it, and the roll's number (by die1 >= die2) times 1024.
ctypedef struct BearoffPlays:
    uint16_t *play
    uint32_t *start

ctypedef struct BearoffPlanes:
    const float *two_sided    # the money table: its cubeless equities are a dead cube's
    const BearoffPlays *plays
    bint is_useful[6][2]      # [level][side]: the cube, if at hand, is of use to the side
    # [level][side]: a double of the side, taken, is worth middle + half * (equity of the new cube)
    double taken_middle[6][2]
    double taken_half[6][2]
    # [level][owner]: uint32[2 sides on roll][924 us][924 them], best cube action; NULL where the
    # cube is dead.  0 is not solved yet, else 1 + the equity + 1 in units of 2^-30.
    uint32_t *cells[6][3]

# The planes of a score as a search sees them: which of their sides is whose.
ctypedef struct ScoreBearoff:
    const BearoffPlanes *planes    # borrowed from a MatchBearoff
    const MetTable *met            # of the player who is the planes' `side`; compared only
    int away[2]                    # as he sees them
    int side

cdef class MatchBearoff:
    # Owns the planes of one score.
    cdef BearoffPlanes planes
    cdef readonly size_t byte_count
    cdef object _bearoff, _plays   # keep what the planes point at alive
    cdef int _make_planes(self, int level, int owner) except -1

# The planes of a cube's score, for all states that can follow this one; fills in `score`, which
# is good as long as the caller keeps what is returned.  A match only.
cdef MatchBearoff bearoff_at_score(const CubeState *cube, ScoreBearoff *score)

# About to roll, not doubling now; the board satisfies bearoff_is_two_sided and is not over.
cdef double match_bearoff_no_double(const ScoreBearoff *score, const Board *board,
                                    const CubeState *cube) noexcept nogil
# With the best cube action now.
cdef double match_bearoff_optimal(const ScoreBearoff *score, const Board *board,
                                  const CubeState *cube) noexcept nogil

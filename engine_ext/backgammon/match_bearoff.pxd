# Exact cubeful equities of two-sided bear-offs at a match score: see match_bearoff.pyx.
#
# Equities are of the player on roll and normalised: winning and losing the cube as it is are
# +1 and -1.

from libc.stdint cimport uint32_t, uint64_t
from engine_ext.backgammon.bearoff_planes cimport BearoffPlanes
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.janowski cimport CubeState, MetTable

# The planes of a score as a search sees them: which of their sides is whose.
ctypedef struct ScoreBearoff:
    const BearoffPlanes *planes    # borrowed from a MatchBearoff
    CubeState root                 # the cube that it was filled for; its met is compared only
    uint64_t serial                # of the root's met, which may be gone
    int side                       # of the planes: who is on roll at the root

cdef class MatchBearoff:
    # Owns the planes of one score.
    cdef BearoffPlanes planes
    cdef uint32_t solved_counts[18]
    cdef readonly size_t byte_count
    cdef object _bearoff, _plays   # keep what the planes point at alive
    cdef int _make_planes(self, int level, int owner) except -1

# The planes of a cube's score, for all states that can follow this one; fills in `score`, which
# is good as long as the caller keeps what is returned.  A match only.
cdef MatchBearoff bearoff_at_score(const CubeState *cube, ScoreBearoff *score)

# Whether `score` was filled for this very cube, of a match.
cdef inline bint score_is_of(const ScoreBearoff *score, const CubeState *cube) noexcept nogil:
    return (score.serial == cube.met.serial and score.root.away[0] == cube.away[0]
            and score.root.away[1] == cube.away[1]
            and score.root.cube_value == cube.cube_value
            and score.root.cube_owner == cube.cube_owner
            and score.root.crawford == cube.crawford)

# About to roll, not doubling now; the board satisfies bearoff_is_two_sided and is not over.
cdef double match_bearoff_no_double(const ScoreBearoff *score, const Board *board,
                                    const CubeState *cube) noexcept nogil
# With the best cube action now.
cdef double match_bearoff_optimal(const ScoreBearoff *score, const Board *board,
                                  const CubeState *cube) noexcept nogil

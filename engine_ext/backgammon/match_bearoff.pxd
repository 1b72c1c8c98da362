# Exact cubeful equities of two-sided bear-offs at a match score: see match_bearoff.pyx.
#
# Equities are of the player on roll and normalised: winning and losing the cube as it is are
# +1 and -1.

from libc.stdint cimport uint32_t
from engine_ext.backgammon.bearoff_planes cimport BearoffPlanes
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.janowski cimport CubeState, MetTable

# The planes of a score as a search sees them: which of their sides is whose.
ctypedef struct ScoreBearoff:
    const BearoffPlanes *planes    # borrowed from a MatchBearoff
    const MetTable *met            # of the player who is the planes' `side`; compared only
    int away[2]                    # as he sees them
    int side

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

# About to roll, not doubling now; the board satisfies bearoff_is_two_sided and is not over.
cdef double match_bearoff_no_double(const ScoreBearoff *score, const Board *board,
                                    const CubeState *cube) noexcept nogil
# With the best cube action now.
cdef double match_bearoff_optimal(const ScoreBearoff *score, const Board *board,
                                  const CubeState *cube) noexcept nogil

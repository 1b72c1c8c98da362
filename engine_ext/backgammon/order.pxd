# The order of plays, and which of them stay in consideration.
#
# Plays are ordered by the measure of the search; equal ones by cubeless equity; those equal in that
# too by generation.  ranking.py has the same order for whoever gathers values from elsewhere.

from libc.math cimport floor

from engine_ext.backgammon.cube cimport CubeState, cube_cubeless_equity, cube_swapped

cdef enum:
    # Equities that round to the same multiple of 2^-30 are equal: a millionth of what a net can
    # tell apart, and a million times what sums in another order differ by.  Rounding, unlike a
    # tolerance, leaves no three values of which neighbours are equal and the outer ones are not.
    TIE_SCALE = 1073741824

# One legal move while moves are ranked.
ctypedef struct Candidate:
    int index                 # in the move list: generation order
    int ply                   # it was really evaluated at
    double equity             # of the mover, by the search's measure
    double cubeless           # equity of the mover, which decides between equal ones
    double static_probs[5]    # of the next player, 0-ply
    double probs[5]           # of the next player, at `ply`

# How many moves stay in consideration after a level: gnubg's `accept` always, and up to
# `extra` more within `threshold` of the best; never none.
ctypedef struct MoveFilterStep:
    int accept
    int extra
    double threshold

cdef inline double tie_step(double equity) noexcept nogil:
    return floor(equity * TIE_SCALE + 0.5)

# The cubeless equity of the player who moved, from the next player's cube and probabilities.
cdef inline double tie_breaker(const CubeState *next_cube, const double *probs) noexcept nogil:
    cdef CubeState cube = cube_swapped(next_cube)
    cdef double[5] own = [1.0 - probs[0], probs[3], probs[4], probs[1], probs[2]]
    return cube_cubeless_equity(&cube, own)

# Which of two equities is more: 1 the first, -1 the second, 0 neither.  Most are farther apart than
# two steps, which saves the rounding.
cdef inline int tie_order(double equity, double other) noexcept nogil:
    cdef double step, other_step
    if equity - other > 2.0 / TIE_SCALE or other - equity > 2.0 / TIE_SCALE:
        return 1 if equity > other else -1
    step = tie_step(equity)
    other_step = tie_step(other)
    return (step > other_step) - (step < other_step)

# Whether a play is better than another one, told from the next player's cube and probabilities.
cdef inline bint is_better(double equity, double other, const CubeState *next_cube,
                           const double *probs, const double *other_probs) noexcept nogil:
    cdef int order = tie_order(equity, other)
    return order > 0 or (order == 0 and tie_breaker(next_cube, probs)
                         > tie_breaker(next_cube, other_probs))

# Whether a candidate belongs before another one, whatever their order was.
cdef inline bint candidate_is_better(const Candidate *one, const Candidate *other) noexcept nogil:
    cdef int order = tie_order(one.equity, other.equity)
    return order > 0 or (order == 0 and one.cubeless > other.cubeless)

# Sort, best first; equal ones keep their order (insertion sort).
cdef inline void candidates_kind(Candidate *candidates, int count) noexcept nogil:
    cdef int i, j
    cdef Candidate candidate
    for i in range(1, count):
        candidate = candidates[i]
        j = i
        while j > 0 and candidate_is_better(&candidate, &candidates[j - 1]):
            candidates[j] = candidates[j - 1]
            j -= 1
        candidates[j] = candidate

# Return how many of the sorted candidates a filter step keeps: at least one.
cdef inline int candidates_kept(const Candidate *candidates, int count,
                                const MoveFilterStep *step) noexcept nogil:
    cdef int most = step.accept + step.extra
    cdef int kept = 1 if step.accept < 1 else step.accept
    if kept > count:
        kept = count
    while (kept < count and kept < most
           and candidates[kept].equity >= candidates[0].equity - step.threshold):
        kept += 1
    return kept

# The values of two-sided bear-offs at a match score, as cells of planes: see bearoff_planes.pyx.
#
# Equities are of the player on roll and normalised: winning and losing the cube as it is are
# +1 and -1.  A side is 0 or 1, the planes' own count of the players; `us` and `them` are the
# home indexes (bearoff_generate.home_index) of who is on roll and of the other.

from libc.math cimport floor
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from engine_ext.backgammon.bearoff_generate cimport Successors

cdef enum:
    LEVEL_COUNT = 6           # cubes of 1 to 32: at 64 points to go none above is of use
    OWNER_COUNT = 3           # 0 nobody, 1 + side
    ONE = 536870912           # equity 1 in units of 2^-29
    MIRROR = 1073741826       # 2 * ONE + 2: a cell of the other side is this less the cell
    PLANE_CELLS = 1707552     # 2 * 924 * 924
    TURNS_MAX = 18            # of a board: 36 pips at most, and a roll plays 2 at least

cdef extern from *:
    uint32_t cell_load "__atomic_load_n" (const uint32_t *, int) noexcept nogil
    void cell_store "__atomic_store_n" (uint32_t *, uint32_t, int) noexcept nogil
    uint32_t cell_add "__atomic_add_fetch" (uint32_t *, uint32_t, int) noexcept nogil
    int RELAXED "__ATOMIC_RELAXED"

# The boards of the two-sided table and their plays.
ctypedef struct BearoffPlays:
    Successors by_roll
    # Boards by the most turns that they can take: order[level_start[n] : level_start[n + 1]].
    # No play leads from one to another of the same level.
    uint16_t *order
    int level_start[TURNS_MAX + 2]
    int level_count
    int width_max             # boards of the largest level

ctypedef struct BearoffPlanes:
    const float *two_sided    # the money table: its cubeless equities are a dead cube's
    const BearoffPlays *plays
    bint is_useful[6][2]      # [level][side]: the cube, if at hand, is of use to the side
    # [level][side]: a double of the side, taken, is worth middle + half * (equity of the new cube)
    double taken_middle[6][2]
    double taken_half[6][2]
    # [level][owner]: uint32[2 sides on roll][924 us][924 them], best cube action; NULL where the
    # cube is dead.  0 is not solved yet, else 1 + the equity + 1 in units of 2^-29.
    uint32_t *cells[6][3]
    uint32_t *solved_counts   # [level * 3 + owner]: cells solved one by one so far

# An equity within -1..1 as a cell's word, halves up.
cdef inline uint32_t cell_of(double equity) noexcept nogil:
    return <uint32_t><int64_t>floor(equity * ONE + 0.5) + ONE + 1

cdef inline double equity_of(uint32_t cell) noexcept nogil:
    return <double>(<int64_t>cell - (ONE + 1)) / ONE

# The cell of who is on roll from 36 times the mean of the other's.
cdef inline uint32_t cell_of_rolls(uint64_t total) noexcept nogil:
    return <uint32_t>(MIRROR - (total + 18) // 36)

cdef inline bint planes_may_use(const BearoffPlanes *planes, int level, int owner,
                                int side) noexcept nogil:
    return planes.is_useful[level][side] and (owner == 0 or owner == 1 + side)

cdef inline bint planes_are_live(const BearoffPlanes *planes, int level, int owner) noexcept nogil:
    return level < LEVEL_COUNT and planes.cells[level][owner] != NULL

# The cell of a double of `side`, answered best, in the units of the cube before it; `taken` in
# those of the new one.
cdef inline uint32_t cell_of_double(const BearoffPlanes *planes, int level, int side,
                                    uint32_t taken) noexcept nogil:
    cdef double equity = (planes.taken_middle[level][side]
                          + planes.taken_half[level][side] * equity_of(taken))
    return cell_of(min(1.0, max(-1.0, equity)))

# How many of the 36 rolls the roll with this number stands for.
cdef inline uint32_t roll_weight(int roll) noexcept nogil:
    # 1-1, 2-2, ... are numbers 0, 2, 5, 9, 14 and 20.
    return 2 - (0x104225 >> roll & 1)

# Solves all of a plane at once, and those of the cubes that its own can become.
cdef void planes_fill(const BearoffPlanes *planes, int level, int owner) noexcept nogil

cdef class Plays:
    cdef BearoffPlays lists

cpdef Plays shared_plays()

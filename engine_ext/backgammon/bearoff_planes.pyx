# cython: language_level=3
"""The values of all two-sided bear-offs at a match score: the boards' plays, and planes in one go.

Knows cells, boards by their index and the value of a take.  Must not know where a score's numbers
come from, or which cells are wanted.

**Filling**: a position of side 0 on roll needs those in which side 1 is on roll and side 0's board
is later, and the other way round.  So the boards of side 0 go by levels, from the last: a level's
boards on roll against each board of side 1, by rows of values over the boards of side 1; then each
board of side 1 on roll against the level's, by rows of values over the level.  All sums are of
integers, so that their order and the width of the rows do not matter; a cell has the bits that
`match_bearoff` gives it when it solves it alone.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from engine_ext.backgammon.bearoff_generate cimport (
    DICE_ROLLS, SUCCESSORS_MAX, TWO_SIDED_COUNT, list_all_successors,
)

# The memory of a filling.
ctypedef struct _Work:
    int32_t *waiting              # [924 boards of side 0][924 of side 1, who is on roll]
    int32_t *block                # [924 of side 1][a level of side 0, who is on roll]
    int32_t lowest[TWO_SIDED_COUNT]
    uint64_t totals[TWO_SIDED_COUNT]


# ------------------------------------------------------------------- plays

cdef class Plays:
    """The plays of each roll of each board; a process has one.  Owner: of the lists."""

    def __cinit__(self):
        cdef size_t rolls = <size_t>TWO_SIDED_COUNT * DICE_ROLLS
        cdef size_t plays_max = rolls * SUCCESSORS_MAX
        cdef BearoffPlays *lists = &self.lists
        lists.by_roll.start = <uint32_t *>malloc((rolls + 1) * sizeof(uint32_t))
        lists.by_roll.index = <uint16_t *>malloc(plays_max * sizeof(uint16_t))
        lists.order = <uint16_t *>malloc(TWO_SIDED_COUNT * sizeof(uint16_t))
        if lists.by_roll.start == NULL or lists.by_roll.index == NULL or lists.order == NULL:
            raise MemoryError("no memory to list the plays of bear-offs")
        list_all_successors(&lists.by_roll)
        _order_by_level(lists)

    def __dealloc__(self):
        free(self.lists.by_roll.start)
        free(self.lists.by_roll.index)
        free(self.lists.order)


cdef void _order_by_level(BearoffPlays *lists) noexcept nogil:
    """Order the boards by the most turns that they can take, equal ones by their index."""
    cdef int[TWO_SIDED_COUNT] levels
    cdef int board, level, after, length = 0
    cdef uint32_t i
    memset(levels, 0, sizeof(levels))
    lists.level_count = 1
    for board in range(1, TWO_SIDED_COUNT):
        for i in range(lists.by_roll.start[board * DICE_ROLLS],
                       lists.by_roll.start[(board + 1) * DICE_ROLLS]):
            after = levels[lists.by_roll.index[i]] + 1
            levels[board] = after if after > levels[board] else levels[board]
        if levels[board] + 1 > lists.level_count:
            lists.level_count = levels[board] + 1
    lists.width_max = 0
    for level in range(lists.level_count):
        lists.level_start[level] = length
        for board in range(TWO_SIDED_COUNT):
            if levels[board] == level:
                lists.order[length] = <uint16_t>board
                length += 1
        if length - lists.level_start[level] > lists.width_max:
            lists.width_max = length - lists.level_start[level]
    lists.level_start[lists.level_count] = length


cdef Plays _shared = None


cpdef Plays shared_plays():
    """Return the process's lists, made on first use.  Errors: MemoryError.  GIL: needed."""
    global _shared
    if _shared is None:
        _shared = Plays()
    return _shared


# ----------------------------------------------------------------- filling

cdef void planes_fill(const BearoffPlanes *planes, int level, int owner) noexcept nogil:
    """Solve all of a plane at once, and those of the cubes that its own can become.

    Without memory for it nothing is done, and cells go on being solved one by one.
    Errors: noexcept.  GIL: none needed; several threads may do the same.
    """
    cdef _Work work
    cdef size_t row = TWO_SIDED_COUNT * sizeof(int32_t)
    cdef int side
    for side in range(2):
        if (planes_may_use(planes, level, owner, side)
                and planes_are_live(planes, level + 1, 2 - side)):
            planes_fill(planes, level + 1, 2 - side)
    work.waiting = <int32_t *>malloc(TWO_SIDED_COUNT * row)
    work.block = <int32_t *>malloc(planes.plays.width_max * row)
    if work.waiting != NULL and work.block != NULL:
        _fill(planes, level, owner, &work)
    free(work.waiting)
    free(work.block)


cdef void _fill(const BearoffPlanes *planes, int level, int owner, _Work *work) noexcept nogil:
    cdef uint32_t *cells = planes.cells[level][owner]
    cdef const BearoffPlays *plays = planes.plays
    cdef int board, number, first, width, i
    for board in range(TWO_SIDED_COUNT):
        work.waiting[board] = 1                    # side 0 has finished: side 1 has lost
        cell_store(cells + board * TWO_SIDED_COUNT, 1, RELAXED)
        cell_store(cells + (TWO_SIDED_COUNT + board) * TWO_SIDED_COUNT, 1, RELAXED)
    for number in range(1, plays.level_count):
        first = plays.level_start[number]
        width = plays.level_start[number + 1] - first
        for i in range(width):
            work.block[i] = 1                      # side 1 has finished
            _fill_row(planes, level, owner, work, plays.order[first + i], i, width)
        for board in range(1, TWO_SIDED_COUNT):
            _fill_column(planes, level, owner, work, board, plays.order + first, width)


cdef void _add_rolls(const BearoffPlays *plays, int board, const int32_t *rows, int width,
                     _Work *work) noexcept nogil:
    """Write 36 times the mean of the best plays of a board to work.totals.

    Args: rows: [924 boards after the play][width], the other side's cells.
    """
    cdef const uint32_t *start = plays.by_roll.start + board * DICE_ROLLS
    cdef const int32_t *row
    cdef int32_t *lowest = work.lowest
    cdef int roll, k
    cdef uint32_t i, weight
    memset(work.totals, 0, width * sizeof(uint64_t))
    for roll in range(DICE_ROLLS):
        row = rows + <size_t>plays.by_roll.index[start[roll]] * width
        for k in range(width):
            lowest[k] = row[k]
        for i in range(start[roll] + 1, start[roll + 1]):
            row = rows + <size_t>plays.by_roll.index[i] * width
            for k in range(width):
                lowest[k] = row[k] if row[k] < lowest[k] else lowest[k]
        weight = roll_weight(roll)
        for k in range(width):
            work.totals[k] += <uint64_t>(weight * <uint32_t>lowest[k])


cdef inline uint32_t _with_double(const BearoffPlanes *planes, int level, int owner, int side,
                                  int us, int them, uint32_t no_double) noexcept nogil:
    """The cell with the best cube action."""
    cdef size_t pair = <size_t>us * TWO_SIDED_COUNT + them
    cdef uint32_t taken, doubled
    if not planes_may_use(planes, level, owner, side):
        return no_double
    if planes_are_live(planes, level + 1, 2 - side):
        taken = cell_load(planes.cells[level + 1][2 - side]
                          + <size_t>side * TWO_SIDED_COUNT * TWO_SIDED_COUNT + pair, RELAXED)
    else:
        taken = cell_of(planes.two_sided[pair * 4])
    doubled = cell_of_double(planes, level, side, taken)
    return doubled if doubled > no_double else no_double


cdef void _fill_row(const BearoffPlanes *planes, int level, int owner, _Work *work, int us,
                    int place, int width) noexcept nogil:
    """Solve a board of side 0, on roll, against each of side 1; `place` is its own in the level."""
    cdef uint32_t *cells = planes.cells[level][owner] + us * TWO_SIDED_COUNT
    cdef uint32_t cell
    cdef int them
    _add_rolls(planes.plays, us, work.waiting, TWO_SIDED_COUNT, work)
    for them in range(1, TWO_SIDED_COUNT):
        cell = _with_double(planes, level, owner, 0, us, them, cell_of_rolls(work.totals[them]))
        cell_store(cells + them, cell, RELAXED)
        work.block[them * width + place] = <int32_t>cell


cdef void _fill_column(const BearoffPlanes *planes, int level, int owner, _Work *work, int us,
                       const uint16_t *boards, int width) noexcept nogil:
    """Solve a board of side 1, on roll, against each of a level of side 0."""
    cdef uint32_t *cells = (planes.cells[level][owner]
                            + (TWO_SIDED_COUNT + us) * TWO_SIDED_COUNT)
    cdef uint32_t cell
    cdef int i
    _add_rolls(planes.plays, us, work.block, width, work)
    for i in range(width):
        cell = _with_double(planes, level, owner, 1, us, boards[i],
                            cell_of_rolls(work.totals[i]))
        cell_store(cells + boards[i], cell, RELAXED)
        work.waiting[boards[i] * TWO_SIDED_COUNT + us] = <int32_t>cell

# cython: language_level=3
"""Generation of the bear-off tables: index, backward induction, packing.

Knows home boards and the rules of bearing off.  Must not know the rest of the board, files, or
how the tables are used (bearoff.pyx).

**Index.**  A side's home board is six counts.  With s[k] = checkers on points k..6,
15 >= s[1] >= ... >= s[6] >= 0, and

    index = sum over k of C(s[k] + 6 - k, 7 - k)

ranks all 54,264 boards (the combinatorial number system; Knuth, TAOCP 7.2.1.3).  Every
move lowers the index, so that tables fill in index order, and boards with at most six
checkers are the first 924: both tables share it.

**One-sided table** (`uint16`): headers of four words a board: low and high half of the
offset of its packed words from the table's start, `first | length << 8` of the number of
rolls N to bear off everything, and the same of the rolls G to bear off the first checker
(0 unless all 15 are on the board).  N's `length` words, then G's, follow each other at
the offset.  Word k is P(N > first + k) in units of 2^-16, rounded; P(N > i) is 1 for
i < first and 0 from i = first + length on.  The policy is the fewest expected rolls, for N
and for G apart, as in gnubg's one-sided database.

**Two-sided table** (`float`): see bearoff.pxd.  Backward induction with optimal play and
optimal cube decisions for each cube position.

**Bits.**  Generation uses double + - * / in a fixed order and each rounding is one
stated conversion, so that the tables are the same bytes on every little-endian machine.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    # 15 checkers from the 6-point are 90 pips; the worst roll, 2-1, takes 3 a turn and
    # wastes a pip only on the last checkers, so that no board needs more than 31 rolls.
    ROLLS_MAX = 32

# _rank_term[k][s] = C(s + 6 - k, 7 - k): what s checkers on points k..6 add to the index.
cdef uint16_t _rank_term[7][16]

ctypedef struct Rolls:
    # Distributions while generating, [ONE_SIDED_COUNT][ROLLS_MAX] each, and their means.
    double *off
    double *off_mean
    double *first_off
    double *first_off_mean


cdef void _fill_rank_terms() noexcept nogil:
    cdef int k, s, n
    cdef uint32_t term
    for k in range(1, HOME_POINTS + 1):
        for s in range(FULL_CHECKERS + 1):
            term = 1 if s > 0 else 0
            # C(s + r, r + 1) from C(s, 1) = s upwards: each division is exact.
            if s > 0:
                term = s
                for n in range(2, 8 - k):
                    term = term * (s + n - 1) // n
            _rank_term[k][s] = <uint16_t> term

_fill_rank_terms()


# ------------------------------------------------------------------ index

cdef int home_index(const uint8_t *slots) noexcept nogil:
    """Return the index of the home board in a side's slots.

    Shapes: slots: the slots 0..6 are read.  Errors: noexcept; 15 checkers at most.
    GIL: none needed.
    """
    cdef int s = slots[6]
    cdef int index = _rank_term[6][s]
    s += slots[5]
    index += _rank_term[5][s]
    s += slots[4]
    index += _rank_term[4][s]
    s += slots[3]
    index += _rank_term[3][s]
    s += slots[2]
    index += _rank_term[2][s]
    s += slots[1]
    return index + _rank_term[1][s]


cdef void _suffixes_of(int index, uint8_t *suffix) noexcept nogil:
    # The inverse: suffix[k] = checkers on points k..6, suffix[7] = 0.
    cdef int k, s
    for k in range(1, HOME_POINTS + 1):
        s = FULL_CHECKERS
        while _rank_term[k][s] > index:
            s -= 1
        index -= _rank_term[k][s]
        suffix[k] = <uint8_t> s
    suffix[7] = 0


# ------------------------------------------------------------- generation

cdef int _add_plays(const uint8_t *suffix, const int *dice, int dice_left, int source_max,
                    bint same_dice, uint16_t *out, int count) noexcept nogil:
    # Append the index after every way to play dice[:dice_left]; return the new count.
    # No roll is ever blocked in a bear-off, so that both dice are always played.  Equal
    # dice are played from the highest source down, which reaches every result once.
    cdef uint8_t after[8]
    cdef int source, target, k
    cdef int die
    if dice_left == 0 or suffix[1] == 0:
        out[count] = 0
        for k in range(1, HOME_POINTS + 1):
            out[count] += _rank_term[k][suffix[k]]
        return count + 1
    die = dice[0]
    for source in range(source_max, 0, -1):
        if suffix[source] == suffix[source + 1]:
            continue                          # nobody on this point
        if source < die and suffix[source + 1] > 0:
            break                             # a higher checker must move first
        memcpy(after, suffix, 8)
        target = source - die if source > die else 0
        for k in range(target + 1, source + 1):
            after[k] -= 1
        count = _add_plays(after, dice + 1, dice_left - 1, source if same_dice else HOME_POINTS,
                           same_dice, out, count)
    return count


cdef int _list_successors(const uint8_t *suffix, int die1, int die2, uint16_t *out) noexcept nogil:
    # Indexes after the roll; a non-double's may come twice.
    cdef int dice[4]
    cdef int count
    if die1 == die2:
        dice[0] = dice[1] = dice[2] = dice[3] = die1
        return _add_plays(suffix, dice, 4, HOME_POINTS, True, out, 0)
    dice[0], dice[1] = die1, die2
    count = _add_plays(suffix, dice, 2, HOME_POINTS, False, out, 0)
    dice[0], dice[1] = die2, die1
    return _add_plays(suffix, dice, 2, HOME_POINTS, False, out, count)


cdef void _add_roll(double *total, double *mean_total, const double *rolls, const double *means,
                    const uint16_t *successors, int count, double weight) noexcept nogil:
    # Add the successor of least mean (the first of equals), one roll later.
    cdef int best = successors[0]
    cdef int i
    for i in range(1, count):
        if means[successors[i]] < means[best]:
            best = successors[i]
    for i in range(1, ROLLS_MAX):
        total[i] += weight * rolls[best * ROLLS_MAX + i - 1]
    mean_total[0] += weight * means[best]


cdef void _finish_board(double *total, double *mean_total) noexcept nogil:
    cdef int i
    for i in range(ROLLS_MAX):
        total[i] = total[i] / 36.0
    mean_total[0] = 1.0 + mean_total[0] / 36.0


cdef void _generate_rolls(Rolls *rolls) noexcept nogil:
    # Fill in index order; everything starts at zero.
    cdef uint8_t suffix[8]
    cdef uint16_t successors[SUCCESSORS_MAX]
    cdef int index, die1, die2, count
    cdef double weight
    rolls.off[0] = rolls.first_off[0] = 1.0
    for index in range(1, ONE_SIDED_COUNT):
        _suffixes_of(index, suffix)
        if index < FULL_FIRST:
            rolls.first_off[index * ROLLS_MAX] = 1.0      # off already: after 0 rolls
        for die1 in range(1, 7):
            for die2 in range(1, die1 + 1):
                weight = 1.0 if die1 == die2 else 2.0
                count = _list_successors(suffix, die1, die2, successors)
                _add_roll(rolls.off + index * ROLLS_MAX, rolls.off_mean + index,
                          rolls.off, rolls.off_mean, successors, count, weight)
                if index >= FULL_FIRST:
                    _add_roll(rolls.first_off + index * ROLLS_MAX, rolls.first_off_mean + index,
                              rolls.first_off, rolls.first_off_mean, successors, count, weight)
        _finish_board(rolls.off + index * ROLLS_MAX, rolls.off_mean + index)
        if index >= FULL_FIRST:
            _finish_board(rolls.first_off + index * ROLLS_MAX, rolls.first_off_mean + index)


cdef int _pack_spread(const double *rolls, uint16_t *header, uint16_t *out) noexcept nogil:
    # Write P(N > i) for the i where it is neither 0 nor 1 in units of 2^-16; return how many.
    cdef uint32_t beyond[ROLLS_MAX]
    cdef double tail = 0.0
    cdef int i, first = 0, length = 0
    for i in range(ROLLS_MAX - 1, -1, -1):
        beyond[i] = <uint32_t> (tail * 65536.0 + 0.5)
        tail += rolls[i]
    while beyond[first] >= ONE_SIDED_SCALE:
        first += 1
    while beyond[first + length] > 0:
        out[length] = <uint16_t> beyond[first + length]
        length += 1
    header[0] = <uint16_t> (first | length << 8)
    return length


cdef size_t _pack_rolls(const Rolls *rolls, uint16_t *table) noexcept nogil:
    # Return the words written.
    cdef size_t offset = <size_t> ONE_SIDED_COUNT * HEADER_WORDS
    cdef uint16_t *header = table
    cdef int index
    for index in range(ONE_SIDED_COUNT):
        header[0] = <uint16_t> (offset & 0xFFFF)
        header[1] = <uint16_t> (offset >> 16)
        header[3] = 0
        offset += _pack_spread(rolls.off + index * ROLLS_MAX, header + 2, table + offset)
        if index >= FULL_FIRST:
            offset += _pack_spread(rolls.first_off + index * ROLLS_MAX, header + 3, table + offset)
        header += HEADER_WORDS
    return offset


cdef bytes _one_sided_bytes():
    cdef Rolls rolls
    cdef size_t cells = <size_t> ONE_SIDED_COUNT * ROLLS_MAX
    cdef size_t words_max = <size_t> ONE_SIDED_COUNT * (HEADER_WORDS + 2 * ROLLS_MAX)
    cdef double *memory = <double *> calloc(2 * (cells + ONE_SIDED_COUNT), sizeof(double))
    cdef uint16_t *table = <uint16_t *> malloc(words_max * sizeof(uint16_t))
    cdef size_t words
    try:
        if memory == NULL or table == NULL:
            raise MemoryError("no memory to generate the one-sided bear-off table")
        rolls.off = memory
        rolls.first_off = memory + cells
        rolls.off_mean = memory + 2 * cells
        rolls.first_off_mean = memory + 2 * cells + ONE_SIDED_COUNT
        with nogil:
            _generate_rolls(&rolls)
            words = _pack_rolls(&rolls, table)
        return PyBytes_FromStringAndSize(<char *> table, words * sizeof(uint16_t))
    finally:
        free(memory)
        free(table)


cdef int _append_distinct(uint16_t *out, const uint16_t *successors, int count) noexcept nogil:
    cdef int i, k, length = 0
    for i in range(count):
        k = 0
        while k < length and out[k] != successors[i]:
            k += 1
        if k == length:
            out[length] = successors[i]
            length += 1
    return length


cdef void list_all_successors(Successors *lists) noexcept nogil:
    """List the boards after each roll, of all boards of the two-sided table.

    Shapes: index: uint16[924 * 21 * SUCCESSORS_MAX] at most; start: uint32[924 * 21 + 1].
    Errors: noexcept.  GIL: none needed.  Owner: the caller.
    """
    cdef uint8_t suffix[8]
    cdef uint16_t successors[SUCCESSORS_MAX]
    cdef int index, die1, die2, count
    cdef uint32_t length = 0
    cdef uint32_t *start = lists.start
    for index in range(TWO_SIDED_COUNT):
        _suffixes_of(index, suffix)
        for die1 in range(1, 7):
            for die2 in range(1, die1 + 1):
                start[0] = length
                start += 1
                count = _list_successors(suffix, die1, die2, successors)
                length += _append_distinct(lists.index + length, successors, count)
    start[0] = length


cdef inline double _best_doubling(double no_double, double opponent_owns) noexcept nogil:
    # Before the cube decision: the doubler chooses, then the opponent.
    cdef double double_take = 2.0 * opponent_owns
    cdef double doubled = double_take if double_take < 1.0 else 1.0
    return doubled if doubled > no_double else no_double


cdef void _solve_pair(const Successors *lists, double *values, float *table,
                      int us, int them) noexcept nogil:
    # values[us][them]: [0] cubeless, [1] we own, [2] centred, both with best doubling,
    # [3] they own.  After our roll they are to play, the cube seen from their side:
    # what we own is what their opponent owns.
    cdef double total[4]
    cdef double lowest[4]
    cdef const double *row = values + <size_t> them * TWO_SIDED_COUNT * 4
    cdef const double *after
    cdef size_t cell = (<size_t> us * TWO_SIDED_COUNT + them) * 4
    cdef const uint32_t *start = lists.start + us * DICE_ROLLS
    cdef uint32_t i
    cdef int die1, die2, c, roll = 0
    cdef double weight
    total[0] = total[1] = total[2] = total[3] = 0.0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            weight = 1.0 if die1 == die2 else 2.0
            lowest[0] = lowest[1] = lowest[2] = lowest[3] = 2.0
            for i in range(start[roll], start[roll + 1]):
                after = row + lists.index[i] * 4
                for c in range(4):
                    lowest[c] = after[c] if after[c] < lowest[c] else lowest[c]
            for c in range(4):
                total[c] -= weight * lowest[c]
            roll += 1
    values[cell] = total[0] / 36.0
    values[cell + 3] = total[1] / 36.0
    values[cell + 2] = _best_doubling(total[2] / 36.0, values[cell + 3])
    values[cell + 1] = _best_doubling(total[3] / 36.0, values[cell + 3])
    table[cell] = <float> values[cell]
    table[cell + 1] = <float> (total[3] / 36.0)
    table[cell + 2] = <float> (total[2] / 36.0)
    table[cell + 3] = <float> values[cell + 3]


cdef void _set_over(double *values, float *table, int us, int them, double value) noexcept nogil:
    cdef size_t cell = (<size_t> us * TWO_SIDED_COUNT + them) * 4
    cdef int c
    for c in range(4):
        values[cell + c] = value
        table[cell + c] = <float> value


cdef void _solve_all(const Successors *lists, double *values, float *table) noexcept nogil:
    # (us, them) needs (them, us') for us' < us: going up by the larger index, then by
    # the smaller, has every pair ready.
    cdef int larger, smaller
    for larger in range(TWO_SIDED_COUNT):
        _set_over(values, table, larger, 0, -1.0)     # they have borne off
        _set_over(values, table, 0, larger, 1.0)      # we have
        for smaller in range(1, larger + 1):
            _solve_pair(lists, values, table, larger, smaller)
            if smaller < larger:
                _solve_pair(lists, values, table, smaller, larger)


cdef bytes _two_sided_bytes():
    cdef Successors lists
    cdef size_t rolls = <size_t> TWO_SIDED_COUNT * DICE_ROLLS
    cdef double *values = <double *> malloc(2 * TWO_SIDED_BYTES)
    cdef bytes table = PyBytes_FromStringAndSize(NULL, TWO_SIDED_BYTES)
    cdef float *cells = <float *> PyBytes_AS_STRING(table)
    lists.index = <uint16_t *> malloc(rolls * SUCCESSORS_MAX * sizeof(uint16_t))
    lists.start = <uint32_t *> malloc((rolls + 1) * sizeof(uint32_t))
    try:
        if values == NULL or lists.index == NULL or lists.start == NULL:
            raise MemoryError("no memory to generate the two-sided bear-off table")
        with nogil:
            list_all_successors(&lists)
            _solve_all(&lists, values, cells)
        return table
    finally:
        free(values)
        free(lists.index)
        free(lists.start)


def board_index(points):
    """Return the index of a home board in both tables.

    Shapes: points: six counts, ace-point first.  Errors: ValueError.  GIL: needed.
    """
    cdef uint8_t slots[7]
    cdef int k, total = 0
    if len(points) != HOME_POINTS:
        raise ValueError(f"a home board has 6 points, not {len(points)}")
    memset(slots, 0, 7)
    for k in range(HOME_POINTS):
        if not 0 <= points[k] <= FULL_CHECKERS - total:
            raise ValueError(f"not 0 to 15 checkers in all: {list(points)}")
        slots[k + 1] = points[k]
        total += slots[k + 1]
    return home_index(slots)


def generate_tables():
    """Generate both tables from nothing.

    Returns:
        The two-sided table, then the one-sided one, in the layouts above: the same
        bytes on every machine.

    Shapes: float[924 * 924, 4], then uint16 words to the end.
    Errors: MemoryError.
    GIL: released while computing.  Owner: the caller, as of any bytes.
    Source: DESIGN.md section 4.2; gnubg's databases agree to their own rounding.
    """
    return _two_sided_bytes() + _one_sided_bytes()

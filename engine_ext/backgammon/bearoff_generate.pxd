# Sizes of the bear-off tables and the index of a home board: see bearoff_generate.pyx.

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef enum:
    HOME_POINTS = 6
    FULL_CHECKERS = 15
    ONE_SIDED_COUNT = 54264       # C(21, 6) home boards
    FULL_FIRST = 38760            # C(20, 6): boards from here on hold all 15 checkers
    TWO_SIDED_COUNT = 924         # C(12, 6): boards of at most six checkers
    TWO_SIDED_BYTES = 13660416    # 924 * 924 * 4 floats
    HEADER_WORDS = 4              # of each board in the one-sided table
    ONE_SIDED_SCALE = 65536       # probability 1 in the one-sided table
    DICE_ROLLS = 21
    # Doubles: multisets of four of six sources; others: two orders of 6 * 6.
    SUCCESSORS_MAX = 126

# The boards after each roll of each board of the two-sided table, rolls by die1 >= die2:
# index[start[board * 21 + roll] : start[board * 21 + roll + 1]], distinct.
ctypedef struct Successors:
    uint16_t *index
    uint32_t *start

# Index of the home board in a side's slots 1..6, 0 to 54263; never fails.
cdef int home_index(const uint8_t *slots) noexcept nogil
# Fill in the lists, whose memory is the caller's.
cdef void list_all_successors(Successors *lists) noexcept nogil

# Sizes of the bear-off tables and the index of a home board: see bearoff_generate.pyx.

from libc.stdint cimport uint8_t

cdef enum:
    HOME_POINTS = 6
    FULL_CHECKERS = 15
    ONE_SIDED_COUNT = 54264       # C(21, 6) home boards
    FULL_FIRST = 38760            # C(20, 6): boards from here on hold all 15 checkers
    TWO_SIDED_COUNT = 924         # C(12, 6): boards of at most six checkers
    TWO_SIDED_BYTES = 13660416    # 924 * 924 * 4 floats
    HEADER_WORDS = 4              # of each board in the one-sided table
    ONE_SIDED_SCALE = 65536       # probability 1 in the one-sided table

# Index of the home board in a side's slots 1..6, 0 to 54263; never fails.
cdef int home_index(const uint8_t *slots) noexcept nogil

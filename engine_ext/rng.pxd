# Philox4x32-10: a counter-based generator (Salmon, Moraes, Dror, Shaw,
# "Parallel random numbers: as easy as 1, 2, 3", SC11).
#
# A block of four 32-bit words is a pure function of a 128-bit counter and a
# 64-bit key.  There is no state, so any thread or machine can make the words
# of any trial directly.

from libc.stdint cimport uint32_t, uint64_t

ctypedef struct PhiloxBlock:
    uint32_t words[4]

# The block at (counter_high:counter_low) under `key`.
cdef PhiloxBlock philox4x32(uint64_t key, uint64_t counter_high,
                            uint64_t counter_low) noexcept nogil

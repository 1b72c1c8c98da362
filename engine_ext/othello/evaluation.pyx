"""Evaluations as searches see them, and the plainest one.

Knows mobility, corners and stable discs.  Must not know search.  All integers: an evaluation gives
the same number on every machine.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport OthelloKernel, othello_kernel

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil

cdef enum:
    MOBILITY_WEIGHT = 8
    POTENTIAL_WEIGHT = 2
    CORNER_WEIGHT = 32
    # A square diagonally beside an empty corner gives it away.
    CORNER_RISK_WEIGHT = 12

cdef uint64_t _CORNERS = 0x8100000000000081


cdef inline uint64_t _around(uint64_t bits) noexcept nogil:
    """The squares beside any of these, and they themselves."""
    cdef uint64_t wide = (bits | (bits & <uint64_t>0x7F7F7F7F7F7F7F7F) << 1
                          | (bits & <uint64_t>0xFEFEFEFEFEFEFEFE) >> 1)
    return wide | wide << 8 | wide >> 8


cdef inline uint64_t _beside_empty_corners(uint64_t empties) noexcept nogil:
    cdef uint64_t corners = empties & _CORNERS
    return ((corners & 1) << 9 | (corners >> 7 & 1) << 14 | (corners >> 56 & 1) << 49
            | (corners >> 63) << 54)


cdef int _plain_value(const void *weights, uint64_t player, uint64_t opponent) noexcept nogil:
    cdef const OthelloKernel *kernel = othello_kernel()
    cdef uint64_t empties = ~(player | opponent)
    cdef uint64_t mine = kernel.moves(player, opponent)
    cdef uint64_t theirs = kernel.moves(opponent, player)
    cdef uint64_t risky = _beside_empty_corners(empties)
    return (MOBILITY_WEIGHT * (_count(mine) - _count(theirs)
                               + _count(mine & _CORNERS) - _count(theirs & _CORNERS))
            + POTENTIAL_WEIGHT * (_count(_around(opponent) & empties)
                                  - _count(_around(player) & empties))
            + CORNER_WEIGHT * (_count(player & _CORNERS) - _count(opponent & _CORNERS))
            - CORNER_RISK_WEIGHT * (_count(player & risky) - _count(opponent & risky)))


cdef class Evaluation:
    """Mobility and corners: without learning, and good enough to order moves.

    A subclass brings its own `evaluate` and `weights` (evaluation.pxd).
    """

    def __cinit__(self, *args, **kwargs):
        self.evaluate = _plain_value
        self.weights = NULL

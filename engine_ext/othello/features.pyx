"""The baseline evaluation: stone score, square value, mobility and potential mobility.

The four terms of Marvin (S. Voges), which Othello on Satin took over, on boards of 4, 6 or 8
squares a side.  Knows the rules.  Must not know search.  All integers, in 1/100 disc for the side
to move, weights by hand.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport OthelloKernel, board_squares, othello_kernel
from engine_ext.othello.evaluation cimport Evaluation

from engine_ext.othello.board import SIZES as _SIZES

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil

cdef enum:
    STONE = 5
    MOBILITY = 90
    POTENTIAL = 30

# Discs count little: many in mid-game are a burden, and searches see the end for themselves.
STONE_WEIGHT = STONE
MOBILITY_WEIGHT = MOBILITY
POTENTIAL_WEIGHT = POTENTIAL

# What a disc is worth by where it stands.  X squares lie diagonally beside a corner, C squares
# beside it on the edge, A squares next to those; "ring" is the line behind the edge.
SQUARE_WEIGHTS = {
    "corner": 1200, "x": -500, "c": -250, "a": 100, "edge": 50, "ring": -30, "middle": 0}

cdef int _square_weights[CLASSES]
for _number, _weight in enumerate(SQUARE_WEIGHTS.values()):
    _square_weights[_number] = _weight


cdef inline uint64_t _around(uint64_t bits) noexcept nogil:
    """The squares beside any of these, and they themselves."""
    cdef uint64_t wide = (bits | (bits & <uint64_t>0x7F7F7F7F7F7F7F7F) << 1
                          | (bits & <uint64_t>0xFEFEFEFEFEFEFEFE) >> 1)
    return wide | wide << 8 | wide >> 8


cdef int _four_terms(const void *weights, uint64_t player, uint64_t opponent) noexcept nogil:
    cdef const OthelloKernel *kernel = othello_kernel()
    cdef const FourTerms *terms = <const FourTerms *>weights
    cdef uint64_t empties = terms.squares & ~(player | opponent)
    cdef int i
    cdef int value = STONE * (_count(player) - _count(opponent))
    for i in range(CLASSES):
        value += _square_weights[i] * (_count(player & terms.classes[i])
                                       - _count(opponent & terms.classes[i]))
    value += MOBILITY * (_count(kernel.moves(player, opponent) & empties)
                         - _count(kernel.moves(opponent, player) & empties))
    return value + POTENTIAL * (_count(_around(opponent) & empties)
                                - _count(_around(player) & empties))


def square_classes(size):
    """Return the squares of each class of SQUARE_WEIGHTS as a mask.

    Raises:
        ValueError: the size is not 4, 6 or 8.
    """
    if size not in _SIZES:
        raise ValueError(f"a board has 4, 6 or 8 squares a side, not {size!r}")
    margin = (8 - size) // 2
    masks = dict.fromkeys(SQUARE_WEIGHTS, 0)
    for square in range(64):
        near, far = sorted(
            min(line - margin, margin + size - 1 - line) for line in (square % 8, square // 8))
        if near >= 0:
            masks[_class_of(near, far)] |= 1 << square
    return masks


def _class_of(near, far):
    """The class of a square by its distances from the nearest two edges."""
    if near == 0:
        return ("corner", "c", "a", "edge")[far]
    return "x" if far == 1 else "ring" if near == 1 else "middle"


cdef class FourTermEvaluation(Evaluation):
    """Stones, squares, mobility and potential mobility.

    Args:
        size: squares a side of the boards to come.

    Raises:
        ValueError: the size is not 4, 6 or 8.
    """

    def __cinit__(self, size=8):
        self.terms.squares = board_squares(size if size in _SIZES else 0)
        for i, mask in enumerate(square_classes(size).values()):
            self.terms.classes[i] = mask
        self.evaluate = _four_terms
        self.weights = &self.terms

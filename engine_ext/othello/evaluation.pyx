"""Evaluations as searches see them, and the plainest one.

Knows mobility and corners.  Must not know search.  All integers: an evaluation gives the same
number on every machine.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport (
    OthelloBoard, OthelloKernel, board_corners, board_squares, othello_kernel)

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil

cdef enum:
    MOBILITY_WEIGHT = 8       # a legal move; a corner counts twice
    POTENTIAL_WEIGHT = 2      # an empty square beside the other side's discs
    CORNER_WEIGHT = 32
    CORNER_RISK_WEIGHT = 12   # a disc diagonally beside an empty corner


cdef inline uint64_t _around(uint64_t bits) noexcept nogil:
    """The squares beside any of these, and they themselves."""
    cdef uint64_t wide = (bits | (bits & <uint64_t>0x7F7F7F7F7F7F7F7F) << 1
                          | (bits & <uint64_t>0xFEFEFEFEFEFEFEFE) >> 1)
    return wide | wide << 8 | wide >> 8


cdef int _mobility_value(const void *weights, uint64_t player, uint64_t opponent) noexcept nogil:
    cdef const OthelloKernel *kernel = othello_kernel()
    cdef const MobilityWeights *board = <const MobilityWeights *>weights
    cdef uint64_t empties = board.squares & ~(player | opponent)
    cdef uint64_t mine = kernel.moves(player, opponent) & empties
    cdef uint64_t theirs = kernel.moves(opponent, player) & empties
    cdef uint64_t corners = board.corners & empties
    # No square but the four that are meant is inside: the other shifts lead to the rim or beyond.
    cdef uint64_t risky = (corners << 9 | corners >> 9 | corners << 7 | corners >> 7) & board.inside
    return (MOBILITY_WEIGHT * (_count(mine) - _count(theirs)
                               + _count(mine & corners) - _count(theirs & corners))
            + POTENTIAL_WEIGHT * (_count(_around(opponent) & empties)
                                  - _count(_around(player) & empties))
            + CORNER_WEIGHT * (_count(player & board.corners) - _count(opponent & board.corners))
            - CORNER_RISK_WEIGHT * (_count(player & risky) - _count(opponent & risky)))


cdef class Evaluation:
    """What a search asks for a position's value; `MobilityEvaluation` is one."""

    def value(self, OthelloBoard board not None):
        """Return the value for the side to move, in the evaluation's own unit.

        Raises:
            TypeError: the evaluation is of no kind.
        """
        if self.evaluate is NULL:
            raise TypeError("an evaluation is of a kind, such as MobilityEvaluation")
        return self.evaluate(self.weights, board.board.player, board.board.opponent)


cdef class MobilityEvaluation(Evaluation):
    """Mobility and corners: without learning, and enough to order moves.

    Args:
        size: squares a side of the boards to come.

    Raises:
        ValueError: the size is not 4, 6 or 8.
    """

    def __cinit__(self, size=8):
        if board_squares(size) == 0:
            raise ValueError(f"a board has 4, 6 or 8 squares a side, not {size!r}")
        self.board.squares = board_squares(size)
        self.board.corners = board_corners(size)
        self.board.inside = board_squares(size - 2) if size > 4 else 0
        self.evaluate = _mobility_value
        self.weights = &self.board

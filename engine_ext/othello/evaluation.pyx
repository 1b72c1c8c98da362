"""Evaluations as searches see them, and the plainest one.

Knows mobility and corners.  Must not know search.  All integers: an evaluation gives the same
number on every machine.
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport (
    Board, OthelloBoard, OthelloKernel, board_after, board_corners, board_final_score,
    board_moves, board_passed, board_squares, othello_kernel)

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _lowest "__builtin_ctzll" (uint64_t) noexcept nogil

cdef enum:
    MOBILITY_WEIGHT = 8       # a legal move; a corner counts twice
    POTENTIAL_WEIGHT = 2      # an empty square beside the other side's discs
    CORNER_WEIGHT = 32
    CORNER_RISK_WEIGHT = 12   # a disc diagonally beside an empty corner
    VALUE_END = 100000        # beyond all values
    LOOKAHEAD_MAX = 3        # plies of a glance
    DISC_ELSE = 100           # a disc of a finished game, of evaluations that value none


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

    def lookahead(self, OthelloBoard board not None, int plies):
        """Return the value after best play for so many plies, and how many positions it took.

        A finished game is worth its score, a disc 100 where the evaluation has no unit of its own;
        a pass is no ply.  For glances of 3 plies at most: nothing is kept in a table, and nothing
        can stop it.

        Raises:
            TypeError: the evaluation is of no kind.
            ValueError: plies are not 0 to 3.
        """
        if self.evaluate is NULL:
            raise TypeError("an evaluation is of a kind, such as MobilityEvaluation")
        if not 0 <= plies <= LOOKAHEAD_MAX:
            raise ValueError(f"expected 0 to {LOOKAHEAD_MAX} plies, not {plies}")
        cdef Lookahead ahead
        cdef int value
        ahead.squares = board_squares(board.size)
        ahead.evaluated = 0
        # With the GIL: another thread would keep it for longer than a glance lasts.
        value = self._probe(&board.board, NULL, &ahead, plies, -VALUE_END, VALUE_END)
        return value, ahead.evaluated

    cdef int _probe(self, const Board *board, const Parent *before, Lookahead *ahead, int plies,
                    int alpha, int beta) noexcept nogil:
        """`before` is the board before the last move, or NULL."""
        cdef const OthelloKernel *kernel = othello_kernel()
        cdef uint64_t moves = board_moves(board, ahead.squares)
        cdef Board after
        cdef Parent here
        cdef int square, value
        if moves == 0:
            after = board_passed(board)
            if board_moves(&after, ahead.squares) == 0:
                ahead.evaluated += 1
                return board_final_score(board, ahead.squares) * (self.disc_value or DISC_ELSE)
            return -self._probe(&after, NULL, ahead, plies, -beta, -alpha)
        if plies == 0:
            ahead.evaluated += 1
            if before is NULL or self.prepare is NULL:
                return self.evaluate(self.weights, board.player, board.opponent)
            square = _lowest((board.player | board.opponent) ^ (before.player | before.opponent))
            return self.evaluate_after(
                self.weights, before, square, before.opponent ^ board.player)
        here.player, here.opponent = board.player, board.opponent
        if self.prepare is not NULL:
            self.prepare(self.weights, &here)
        while moves and alpha < beta:
            square = _lowest(moves)
            moves &= moves - 1
            after = board_after(board, square, kernel.flips(board.player, board.opponent, square))
            value = -self._probe(&after, &here, ahead, plies - 1, -beta, -alpha)
            if value > alpha:
                alpha = value
        return alpha


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

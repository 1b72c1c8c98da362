"""The value of a position where the search ends: its evaluation, and what captures make of it.

Knows captures and answers to checks.  Must not know depth.  The value is a function of the board
alone: of the evaluation, and of each capture that loses nothing, `-value` after it, or less where
that is more than the evaluation, the man that it takes and MARGIN.  In check it is that of the best
answer, whatever it is.  From RECAPTURES plies on only captures on the square of the last move are
looked at: where everything hangs there is no end to the others.
"""

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport (
    CHESS_EN_PASSANT, CHESS_MOVES_MAX, CHESS_PAWN, CHESS_QUEEN, ChessBoard, ChessBoardStruct,
    ChessKernel, ChessMove, board_is_check, board_play, chess_code, chess_kernel)
from engine_ext.chess.exact.node cimport MATE, NOTHING
from engine_ext.chess.exchange cimport exchange_gains, exchange_value

cdef enum:
    MARGIN = 200
    RECAPTURES = 4
    PROBE_PLIES = 2            # a look begins as if so many had been played
    ANYWHERE = 64             # no square


cdef inline int _gain(const ChessBoardStruct *board, ChessMove move) noexcept nogil:
    """What a move takes and becomes, in centipawns."""
    cdef int kind = move >> 12
    if kind == CHESS_EN_PASSANT:
        return exchange_value(CHESS_PAWN)
    cdef int gain = exchange_value(chess_code(board, move >> 6 & 63))
    return gain + exchange_value(CHESS_QUEEN) if kind == CHESS_QUEEN else gain


cdef inline void _bring_best(ChessMove *moves, int *gains, int first, int count) noexcept nogil:
    """Bring the move of the most gain from `first` on to `first`."""
    cdef int i, best = first
    for i in range(first + 1, count):
        if gains[i] > gains[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    gains[first], gains[best] = gains[best], gains[first]


cdef int _value(const ChessBoardStruct *board, int alpha, int beta, bint is_check, int plies,
                int square, uint64_t *nodes) noexcept nogil:
    """Search captures, on a square alone unless it is ANYWHERE; fail-soft."""
    cdef const ChessKernel *kernel = chess_kernel()
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef int gains[CHESS_MOVES_MAX]
    cdef ChessBoardStruct after
    cdef int i, to, value, cap, count, static_value = NOTHING, best = -MATE
    if not is_check:
        static_value = best = still_value(board)
        if best >= beta:
            return best
    count = (kernel.moves if is_check else kernel.captures)(board, moves)
    for i in range(count):
        # Cheap men take first.
        gains[i] = 16 * _gain(board, moves[i]) - chess_code(board, moves[i] & 63)
    for i in range(count):
        _bring_best(moves, gains, i, count)
        to = moves[i] >> 6 & 63
        cap = MATE
        if not is_check:
            if square != ANYWHERE and to != square:
                continue
            cap = static_value + MARGIN + (_gain(board, moves[i]) & -GRAIN)
            if cap <= max(alpha, best):
                best = max(best, cap)
                continue
            if not exchange_gains(board, moves[i], 0):
                continue
        board_play(board, moves[i], &after)
        nodes[0] += 1
        value = min(cap, -_value(
            &after, -min(beta, cap), -max(alpha, best), board_is_check(&after), plies + 1,
            to ^ 56 if plies + 1 >= RECAPTURES else ANYWHERE, nodes))
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


cdef int leaf_value(const ChessBoardStruct *board, int alpha, int beta, bint is_check,
                    uint64_t *nodes) noexcept nogil:
    """Value a position by captures, fail-soft.  Units: centipawns.  Never fails.  GIL: nogil."""
    return _value(board, alpha, beta, is_check, 0, ANYWHERE, nodes)


cdef int probe_value(const ChessBoardStruct *board) noexcept nogil:
    """Value a position by a few captures.  Units: centipawns.  Never fails.  GIL: nogil."""
    cdef uint64_t nodes = 0
    return _value(board, -MATE, MATE, board_is_check(board), PROBE_PLIES, ANYWHERE, &nodes)


def leaf_worth(ChessBoard board not None, alpha=-MATE, beta=MATE):
    """Return the value of a position at depth 0 in centipawns for the side to move, fail-soft."""
    cdef uint64_t nodes = 0
    return leaf_value(&board.board, alpha, beta, board_is_check(&board.board), &nodes)

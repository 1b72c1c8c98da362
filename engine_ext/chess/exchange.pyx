"""Static exchange evaluation: what a series of captures on one square gains.

Knows what men are worth to exchanges, a rough table, and who attacks the square.  Must not know how
good a position is.
"""

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport (
    CHESS_BISHOP, CHESS_CASTLING, CHESS_EN_PASSANT, CHESS_KING, CHESS_KNIGHT, CHESS_PAWN,
    CHESS_QUEEN, CHESS_ROOK, ChessBoard, ChessBoardStruct, ChessKernel, ChessMove, chess_code,
    chess_kernel, chess_men, chess_occupied, move_named)

# By code: pawn, knight, king, bishop, rook, queen.  A king is dearer than all that it can win.
cdef int *_VALUES = [0, 100, 320, 20_000, 0, 330, 500, 950]
# The cheapest captures first.
cdef int *_ORDER = [CHESS_PAWN, CHESS_KNIGHT, CHESS_BISHOP, CHESS_ROOK, CHESS_QUEEN, CHESS_KING]


cdef int exchange_value(int code) noexcept nogil:
    """Give a man's worth in centipawns; 0 for nothing.  Errors: never fails.  GIL: nogil."""
    return _VALUES[code]


cdef bint exchange_gains(const ChessBoardStruct *board, ChessMove move, int gain) noexcept nogil:
    """Tell whether the captures that a move begins gain so much.

    Source: the swap algorithm, in the form that asks for a bound: each side takes with its cheapest
    man as long as that brings the balance to its side.  Errors: never fails.  GIL: nogil.
    """
    cdef const ChessKernel *kernel = chess_kernel()
    cdef int start = move & 63
    cdef int to = move >> 6 & 63
    cdef int kind = move >> 12
    cdef int next_code = chess_code(board, start)
    cdef uint64_t occupied = chess_occupied(board)
    cdef uint64_t sliders = board.plane[2]
    cdef uint64_t attackers, side, cheapest
    cdef bint is_ours = True          # whose capture is next, once it is turned
    cdef bint is_enough = True        # whether the mover has its gain if captures end here
    cdef int balance, i
    if kind == CHESS_CASTLING:
        return gain <= 0
    balance = _VALUES[chess_code(board, to)] - gain
    if kind == CHESS_EN_PASSANT:
        balance = _VALUES[CHESS_PAWN] - gain
        occupied ^= <uint64_t>1 << (to - 8)
    elif kind:
        balance += _VALUES[kind] - _VALUES[CHESS_PAWN]
        next_code = kind
    if balance < 0:
        return False
    balance = _VALUES[next_code] - balance      # what the other side gains if it takes
    if balance <= 0:
        return True
    occupied ^= <uint64_t>1 << start
    attackers = kernel.attackers(board, to, occupied) & occupied & ~(<uint64_t>1 << to)
    while True:
        is_ours = not is_ours
        side = attackers & (board.us if is_ours else ~board.us)
        if side == 0:
            return is_enough
        is_enough = not is_enough
        for i in range(6):
            next_code = _ORDER[i]
            cheapest = chess_men(board, next_code) & side
            if cheapest:
                break
        if next_code == CHESS_KING:             # it may not take what is protected
            return not is_enough if attackers & ~side else is_enough
        balance = _VALUES[next_code] - balance
        if balance < is_enough:                 # too little even if the capturing man is safe
            return is_enough
        occupied ^= cheapest & -cheapest
        attackers |= (kernel.diagonal(to, occupied) & sliders & board.plane[0]
                      | kernel.straight(to, occupied) & sliders & board.plane[1])
        attackers &= occupied & ~(<uint64_t>1 << to)


def gains(ChessBoard board not None, move, gain):
    """Return whether the captures that a move begins gain so much: see `exchange_gains`.

    Args:
        board: where it is played.
        move: a legal move in UCI's words.
        gain: centipawns.

    Raises:
        ValueError: the move is not legal.
    """
    return exchange_gains(&board.board, move_named(&board.board, move), gain)

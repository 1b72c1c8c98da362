"""How good a position is at a look: tapered terms, each worth so much early and so much late.

Knows men and where they stand.  Must not know moves to come: threats are the search's matter.
Values are centipawns for the side to move; all arithmetic is of integers.
"""

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport (
    CHESS_BISHOP, CHESS_CODES, CHESS_KING, CHESS_KNIGHT, CHESS_PAWN, CHESS_QUEEN, CHESS_ROOK,
    ChessBoard, ChessBoardStruct, ChessKernel, chess_kernel, chess_men, chess_occupied,
    chess_pawn_attacks, chess_their_pawn_attacks, king_attacks, knight_attacks)

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil
    uint64_t _flipped "__builtin_bswap64" (uint64_t) noexcept nogil

VALUE_MAX = EVALUATION_MAX

# Early and late in one number, late in the upper half: they are added together.
ctypedef int Pair

cdef enum:
    TEMPO = 14

cdef Pair _SQUARES[CHESS_CODES][64]       # worth of a man of ours on a square
cdef Pair _MOBILITY[CHESS_CODES][32]      # by squares that it attacks
cdef Pair _PASSED[8]                      # by rank
cdef uint64_t _FRONT[64]                  # squares before a pawn on its file and beside it
cdef uint64_t _BESIDE[8]                  # the files beside one
cdef Pair _BISHOPS, _DOUBLED, _ISOLATED, _OPEN_FILE, _HALF_OPEN_FILE, _SHELTER, _PROTECTED
cdef int _DANGER[64]                      # by weighed attacks on squares around a king
cdef int *_ATTACK_WEIGHT = [0, 0, 2, 0, 0, 2, 3, 5]
cdef int *_PHASE = [0, 0, 1, 0, 0, 1, 2, 4]


cdef inline Pair _pair(int early, int late) noexcept nogil:
    return early + late * 65_536


cdef inline int _early(Pair pair) noexcept nogil:
    return <short>(pair & 0xFFFF)


cdef inline int _late(Pair pair) noexcept nogil:
    return (pair - _early(pair)) >> 16


ctypedef struct Side:
    # A side as it sees itself: its pawns go up.
    uint64_t own[CHESS_CODES]
    uint64_t men
    uint64_t their_pawns
    uint64_t occupied
    int their_king


cdef Side _side(const ChessBoardStruct *board, bint is_ours) noexcept nogil:
    """Show a side's men as that side sees them."""
    cdef Side side
    cdef uint64_t men = board.us if is_ours else chess_occupied(board) ^ board.us
    cdef uint64_t own
    cdef int code
    for code in range(1, CHESS_CODES):
        own = chess_men(board, code) & men
        side.own[code] = own if is_ours else _flipped(own)
    side.men = men if is_ours else _flipped(men)
    side.occupied = chess_occupied(board)
    side.their_pawns = chess_men(board, CHESS_PAWN) & ~men
    side.their_king = _first(chess_men(board, CHESS_KING) & ~men)
    if not is_ours:
        side.occupied = _flipped(side.occupied)
        side.their_pawns = _flipped(side.their_pawns)
        side.their_king ^= 56
    return side


cdef Pair _pawns(const Side *side) noexcept nogil:
    """Value pawns: where they stand, passed, doubled, isolated, protected."""
    cdef uint64_t own = side.own[CHESS_PAWN]
    cdef uint64_t rest = own
    cdef uint64_t protected_ = chess_pawn_attacks(own) & own
    cdef Pair value = _PROTECTED * _count(protected_)
    cdef int square
    while rest:
        square = _first(rest)
        rest &= rest - 1
        value += _SQUARES[CHESS_PAWN][square]
        if not _FRONT[square] & side.their_pawns:
            value += _PASSED[square >> 3]
        if own & (<uint64_t>0x0101010101010100 << square):
            value += _DOUBLED
        if not own & _BESIDE[square & 7]:
            value += _ISOLATED
    return value


cdef inline uint64_t _reach(const ChessKernel *kernel, const Side *side, int code,
                            int square) noexcept nogil:
    if code == CHESS_KNIGHT:
        return knight_attacks(square)
    if code == CHESS_BISHOP:
        return kernel.diagonal(square, side.occupied)
    if code == CHESS_ROOK:
        return kernel.straight(square, side.occupied)
    return kernel.diagonal(square, side.occupied) | kernel.straight(square, side.occupied)


cdef Pair _pieces(const Side *side, int *phase, int *attacks) noexcept nogil:
    """Value knights, bishops, rooks and queens; count the phase, and attacks around their king."""
    cdef const ChessKernel *kernel = chess_kernel()
    cdef uint64_t free_squares = ~(chess_their_pawn_attacks(side.their_pawns) | side.men)
    cdef uint64_t ring = king_attacks(side.their_king)
    cdef uint64_t rest, reach
    cdef Pair value = 0
    cdef int code, square
    for code in range(CHESS_KNIGHT, CHESS_CODES):
        if code == CHESS_KING or code == CHESS_KING + 1:
            continue
        rest = side.own[code]
        while rest:
            square = _first(rest)
            rest &= rest - 1
            reach = _reach(kernel, side, code, square)
            value += _SQUARES[code][square] + _MOBILITY[code][_count(reach & free_squares)]
            attacks[0] += _ATTACK_WEIGHT[code] * _count(reach & ring)
            phase[0] += _PHASE[code]
    return value + (_BISHOPS if side.own[CHESS_BISHOP] & (side.own[CHESS_BISHOP] - 1) else 0)


cdef Pair _rooks_and_king(const Side *side) noexcept nogil:
    """Value files that rooks have open, and the king's place behind its pawns."""
    cdef uint64_t pawns = side.own[CHESS_PAWN]
    cdef uint64_t rest = side.own[CHESS_ROOK]
    cdef uint64_t file
    cdef int king = _first(side.own[CHESS_KING])
    cdef uint64_t shelter = king_attacks(king) << 8 | king_attacks(king)
    cdef Pair value = _SQUARES[CHESS_KING][king] + _SHELTER * _count(
        shelter & ~(((<uint64_t>1 << (king & 56)) - 1)) & pawns)
    while rest:
        file = <uint64_t>0x0101010101010101 << (_first(rest) & 7)
        rest &= rest - 1
        if not file & pawns:
            value += _HALF_OPEN_FILE if file & side.their_pawns else _OPEN_FILE
    return value


cdef int evaluate(const ChessBoardStruct *board) noexcept nogil:
    """Value a position for the side to move.  Units: centipawns.  Never fails.  GIL: nogil."""
    cdef Side us = _side(board, True)
    cdef Side them = _side(board, False)
    cdef int phase = 0
    cdef int our_attacks = 0
    cdef int their_attacks = 0
    cdef Pair value = _pawns(&us) - _pawns(&them)
    cdef int danger
    value += _pieces(&us, &phase, &our_attacks) - _pieces(&them, &phase, &their_attacks)
    value += _rooks_and_king(&us) - _rooks_and_king(&them)
    danger = _DANGER[min(our_attacks, 63)] - _DANGER[min(their_attacks, 63)]
    phase = min(phase, PHASE_MAX)
    return TEMPO + ((_early(value) + danger) * phase
                    + _late(value) * (PHASE_MAX - phase)) // PHASE_MAX


def static_value(ChessBoard board not None):
    """Return the value of a position for the side to move, in centipawns, nothing searched."""
    return evaluate(&board.board)


# ---- the terms' values: set by hand, not tuned --------------------------------------------------

_MATERIAL = {
    CHESS_PAWN: (82, 100), CHESS_KNIGHT: (325, 295), CHESS_BISHOP: (340, 310),
    CHESS_ROOK: (470, 530), CHESS_QUEEN: (990, 960), CHESS_KING: (0, 0)}
_CENTRE = {
    CHESS_PAWN: (3, 0), CHESS_KNIGHT: (8, 7), CHESS_BISHOP: (4, 3), CHESS_ROOK: (2, 0),
    CHESS_QUEEN: (1, 5), CHESS_KING: (-8, 10)}
_ADVANCE = {
    CHESS_PAWN: (2, 5), CHESS_KNIGHT: (3, 1), CHESS_BISHOP: (1, 0), CHESS_ROOK: (1, 2),
    CHESS_QUEEN: (0, 2), CHESS_KING: (-14, 1)}
_MOBILE = {CHESS_KNIGHT: (4, 4, 4), CHESS_BISHOP: (5, 4, 6), CHESS_ROOK: (2, 5, 7),
           CHESS_QUEEN: (1, 3, 13)}


def _set_terms():
    global _BISHOPS, _DOUBLED, _ISOLATED, _OPEN_FILE, _HALF_OPEN_FILE, _SHELTER, _PROTECTED
    for code, (early, late) in _MATERIAL.items():
        for square in range(64):
            file, rank = square % 8, square // 8
            centre = 6 - abs(2 * file - 7) // 2 - abs(2 * rank - 7) // 2      # 0 .. 6
            centre_early, centre_late = _CENTRE[code]
            rank_early, rank_late = _ADVANCE[code]
            if code == CHESS_PAWN:
                centre = 6 - abs(2 * file - 7)       # of files alone: -1 .. 5
            _SQUARES[code][square] = _pair(
                early + centre_early * (centre - 3) + rank_early * (rank - 3),
                late + centre_late * (centre - 3) + rank_late * (rank - 3))
    for code, (early, late, usual) in _MOBILE.items():
        for count in range(32):
            _MOBILITY[code][count] = _pair(early * (count - usual), late * (count - usual))
    for rank, late in enumerate((0, 8, 14, 30, 60, 110, 180, 0)):
        _PASSED[rank] = _pair(late // 3, late)
    for square in range(64):
        file = square % 8
        near = range(max(file - 1, 0), min(file + 2, 8))
        files = sum(0x0101010101010101 << each for each in near)
        _FRONT[square] = files & (0xFFFFFFFFFFFFFFFF << (square // 8 * 8 + 8)) & 0xFFFFFFFFFFFFFFFF
        _BESIDE[file] = files & ~(0x0101010101010101 << file)
    for attacks in range(64):
        _DANGER[attacks] = min(attacks * attacks // 5 + attacks, 500)
    _BISHOPS, _DOUBLED, _ISOLATED = _pair(25, 45), _pair(-8, -18), _pair(-10, -12)
    _OPEN_FILE, _HALF_OPEN_FILE = _pair(26, 8), _pair(12, 6)
    _SHELTER, _PROTECTED = _pair(12, 0), _pair(8, 5)


_set_terms()

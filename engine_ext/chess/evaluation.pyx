"""How good a position is at a look: tapered terms, each worth so much early and so much late.

Knows men and where they stand.  Must not know moves to come: beyond what is attacked, threats are
the search's matter.  Values are centipawns for the side to move; all arithmetic is of integers.
The terms' values are those of data/terms.txt.
"""

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport (
    CHESS_BISHOP, CHESS_CODES, CHESS_KING, CHESS_KNIGHT, CHESS_PAWN, CHESS_QUEEN, CHESS_ROOK,
    ChessBoard, ChessBoardStruct, ChessKernel, chess_beside, chess_kernel, chess_men,
    chess_occupied, chess_pawn_attacks, chess_their_pawn_attacks, king_attacks, knight_attacks)

from engine_ext.chess import terms as _terms

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil
    uint64_t _flipped "__builtin_bswap64" (uint64_t) noexcept nogil

VALUE_MAX = EVALUATION_MAX
TERM_COUNT = sum(_terms.GROUPS.values())

# The first term of each group, in terms.GROUPS' order, which is checked below.
cdef enum:
    SQUARES = 0               # pawn, knight, bishop, rook, queen, king: 32, files mirrored
    MOBILITY_KNIGHT = 192     # by squares that it reaches unattacked by pawns
    MOBILITY_BISHOP = 201
    MOBILITY_ROOK = 215
    MOBILITY_QUEEN = 230
    PASSED = 258              # by rank, as the five that follow
    PASSED_FREE = 266         # nothing stands before it or attacks there
    PASSED_OWN_KING = 274     # by the king's distance from the square before it
    PASSED_THEIR_KING = 282
    PROTECTED = 290
    PHALANX = 298
    DOUBLED = 306
    ISOLATED = 307
    BACKWARD = 308
    BISHOPS = 309
    BAD_BISHOP = 310          # for each pawn of ours on its colour
    OUTPOST = 311             # of a knight, of a bishop
    OPEN_FILE = 313           # of a rook: half open, open
    SHELTER = 315             # by how near our pawn is on a file at our king; 7: none
    STORM = 323               # theirs
    DANGER = 331              # by weighed attacks around their king
    THREAT_BY_PAWN = 395      # by the code of what is attacked, as those that follow
    THREAT_BY_MINOR = 403
    THREAT_BY_ROOK = 411
    HANGING = 419             # attacked, and not protected
    TEMPO = 427
    TERMS = 428

cdef Pair _WEIGHTS[TERMS]
cdef uint64_t _FRONT[64]                  # squares before a pawn on its file and beside it
cdef uint64_t _BESIDE[8]                  # the files beside one
cdef int *_SQUARES_OF = [0, 0, 32, 160, 0, 64, 96, 128]
cdef int *_MOBILITY_OF = [0, 0, MOBILITY_KNIGHT, 0, 0, MOBILITY_BISHOP, MOBILITY_ROOK,
                          MOBILITY_QUEEN]
cdef int *_ATTACK_WEIGHT = [0, 0, 2, 0, 0, 2, 3, 5]
cdef int *_PHASE = [0, 0, 1, 0, 0, 1, 2, 4]


cdef inline int _early(Pair pair) noexcept nogil:
    return <short>(pair & 0xFFFF)


cdef inline int _late(Pair pair) noexcept nogil:
    return (pair - _early(pair)) >> 16


ctypedef struct Side:
    # A side as it sees itself: its pawns go up.
    uint64_t own[CHESS_CODES]
    uint64_t their[CHESS_CODES]
    uint64_t men
    uint64_t their_men
    uint64_t occupied
    uint64_t pawn_attacks         # what it attacks, by whom
    uint64_t minor_attacks
    uint64_t rook_attacks
    uint64_t attacks              # by anybody
    int king
    int their_king


cdef void _show(const ChessBoardStruct *board, bint is_ours, Side *side) noexcept nogil:
    """Show the men as one side sees them."""
    cdef uint64_t occupied = chess_occupied(board)
    cdef uint64_t men = board.us if is_ours else occupied ^ board.us
    cdef uint64_t both
    cdef int code
    if not is_ours:
        men = _flipped(men)
        occupied = _flipped(occupied)
    for code in range(1, CHESS_CODES):
        both = chess_men(board, code)
        if not is_ours:
            both = _flipped(both)
        side.own[code] = both & men
        side.their[code] = both & ~men
    side.men = men
    side.their_men = occupied ^ men
    side.occupied = occupied
    side.king = _first(side.own[CHESS_KING])
    side.their_king = _first(side.their[CHESS_KING])
    side.pawn_attacks = chess_pawn_attacks(side.own[CHESS_PAWN])
    side.minor_attacks = side.rook_attacks = 0
    side.attacks = side.pawn_attacks | king_attacks(side.king)


cdef inline Pair _place(int code, int square) noexcept nogil:
    cdef int file = square & 7
    return _WEIGHTS[SQUARES + _SQUARES_OF[code] + (square >> 3) * 4 + min(file, 7 - file)]


cdef inline int _distance(int one, int other) noexcept nogil:
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


cdef Pair _pawns(const Side *side, uint64_t their_attacks) noexcept nogil:
    """Value pawns: where they stand, how they stand together, whether they may become queens."""
    cdef uint64_t own = side.own[CHESS_PAWN]
    cdef uint64_t rest = own
    cdef uint64_t together = chess_beside(own) & own
    cdef uint64_t held = chess_their_pawn_attacks(side.their[CHESS_PAWN])
    cdef uint64_t behind
    cdef Pair value = 0
    cdef int square, rank
    while rest:
        square = _first(rest)
        rest &= rest - 1
        rank = square >> 3
        value += _place(CHESS_PAWN, square)
        behind = _BESIDE[square & 7] & own
        if side.pawn_attacks >> square & 1:
            value += _WEIGHTS[PROTECTED + rank]
        elif not behind:
            value += _WEIGHTS[ISOLATED]
        elif not behind & ((<uint64_t>1 << (8 * rank + 8)) - 1) and held >> (square + 8) & 1:
            value += _WEIGHTS[BACKWARD]
        if together >> square & 1:
            value += _WEIGHTS[PHALANX + rank]
        if own & (<uint64_t>0x0101010101010100 << square):
            value += _WEIGHTS[DOUBLED]
        elif not _FRONT[square] & side.their[CHESS_PAWN]:
            value += _WEIGHTS[PASSED + rank]
            value += _WEIGHTS[PASSED_OWN_KING + _distance(square + 8, side.king)]
            value += _WEIGHTS[PASSED_THEIR_KING + _distance(square + 8, side.their_king)]
            if not (side.occupied | their_attacks) >> (square + 8) & 1:
                value += _WEIGHTS[PASSED_FREE + rank]
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


cdef inline Pair _extras(const Side *side, int code, int square) noexcept nogil:
    """What a minor piece or a rook is worth more or less, as pawns stand around it."""
    cdef uint64_t file = <uint64_t>0x0101010101010101 << (square & 7)
    cdef uint64_t light = <uint64_t>0x55AA55AA55AA55AA
    cdef Pair value = 0
    if code == CHESS_ROOK:
        if not file & side.own[CHESS_PAWN]:
            value = _WEIGHTS[OPEN_FILE + (file & side.their[CHESS_PAWN] == 0)]
    elif code != CHESS_QUEEN:
        if (square >= 24 and side.pawn_attacks >> square & 1
                and not _FRONT[square] & ~file & side.their[CHESS_PAWN]):
            value = _WEIGHTS[OUTPOST + (code == CHESS_BISHOP)]
        if code == CHESS_BISHOP:
            if not light >> square & 1:
                light = ~light
            value += _WEIGHTS[BAD_BISHOP] * _count(side.own[CHESS_PAWN] & light)
    return value


cdef Pair _pieces(Side *side, int *phase, int *danger) noexcept nogil:
    """Value knights, bishops, rooks and queens; note what they attack, and around their king."""
    cdef const ChessKernel *kernel = chess_kernel()
    cdef uint64_t free_squares = ~(
        chess_their_pawn_attacks(side.their[CHESS_PAWN]) | side.men)
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
            value += _place(code, square)
            value += _WEIGHTS[_MOBILITY_OF[code] + _count(reach & free_squares)]
            value += _extras(side, code, square)
            danger[0] += _ATTACK_WEIGHT[code] * _count(reach & ring)
            phase[0] += _PHASE[code]
            side.attacks |= reach
            if code == CHESS_ROOK:
                side.rook_attacks |= reach
            elif code != CHESS_QUEEN:
                side.minor_attacks |= reach
    if side.own[CHESS_BISHOP] & (side.own[CHESS_BISHOP] - 1):
        value += _WEIGHTS[BISHOPS]
    return value


cdef Pair _king(const Side *side) noexcept nogil:
    """Value the king's place, and the pawns of both sides on the files at it."""
    cdef int file = min(max(side.king & 7, 1), 6) - 1
    cdef uint64_t ahead = <uint64_t>0xFFFFFFFFFFFFFFFF << (side.king & 56)
    cdef uint64_t column, own, their
    cdef Pair value = _place(CHESS_KING, side.king)
    cdef int i, rank = side.king >> 3
    for i in range(file, file + 3):
        column = <uint64_t>0x0101010101010101 << i & ahead
        own = column & side.own[CHESS_PAWN]
        their = column & side.their[CHESS_PAWN]
        value += _WEIGHTS[SHELTER + (min((_first(own) >> 3) - rank, 6) if own else 7)]
        value += _WEIGHTS[STORM + (min((_first(their) >> 3) - rank, 6) if their else 7)]
    return value


cdef Pair _threats(const Side *side, uint64_t their_attacks) noexcept nogil:
    """Value what of theirs is attacked by cheaper men, or by anybody and protected by nobody."""
    cdef Pair value = 0
    cdef uint64_t men
    cdef int code
    for code in range(CHESS_PAWN, CHESS_CODES):
        if code == CHESS_KING or code == CHESS_KING + 1:
            continue
        men = side.their[code]
        if not men & side.attacks:
            continue
        value += _WEIGHTS[THREAT_BY_PAWN + code] * _count(men & side.pawn_attacks)
        value += _WEIGHTS[THREAT_BY_MINOR + code] * _count(men & side.minor_attacks)
        value += _WEIGHTS[THREAT_BY_ROOK + code] * _count(men & side.rook_attacks)
        value += _WEIGHTS[HANGING + code] * _count(men & side.attacks & ~their_attacks)
    return value


cdef Pair evaluation_sum(const ChessBoardStruct *board, int *phase) noexcept nogil:
    """Add up the terms for the side to move, and tell how early it is.  GIL: nogil."""
    cdef Side us
    cdef Side them
    cdef int our_danger = 0
    cdef int their_danger = 0
    cdef Pair value
    _show(board, True, &us)
    _show(board, False, &them)
    phase[0] = 0
    value = _WEIGHTS[TEMPO]
    value += _pieces(&us, phase, &our_danger) - _pieces(&them, phase, &their_danger)
    value += _WEIGHTS[DANGER + min(our_danger, 63)] - _WEIGHTS[DANGER + min(their_danger, 63)]
    value += _pawns(&us, _flipped(them.attacks)) - _pawns(&them, _flipped(us.attacks))
    value += _king(&us) - _king(&them)
    value += _threats(&us, _flipped(them.attacks)) - _threats(&them, _flipped(us.attacks))
    phase[0] = min(phase[0], PHASE_MAX)
    return value


cdef int evaluate(const ChessBoardStruct *board) noexcept nogil:
    """Value a position for the side to move.  Units: centipawns.  Never fails.  GIL: nogil."""
    cdef int phase
    cdef Pair sum_ = evaluation_sum(board, &phase)
    return (_early(sum_) * phase + _late(sum_) * (PHASE_MAX - phase)) // PHASE_MAX


cdef int placement(int code, int square) noexcept nogil:
    """Value a man's square alone.  Units: centipawns.  Never fails.  GIL: nogil."""
    cdef Pair pair = _place(code, square)
    return (_early(pair) + _late(pair)) // 2


cdef Pair *evaluation_weights() noexcept nogil:
    """Give the terms' values, for training to set.  Errors: never fails.  GIL: nogil."""
    return _WEIGHTS


def static_value(ChessBoard board not None):
    """Return the value of a position for the side to move, in centipawns, nothing searched."""
    return evaluate(&board.board)


def _set_up():
    starts = _terms.group_starts()
    named = {
        "mobility_knight": MOBILITY_KNIGHT, "passed": PASSED, "doubled": DOUBLED,
        "shelter": SHELTER, "danger": DANGER, "threat_by_pawn": THREAT_BY_PAWN,
        "hanging": HANGING, "tempo": TEMPO}
    assert TERM_COUNT == TERMS and all([starts[name] == named[name] for name in named])
    for number, (early, late) in enumerate(_terms.read_terms(_terms.TERMS_FILE.read_text())):
        _WEIGHTS[number] = early + late * 65_536
    for square in range(64):
        file = square % 8
        near = range(max(file - 1, 0), min(file + 2, 8))
        files = sum([0x0101010101010101 << each for each in near])
        _FRONT[square] = files & (0xFFFFFFFFFFFFFFFF << (square // 8 * 8 + 8)) & 0xFFFFFFFFFFFFFFFF
        _BESIDE[file] = files & ~(0x0101010101010101 << file)


_set_up()

# built with: chess_kernel.c
"""The board: what stands where, whose turn it is, and what the rules say about it.

Knows the layout (chess_kernel.h), legal moves, those of Chess960 among them, and keys.  Must not
know FEN, how good a position is, nor the moves that led to it: repetition is its callers' matter.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset
from engine_ext.control cimport Control, RunControl, control_is_stopped, control_step
from engine_ext.kernels cimport kernel_forced, kernel_names

cdef extern from "chess_kernel.h" nogil:
    const ChessKernel *mp_chess_kernel()
    const char *mp_chess_kernel_available(int index)
    int mp_chess_kernel_force(const char *name)
    ChessBoardStruct mp_chess_after(const ChessBoardStruct *board, ChessMove move)
    ChessBoardStruct mp_chess_passed(const ChessBoardStruct *board)
    void mp_chess_key(ChessBoardStruct *board)
    void mp_chess_close(ChessBoardStruct *board)
    uint64_t mp_chess_knight(int square)
    uint64_t mp_chess_ring(int square)

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil
    uint64_t _flipped "__builtin_bswap64" (uint64_t) noexcept nogil

PERFT_DEPTH_MAX = 15          # from the start 2e21 games: nobody waits for that
CLOCK_MAX = 65_535 - 4096     # room for a search to count on

ctypedef int (*Generator)(const ChessBoardStruct *board, ChessMove *moves) noexcept nogil

cdef enum:
    PERFT_POLL_DEPTH = 5      # up to some hundred million games, a tenth of a second, go unasked

_SIGNS = {"p": CHESS_PAWN, "n": CHESS_KNIGHT, "k": CHESS_KING, "b": CHESS_BISHOP,
          "r": CHESS_ROOK, "q": CHESS_QUEEN}
_SIGN_OF = {code: sign for sign, code in _SIGNS.items()}
_PROMOTIONS = {"n": CHESS_KNIGHT, "b": CHESS_BISHOP, "r": CHESS_ROOK, "q": CHESS_QUEEN}
_PROMOTION_OF = {code: sign for sign, code in _PROMOTIONS.items()}


cdef const ChessKernel *chess_kernel() noexcept nogil:
    """Give the kernel in use.  Errors: never fails.  GIL: nogil.  Owner: static memory."""
    return mp_chess_kernel()


cdef uint64_t knight_attacks(int square) noexcept nogil:
    """Mask what a knight attacks.  Errors: never fails.  GIL: nogil."""
    return mp_chess_knight(square)


cdef uint64_t king_attacks(int square) noexcept nogil:
    """Mask the squares around one.  Errors: never fails.  GIL: nogil."""
    return mp_chess_ring(square)


cdef void board_play(const ChessBoardStruct *board, ChessMove move,
                     ChessBoardStruct *after) noexcept nogil:
    """Play a legal move.  Errors: never fails.  GIL: nogil."""
    after[0] = mp_chess_after(board, move)


cdef void board_pass(const ChessBoardStruct *board, ChessBoardStruct *after) noexcept nogil:
    """Give the move to the other side, which must not stand in check.  GIL: nogil."""
    after[0] = mp_chess_passed(board)


cdef void board_set_key(ChessBoardStruct *board) noexcept nogil:
    """Set the key by all else.  Errors: never fails.  GIL: nogil."""
    mp_chess_key(board)


cdef bint board_is_check(const ChessBoardStruct *board) noexcept nogil:
    """Tell whether the king of the side to move is attacked.  Never fails.  GIL: nogil."""
    cdef int king = _first(chess_men(board, CHESS_KING) & board.us)
    cdef uint64_t occupied = chess_occupied(board)
    return (chess_kernel().attackers(board, king, occupied) & ~board.us) != 0


cdef bint board_is_dead(const ChessBoardStruct *board) noexcept nogil:
    """Tell whether at most one knight or bishop is left beside the kings.  Never fails.  nogil."""
    cdef uint64_t rest = chess_occupied(board)
    rest &= rest - 1
    rest &= rest - 1
    return rest & (rest - 1) == 0 and not (
        chess_men(board, CHESS_PAWN) | chess_men(board, CHESS_ROOK) | chess_men(board, CHESS_QUEEN))


cdef uint64_t board_perft(const ChessBoardStruct *board, int depth,
                          Control *control) noexcept nogil:
    """Count the games of `depth` plies; too few once `control` is stopped.

    `control` may be NULL.  Errors: never fails.  GIL: nogil.
    """
    cdef ChessMove moves[CHESS_MOVES_MAX]
    cdef ChessBoardStruct after
    cdef uint64_t games = 0
    cdef int count
    cdef int i
    if depth == 0:
        return 1
    if control is not NULL and control_is_stopped(control):
        return 0
    if depth <= PERFT_POLL_DEPTH:
        games = chess_kernel().perft(board, depth)
        if control is not NULL:
            control_step(control, games)
        return games
    count = chess_kernel().moves(board, moves)
    for i in range(count):
        after = mp_chess_after(board, moves[i])
        games += board_perft(&after, depth - 1, control)
    return games


cdef class ChessBoard:
    """An immutable position with what its rules need; hashable, equal by value.

    Args:
        signs: 64 characters from a1, b1, ... on: PNBRQK of White, pnbrqk of Black, - for nothing.
        is_black: whether Black is to move.
        castling: squares of the rooks, of both sides, that may still castle; bit 0 is a1.
        en_passant: the square behind a pawn that has just made a double step, 0 for a1; None:
            there is none.  It is kept only if a pawn may take there: by the rules of repetition
            the position is the same without it (FIDE, Laws of Chess, 9.2.3).
        clock: half-moves since a pawn moved or a man was taken.
        move_number: as FEN counts.

    Raises:
        ValueError: no game leads to such a position, as far as one look can tell; says why.
    """

    def __init__(self, signs, is_black=False, castling=0, en_passant=None, clock=0, move_number=1):
        _check_signs(signs)
        if not 0 <= clock <= CLOCK_MAX:
            raise ValueError(f"the half-move clock is 0 to {CLOCK_MAX}, not {clock}")
        if not 1 <= move_number <= CLOCK_MAX:
            raise ValueError(f"a move's number is 1 to {CLOCK_MAX}, not {move_number}")
        cdef int square
        cdef uint64_t white = 0
        memset(&self.board, 0, sizeof(self.board))
        for square, sign in enumerate(signs):
            if sign != "-":
                chess_put(&self.board, <uint64_t>1 << square, _SIGNS[sign.lower()])
                white |= <uint64_t>sign.isupper() << square
        self.board.us = white
        self.board.castling = castling
        self.board.en_passant = CHESS_NO_SQUARE
        self.board.clock = clock
        self.move_number = move_number
        if is_black:
            chess_give_move(&self.board)
        _check_castling(&self.board)
        if en_passant is not None:
            _open(&self.board, en_passant)
        _check_kings(&self.board)
        mp_chess_close(&self.board)
        mp_chess_key(&self.board)

    @property
    def signs(self):
        """What stands where: 64 characters from a1 on, as the constructor takes them."""
        signs = []
        for square in range(64):
            seen = square ^ 56 if self.board.is_black else square
            sign = _SIGN_OF.get(chess_code(&self.board, seen), "-")
            is_white = bool(self.board.us >> seen & 1) != self.is_black
            signs.append(sign.upper() if is_white else sign)
        return "".join(signs)

    @property
    def is_black(self):
        """Whether Black is to move."""
        return bool(self.board.is_black)

    @property
    def castling(self):
        """Squares of the rooks that may still castle; bit 0 is a1."""
        return _flipped(self.board.castling) if self.board.is_black else self.board.castling

    @property
    def en_passant(self):
        """The square behind a pawn that a pawn may take in passing; None if there is none."""
        if self.board.en_passant == CHESS_NO_SQUARE:
            return None
        return self.board.en_passant ^ (56 if self.board.is_black else 0)

    @property
    def clock(self):
        """Half-moves since a pawn moved or a man was taken."""
        return self.board.clock

    @property
    def key(self):
        """128 bits that name men, castling, en passant and the side to move; not the clock."""
        return <object>self.board.key[0] << 64 | <object>self.board.key[1]

    @property
    def is_check(self):
        """Whether the side to move is in check."""
        return board_is_check(&self.board)

    @property
    def move_count(self):
        """How many legal moves there are; 0: mate or stalemate."""
        return chess_kernel().count(&self.board)

    def moves(self, is_chess960=False):
        """Return the legal moves in UCI's words, sorted.

        Args:
            is_chess960: whether castling is written as the king's move to its rook's square, as
                Chess960 needs.
        """
        return _names(&self.board, chess_kernel().moves, is_chess960)

    def captures(self, is_chess960=False):
        """Return the legal captures and promotions to a queen, sorted."""
        return _names(&self.board, chess_kernel().captures, is_chess960)

    def play(self, name):
        """Return the board after a move in UCI's words; castling may be written either way.

        Raises:
            ValueError: the move is not legal here.
        """
        cdef ChessMove move = move_named(&self.board, name)
        cdef ChessBoardStruct after = mp_chess_after(&self.board, move)
        return chess_board(&after, self.move_number + self.board.is_black)

    def attackers(self, square):
        """Return the squares of all men that attack a square, in order; 0 is a1."""
        if not 0 <= square < 64:
            raise ValueError(f"a square is 0 to 63, not {square}")
        cdef int flip = 56 if self.board.is_black else 0
        cdef uint64_t men = chess_kernel().attackers(&self.board, square ^ flip,
                                                     chess_occupied(&self.board))
        return sorted([each ^ flip for each in range(64) if men >> each & 1])

    def passed(self):
        """Return the board with the other side to move, as after a null move.

        Raises:
            ValueError: the side to move is in check.
        """
        if self.is_check:
            raise ValueError("a side in check cannot pass")
        cdef ChessBoardStruct after = mp_chess_passed(&self.board)
        return chess_board(&after, self.move_number + self.board.is_black)

    def mirrored(self):
        """Return the position with the colours exchanged and the ranks reversed."""
        signs = self.signs.swapcase()
        return ChessBoard(
            "".join([signs[8 * rank:8 * rank + 8] for rank in range(7, -1, -1)]),
            not self.is_black, _flipped(self.castling),
            None if self.en_passant is None else self.en_passant ^ 56,
            self.clock, self.move_number)

    def _state(self):
        return (self.signs, self.is_black, self.castling, self.en_passant, self.clock,
                self.move_number)

    def __eq__(self, other):
        if not isinstance(other, ChessBoard):
            return NotImplemented
        return self._state() == other._state()

    def __hash__(self):
        return hash(self._state())

    def __repr__(self):
        return f"ChessBoard{self._state()!r}"

    def __reduce__(self):
        return ChessBoard, self._state()


cdef ChessBoard chess_board(const ChessBoardStruct *board, int move_number):
    """Copy a board into an object without checking it.  GIL: needs."""
    cdef ChessBoard made = ChessBoard.__new__(ChessBoard)
    made.board = board[0]
    made.move_number = move_number
    return made


def _check_signs(signs):
    if len(signs) != 64 or set(signs) - set("PNBRQKpnbrqk-"):
        raise ValueError("a chess board is 64 characters of PNBRQKpnbrqk-")
    for king, colour in (("K", "White"), ("k", "Black")):
        if signs.count(king) != 1:
            raise ValueError(f"{colour} has {signs.count(king)} kings, one was expected")
    for men, colour in ((str.isupper, "White"), (str.islower, "Black")):
        if sum(map(men, signs)) > 16:
            raise ValueError(f"{colour} has {sum(map(men, signs))} men, more than 16")
    if set("Pp") & set(signs[:8] + signs[56:]):
        raise ValueError("a pawn stands on the first or the last rank")


cdef int _check_castling(const ChessBoardStruct *board) except -1:
    """Demand that each rook that may castle stands beside its king on their rank."""
    cdef uint64_t rooks = chess_men(board, CHESS_ROOK)
    cdef uint64_t kings = chess_men(board, CHESS_KING)
    if board.castling & ~rooks:
        raise ValueError("castling is allowed with a rook that is not there")
    for side, home in ((board.us, <uint64_t>0xFF), (~board.us, <uint64_t>0xFF << 56)):
        rights = board.castling & side
        if not rights:
            continue
        if rights & ~home or not kings & side & home:
            raise ValueError("castling is allowed with a king or a rook off its first rank")
        king = _first(kings & side)
        left = rights & ((<uint64_t>1 << king) - 1)
        if _count(left) > 1 or _count(rights ^ left) > 1:
            raise ValueError("castling is allowed with two rooks of one side of the king")
    return 0


cdef int _open(ChessBoardStruct *board, int square) except -1:
    """Set the square behind a pawn, if a pawn stands ready to take it there, legally or not."""
    if not 0 <= square < 64:
        raise ValueError(f"a square is 0 to 63, not {square}")
    cdef int seen = square ^ 56 if board.is_black else square
    cdef uint64_t pawns = chess_men(board, CHESS_PAWN)
    cdef uint64_t taken = <uint64_t>1 << (seen - 8 if seen >= 8 else 0)
    cdef uint64_t empty = ~chess_occupied(board)
    cdef uint64_t way = <uint64_t>1 << seen | <uint64_t>1 << (seen + 8 if seen < 56 else 0)
    if seen // 8 != 5 or not pawns & ~board.us & taken or way & ~empty:
        raise ValueError("no pawn has just made the double step that en passant asks for")
    if chess_beside(taken) & pawns & board.us:
        board.en_passant = seen
    return 0


cdef int _check_kings(const ChessBoardStruct *board) except -1:
    """Demand that the side that has just moved has not left its king attacked."""
    cdef int king = _first(chess_men(board, CHESS_KING) & ~board.us)
    if chess_kernel().attackers(board, king, chess_occupied(board)) & board.us:
        raise ValueError("the side that is not to move is in check")
    return 0


def square_name(square):
    """Name a square: 0 is a1, 63 is h8."""
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


cdef ChessMove move_named(const ChessBoardStruct *board, str name) except? 0:
    """Find a legal move by its name; ValueError.  GIL: needs."""
    cdef ChessMove found[CHESS_MOVES_MAX]
    cdef int count = chess_kernel().moves(board, found)
    for is_chess960 in (False, True):     # a king that steps beside its rook is meant first
        for i in range(count):
            if move_name(board, found[i], is_chess960) == name:
                return found[i]
    raise ValueError(f"{name!r} is no legal move here")


cdef str move_name(const ChessBoardStruct *board, ChessMove move, bint is_chess960):
    """Write a legal move in UCI's words.  GIL: needs."""
    cdef int flip = 56 if board.is_black else 0
    start, to, kind = move & 63, move >> 6 & 63, move >> 12
    if kind == CHESS_CASTLING and not is_chess960:
        to = 6 if to > start else 2
    return square_name(start ^ flip) + square_name(to ^ flip) + _PROMOTION_OF.get(kind, "")


cdef list _names(const ChessBoardStruct *board, Generator generator, bint is_chess960):
    cdef ChessMove found[CHESS_MOVES_MAX]
    cdef int count = generator(board, found)
    return sorted([move_name(board, found[i], is_chess960) for i in range(count)])


def perft(ChessBoard board not None, depth, RunControl control=None):
    """Count the ways to play `depth` plies.

    From the start: 20, 400, 8902, 197281, 4865609, 119060324, 3195901860, ...

    Args:
        board: where to count from.
        depth: 0 to PERFT_DEPTH_MAX plies.
        control: counts games as steps; stopping it ends the count early, too low.

    Raises:
        ValueError: the depth is out of range.
    """
    if not 0 <= depth <= PERFT_DEPTH_MAX:
        raise ValueError(f"the depth of perft is 0 to {PERFT_DEPTH_MAX}, not {depth}")
    cdef int plies = depth
    cdef uint64_t count
    cdef Control *shared = &control.control if control is not None else NULL
    with nogil:
        count = board_perft(&board.board, plies, shared)
    return count


def kernel_name():
    """Name the kernel in use: the fastest this processor runs, unless forced."""
    return chess_kernel().name.decode()


def available_kernels():
    """List the kernels this processor can run, fastest first."""
    return kernel_names(mp_chess_kernel_available)


def force_kernel(name):
    """Use one kernel from now on, in the whole process; for tests and measurements.

    Errors: ValueError if this processor has no kernel of that name.
    """
    kernel_forced(name, mp_chess_kernel_force, mp_chess_kernel_available)


mp_chess_kernel()        # chosen once, before any thread searches

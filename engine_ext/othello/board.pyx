# built with: othello_kernel.c
"""The board: who has discs where, whose turn it is, and what the rules say about it.

Knows the layout (board.pxd), legal moves, turned and stable discs, symmetries and the text of a
board.  Must not know how good a position is, nor whole games.

A side without a legal move passes; the game is over when both would.  Empty squares then count
for the winner, as Othello tournaments do.
"""

from libc.stdint cimport uint64_t
from engine_ext.control cimport Control, RunControl, control_is_stopped, control_step
from engine_ext.kernels cimport kernel_forced, kernel_names

cdef extern from "othello_kernel.h" nogil:
    const OthelloKernel *mp_othello_kernel()
    const char *mp_othello_kernel_available(int index)
    int mp_othello_kernel_force(const char *name)
    uint64_t mp_othello_stable(uint64_t player, uint64_t opponent, uint64_t squares)

cdef extern from *:
    int _count "__builtin_popcountll" (uint64_t) noexcept nogil
    int _first "__builtin_ctzll" (uint64_t) noexcept nogil
    uint64_t _bytes_swapped "__builtin_bswap64" (uint64_t) noexcept nogil

SIZES = (4, 6, 8)
BLACK = "X"
WHITE = "O"

# From the start depth 14 would take an hour; a 4 x 4 game is over after 12 moves and some passes.
PERFT_DEPTH_MAX = 20


cdef enum:
    PERFT_POLL_DEPTH = 4      # counts of fewer plies, some hundred positions, are not stopped


cdef const OthelloKernel *othello_kernel() noexcept nogil:
    """Give the kernel in use.  Errors: never fails.  GIL: nogil.  Owner: static memory."""
    return mp_othello_kernel()


cdef uint64_t board_squares(int size) noexcept nogil:
    """Mask the squares of a board of 4, 6 or 8 squares a side; 0 for another size."""
    if size == 8:
        return <uint64_t>-1
    if size == 6:
        return <uint64_t>0x007E7E7E7E7E7E00
    return <uint64_t>0x00003C3C3C3C0000 if size == 4 else 0


cdef uint64_t board_corners(int size) noexcept nogil:
    """Mask the four corners of a board of 4, 6 or 8 squares a side.  Never fails.  GIL: nogil."""
    if size == 8:
        return <uint64_t>0x8100000000000081
    return <uint64_t>0x0042000000004200 if size == 6 else <uint64_t>0x0000240000240000


cdef uint64_t board_moves(const Board *board, uint64_t squares) noexcept nogil:
    """Mask the player's legal squares.  Errors: never fails.  GIL: nogil."""
    return othello_kernel().moves(board.player, board.opponent) & squares


cdef int board_final_score(const Board *board, uint64_t squares) noexcept nogil:
    """Score a finished game for the player, -64..64.  Errors: never fails.  GIL: nogil."""
    cdef int difference = _count(board.player) - _count(board.opponent)
    cdef int empties = _count(squares & ~(board.player | board.opponent))
    if difference == 0:
        return 0
    return difference + empties if difference > 0 else difference - empties


cdef uint64_t board_stable(const Board *board, uint64_t squares) noexcept nogil:
    """Mask discs of the player that can never turn, an estimate from below.

    A disc counts if it keeps its colour on an edge whatever is placed there, or if each of its
    four lines is full or has such a disc or the rim beside it.  GIL: nogil.  Never fails.
    """
    return mp_othello_stable(board.player, board.opponent, squares)


cdef inline uint64_t _transposed(uint64_t bits) noexcept nogil:
    """Exchange files and ranks: swap blocks of 4, 2 and 1 across the diagonal a1-h8."""
    cdef uint64_t moved = (bits ^ bits >> 28) & <uint64_t>0x00000000F0F0F0F0
    bits ^= moved ^ moved << 28
    moved = (bits ^ bits >> 14) & <uint64_t>0x0000CCCC0000CCCC
    bits ^= moved ^ moved << 14
    moved = (bits ^ bits >> 7) & <uint64_t>0x00AA00AA00AA00AA
    return bits ^ moved ^ moved << 7


cdef inline uint64_t _files_reversed(uint64_t bits) noexcept nogil:
    bits = bits >> 1 & <uint64_t>0x5555555555555555 | (bits & <uint64_t>0x5555555555555555) << 1
    bits = bits >> 2 & <uint64_t>0x3333333333333333 | (bits & <uint64_t>0x3333333333333333) << 2
    return bits >> 4 & <uint64_t>0x0F0F0F0F0F0F0F0F | (bits & <uint64_t>0x0F0F0F0F0F0F0F0F) << 4


cdef uint64_t bits_transformed(uint64_t bits, int symmetry) noexcept nogil:
    """Apply a symmetry: bit 2 exchanges files and ranks, then bit 0 reverses files, bit 1 ranks.

    Symmetry 0..7.  Errors: never fails.  GIL: nogil.
    """
    if symmetry & 4:
        bits = _transposed(bits)
    if symmetry & 1:
        bits = _files_reversed(bits)
    return _bytes_swapped(bits) if symmetry & 2 else bits


cdef int square_transformed(int square, int symmetry) noexcept nogil:
    """Tell where a symmetry takes a square; SQUARE_NONE stays.  GIL: nogil."""
    if square == SQUARE_NONE:
        return SQUARE_NONE
    return _first(bits_transformed(<uint64_t>1 << square, symmetry))


cdef Board board_canonical(const Board *board, int *symmetry) noexcept nogil:
    """Choose the least (player, opponent) of the eight symmetric boards.

    Errors: never fails.  GIL: nogil.
    """
    cdef Board least = board[0]
    cdef Board other
    cdef int i
    symmetry[0] = 0
    for i in range(1, SYMMETRIES):
        other.player = bits_transformed(board.player, i)
        other.opponent = bits_transformed(board.opponent, i)
        if (other.player < least.player
                or other.player == least.player and other.opponent < least.opponent):
            least = other
            symmetry[0] = i
    return least


cdef uint64_t board_perft(const Board *board, uint64_t squares, int depth,
                          Control *control) noexcept nogil:
    """Count the games of `depth` plies or shorter; a lower count once `control` is stopped.

    `control` may be NULL.  Errors: never fails.  GIL: nogil.
    """
    cdef const OthelloKernel *kernel = othello_kernel()
    cdef uint64_t count = 0
    cdef uint64_t moves
    cdef Board after
    cdef int square
    if depth == 0:
        return 1
    moves = kernel.moves(board.player, board.opponent) & squares
    if moves == 0:
        if kernel.moves(board.opponent, board.player) & squares == 0:
            return 1
        after = board_passed(board)
        return board_perft(&after, squares, depth - 1, control)
    if depth == 1:
        return _count(moves)
    if control is not NULL and depth >= PERFT_POLL_DEPTH and control_is_stopped(control):
        return 0
    while moves:
        square = _first(moves)
        after = board_after(board, square, kernel.flips(board.player, board.opponent, square))
        count += board_perft(&after, squares, depth - 1, control)
        moves &= moves - 1
    if control is not NULL and depth == PERFT_POLL_DEPTH:
        control_step(control, count)
    return count


cdef class OthelloBoard:
    """An immutable board with the side to move; hashable, equal by value.

    Args:
        player: discs of the side to move; bit 0 is a1, bit 7 h1, bit 63 h8.  A smaller board lies
            in the middle of the 8 x 8: its a1 is bit 9 (6 x 6) or bit 18 (4 x 4).
        opponent: the other side's discs.
        to_move: "X" (black, who begins) or "O" (white).
        size: squares a side: 4, 6 or 8.

    Raises:
        ValueError: discs overlap or lie beside the board, or another argument is none of these.
    """

    def __init__(self, player, opponent, to_move=BLACK, size=8):
        squares = _squares(size)
        if to_move not in (BLACK, WHITE):
            raise ValueError(f"the side to move is X or O, not {to_move!r}")
        for discs in (player, opponent):
            if not 0 <= discs <= squares or discs & ~squares:
                raise ValueError(f"discs lie beside the {size} x {size} board")
        if player & opponent:
            raise ValueError(f"both sides have a disc on {_name(player & opponent, size)}")
        self.board.player = player
        self.board.opponent = opponent
        self.size = size
        self.to_move = to_move

    @classmethod
    def start(cls, size=8):
        """Return the start position, black to move."""
        _squares(size)
        return cls(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, BLACK, size)

    @classmethod
    def from_text(cls, text):
        """Read a board: X, O or - for each square from a1, b1, ... on, then the side to move.

        16, 36 or 64 squares; white space does not matter.  `x`, `*` stand for X too, `o` for O,
        `.` for -.

        Raises:
            ValueError: it is something else; the text says what.
        """
        signs = "".join(text.split()).upper().translate(_SYNONYMS)
        size = _SIZE_OF.get(len(signs))
        if size is None:
            has_no_side = len(signs) + 1 in _SIZE_OF
            wrong = "it is missing" if has_no_side else f"not {len(signs)} characters"
            raise ValueError(
                "a board is 64 characters X, O or - (36 or 16 on smaller boards) and the side to "
                f"move, X or O: {wrong}")
        for index, sign in enumerate(signs):
            if sign not in "XO-" or sign == "-" and index == size * size:
                wanted = "X or O" if index == size * size else "X, O or -"
                raise ValueError(f"character {index + 1} of a board is {wanted}, not {sign!r}")
        black, white = (_discs(signs, disc, size) for disc in "XO")
        if signs[-1] == BLACK:
            return cls(black, white, BLACK, size)
        return cls(white, black, WHITE, size)

    def to_text(self):
        """Write the board as `from_text` reads it: the squares, a space, the side to move."""
        signs = []
        for square in _SQUARES_OF[self.size]:
            sign = "-"
            if self.black >> square & 1:
                sign = BLACK
            elif self.white >> square & 1:
                sign = WHITE
            signs.append(sign)
        return "".join(signs) + " " + self.to_move

    @property
    def player(self):
        """Discs of the side to move."""
        return self.board.player

    @property
    def opponent(self):
        """Discs of the side that is not to move."""
        return self.board.opponent

    @property
    def black(self):
        """Black's discs."""
        return self.board.player if self.to_move == BLACK else self.board.opponent

    @property
    def white(self):
        """White's discs."""
        return self.board.opponent if self.to_move == BLACK else self.board.player

    def disc_counts(self):
        """Return how many discs black and white have."""
        return self.black.bit_count(), self.white.bit_count()

    @property
    def empties(self):
        """How many squares are empty."""
        return _count(board_squares(self.size) & ~(self.board.player | self.board.opponent))

    @property
    def stable(self):
        """Discs of the side to move that can never turn, an estimate from below."""
        return board_stable(&self.board, board_squares(self.size))

    @property
    def is_over(self):
        """Whether neither side has a legal move."""
        cdef Board passed = board_passed(&self.board)
        cdef uint64_t squares = board_squares(self.size)
        return board_moves(&self.board, squares) == 0 and board_moves(&passed, squares) == 0

    @property
    def must_pass(self):
        """Whether the side to move has no legal move but the other side has."""
        return board_moves(&self.board, board_squares(self.size)) == 0 and not self.is_over

    @property
    def final_score(self):
        """Discs of the side to move minus the other's, as if the game were over here.

        The empty squares count for the side that has more discs.
        """
        return board_final_score(&self.board, board_squares(self.size))

    def moves(self):
        """Return the legal moves by name, a1, b1, ... on; none if the side must pass."""
        legal = board_moves(&self.board, board_squares(self.size))
        squares = [square for square in _SQUARES_OF[self.size] if legal >> square & 1]
        return tuple([square_name(square, self.size) for square in squares])

    def play(self, move):
        """Return the board after a move, the other side to move even if it must pass.

        Args:
            move: the square's name, such as "f5".

        Raises:
            ValueError: the square does not exist, is not empty, or would turn no disc.
        """
        cdef int square = square_from_name(move, self.size)
        cdef uint64_t flips
        if (self.board.player | self.board.opponent) >> square & 1:
            raise ValueError(f"{move} is not empty")
        flips = othello_kernel().flips(self.board.player, self.board.opponent, square)
        if flips == 0:
            raise ValueError(f"{move} turns no disc of {self._other()}")
        cdef Board after = board_after(&self.board, square, flips)
        return othello_board(&after, self.size, self._other())

    def passed(self):
        """Return the same discs with the other side to move.

        Raises:
            ValueError: the side to move has a legal move.
        """
        if board_moves(&self.board, board_squares(self.size)):
            raise ValueError(f"{self.to_move} has a legal move and cannot pass")
        cdef Board after = board_passed(&self.board)
        return othello_board(&after, self.size, self._other())

    def _other(self):
        return WHITE if self.to_move == BLACK else BLACK

    def transformed(self, symmetry):
        """Return one of the eight symmetric boards; 0 is the board itself.

        Raises:
            ValueError: `symmetry` is not 0 to 7.
        """
        if not 0 <= symmetry < SYMMETRIES:
            raise ValueError(f"a symmetry is 0 to {SYMMETRIES - 1}, not {symmetry}")
        cdef Board other
        other.player = bits_transformed(self.board.player, symmetry)
        other.opponent = bits_transformed(self.board.opponent, symmetry)
        return othello_board(&other, self.size, self.to_move)

    def canonical(self):
        """Return the same board of all symmetric ones: the least by (player, opponent)."""
        cdef int symmetry
        cdef Board least = board_canonical(&self.board, &symmetry)
        return othello_board(&least, self.size, self.to_move)

    def __eq__(self, other):
        if not isinstance(other, OthelloBoard):
            return NotImplemented
        cdef OthelloBoard board = other
        return (self.board.player == board.board.player
                and self.board.opponent == board.board.opponent
                and self.to_move == board.to_move and self.size == board.size)

    def __hash__(self):
        return hash((self.board.player, self.board.opponent, self.to_move, self.size))

    def __repr__(self):
        return f"OthelloBoard.from_text({self.to_text()!r})"

    def __reduce__(self):
        return OthelloBoard, (self.player, self.opponent, self.to_move, self.size)


cdef OthelloBoard othello_board(const Board *board, int size, str to_move):
    """Copy a board into an object without checking it.  GIL: needs."""
    cdef OthelloBoard made = OthelloBoard.__new__(OthelloBoard)
    made.board = board[0]
    made.size = size
    made.to_move = to_move
    return made


_SIZE_OF = {size * size + 1: size for size in SIZES}
_SYNONYMS = str.maketrans("*.", "X-")
_SQUARES_OF = {
    size: tuple([square for square in range(64) if board_squares(size) >> square & 1])
    for size in SIZES
}


def _squares(size):
    if size not in SIZES:
        raise ValueError(f"a board has 4, 6 or 8 squares a side, not {size!r}")
    return board_squares(size)


def _discs(signs, disc, size):
    return sum(1 << square for square, sign in zip(_SQUARES_OF[size], signs) if sign == disc)


def _name(bits, size):
    return square_name((bits & -bits).bit_length() - 1, size)


def square_name(square, size=8):
    """Name a square, "a1" for the first of the board: 0 on 8 x 8, 9 on 6 x 6, 18 on 4 x 4.

    Raises:
        ValueError: there is no such square on the board.
    """
    if square not in _SQUARES_OF[size]:
        raise ValueError(f"the {size} x {size} board has no square {square}")
    margin = (8 - size) // 2
    return "abcdefgh"[square % 8 - margin] + str(square // 8 - margin + 1)


def square_from_name(name, size=8):
    """Number a square by its name, in either case.

    Raises:
        ValueError: there is no such square on the board.
    """
    margin = (8 - size) // 2
    file, rank = "abcdefgh".find(name[:1].lower()), "12345678".find(name[1:])
    if len(name) != 2 or not (0 <= file < size and 0 <= rank < size):
        last = "abcdefgh"[size - 1] + str(size)
        raise ValueError(f"a square is a1 to {last}, not {name!r}")
    return (rank + margin) * 8 + file + margin


def perft(OthelloBoard board not None, depth, RunControl control=None):
    """Count the ways to play `depth` plies; a pass is a ply, a game that ends before is one way.

    From the start: 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, ...

    Args:
        board: where to count from.
        depth: 0 to PERFT_DEPTH_MAX plies.
        control: counts positions as steps; stopping it ends the count early, too low.

    Raises:
        ValueError: the depth is out of range.
    """
    if not 0 <= depth <= PERFT_DEPTH_MAX:
        raise ValueError(f"the depth of perft is 0 to {PERFT_DEPTH_MAX}, not {depth}")
    cdef int plies = depth
    cdef uint64_t squares = board_squares(board.size)
    cdef uint64_t count
    cdef Control *shared = &control.control if control is not None else NULL
    with nogil:
        count = board_perft(&board.board, squares, plies, shared)
    return count


def kernel_name():
    """Name the kernel in use: the fastest this processor runs, unless forced."""
    return othello_kernel().name.decode()


def available_kernels():
    """List the kernels this processor can run, fastest first."""
    return kernel_names(mp_othello_kernel_available)


def force_kernel(name):
    """Use one kernel from now on, in the whole process; for tests and measurements.

    Errors: ValueError if this processor has no kernel of that name.
    """
    kernel_forced(name, mp_othello_kernel_force, mp_othello_kernel_available)


mp_othello_kernel()      # chosen once, before any thread searches

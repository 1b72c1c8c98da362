# Boards on four words, and what the rules say about them: see chess_kernel.h for the layout.
#
# A board is always seen by the side to move: its pawns go up, bit 0 is a1 for White and a8 for
# Black.  The square that people mean is `square ^ 56` while Black is to move.

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from engine_ext.control cimport Control

cdef extern from "chess_kernel.h" nogil:
    cdef enum:
        CHESS_NONE, CHESS_PAWN, CHESS_KNIGHT, CHESS_KING, CHESS_BISHOP, CHESS_ROOK, CHESS_QUEEN
        CHESS_CODES
        CHESS_NO_SQUARE           # no square: nothing to take en passant
        CHESS_MOVES_MAX
        CHESS_PLAIN, CHESS_EN_PASSANT, CHESS_CASTLING
    ctypedef struct ChessBoardStruct "ChessBoard":
        uint64_t us               # squares of the side to move
        uint64_t plane[3]         # codes of what stands on the squares, bit by bit
        uint64_t castling         # rooks that may still castle, of both sides
        uint64_t key[2]           # 128 bits of Zobrist
        uint8_t en_passant
        uint8_t is_black
        uint16_t clock            # half-moves since a pawn moved or a man was taken
    # from | to << 6 | kind << 12; a kind of a piece's code is a promotion
    ctypedef uint16_t ChessMove
    ctypedef struct ChessKernel:
        const char *name
        int (*moves)(const ChessBoardStruct *board, ChessMove *moves) noexcept nogil
        int (*captures)(const ChessBoardStruct *board, ChessMove *moves) noexcept nogil
        int (*count)(const ChessBoardStruct *board) noexcept nogil
        uint64_t (*perft)(const ChessBoardStruct *board, int depth) noexcept nogil
        uint64_t (*attackers)(const ChessBoardStruct *board, int square,
                              uint64_t occupied) noexcept nogil
        # what a bishop and a rook attack
        uint64_t (*diagonal)(int square, uint64_t occupied) noexcept nogil
        uint64_t (*straight)(int square, uint64_t occupied) noexcept nogil
    # What our pawns attack, what theirs attack, and the squares to the left and to the right.
    uint64_t chess_pawn_attacks(uint64_t pawns)
    uint64_t chess_their_pawn_attacks(uint64_t pawns)
    uint64_t chess_beside(uint64_t squares)
    # Set a man on empty squares; give the move to the other side.  The key is left as it is.
    void chess_put(ChessBoardStruct *board, uint64_t squares, int code)
    void chess_give_move(ChessBoardStruct *board)
    uint64_t chess_occupied(const ChessBoardStruct *board)
    uint64_t chess_men(const ChessBoardStruct *board, int code)
    int chess_code(const ChessBoardStruct *board, int square)

# What a knight and a king attack from a square.
cdef uint64_t knight_attacks(int square) noexcept nogil
cdef uint64_t king_attacks(int square) noexcept nogil

# The kernel in use.  Never NULL.
cdef const ChessKernel *chess_kernel() noexcept nogil

# The board after a legal move, seen by the other side, with its key.
cdef void board_play(const ChessBoardStruct *board, ChessMove move,
                     ChessBoardStruct *after) noexcept nogil
# The same board with the other side to move; the side to move must not be in check.
cdef void board_pass(const ChessBoardStruct *board, ChessBoardStruct *after) noexcept nogil
# Set the key of a board by all else of it.
cdef void board_set_key(ChessBoardStruct *board) noexcept nogil
# Whether the king of the side to move is attacked.
cdef bint board_is_check(const ChessBoardStruct *board) noexcept nogil
# Whether neither side has enough left to mate: kings, and one knight or bishop at most.
cdef bint board_is_dead(const ChessBoardStruct *board) noexcept nogil
# Games of `depth` plies; too few once `control` is stopped, which may be NULL.
cdef uint64_t board_perft(const ChessBoardStruct *board, int depth,
                          Control *control) noexcept nogil

cdef class ChessBoard:
    # An immutable board for Python callers.
    cdef ChessBoardStruct board
    cdef readonly int move_number     # 1 before White's first move, as FEN counts

cdef ChessBoard chess_board(const ChessBoardStruct *board, int move_number)

# A move in UCI's words, and the legal move of such words; ValueError.
cdef str move_name(const ChessBoardStruct *board, ChessMove move, bint is_chess960)
cdef ChessMove move_named(const ChessBoardStruct *board, str name) except? 0

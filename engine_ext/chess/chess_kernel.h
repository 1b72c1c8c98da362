/* Chess on four 64-bit words: who may move where, and the board after a move.
 *
 * A board is seen by the side to move ("us"): its pawns go up.  Bit 0 is a1, bit 7 h1, bit 63 h8 for
 * White; for Black the ranks are reversed (bit 0 is a8), so one generator serves both.  What stands on
 * a square is the code of three planes:
 *
 *   planes 2 1 0   0 nothing   1 pawn   2 knight   3 king   5 bishop   6 rook   7 queen
 *
 * so that plane 2 has the sliding pieces, of which those in plane 0 go diagonally and those in plane 1
 * straight.  All of it is integer arithmetic: every kernel gives the same moves in the same order.
 */
#ifndef MANYPLY_CHESS_KERNEL_H
#define MANYPLY_CHESS_KERNEL_H

#include <stdint.h>

enum {
    CHESS_NONE = 0, CHESS_PAWN = 1, CHESS_KNIGHT = 2, CHESS_KING = 3, CHESS_BISHOP = 5,
    CHESS_ROOK = 6, CHESS_QUEEN = 7,
    CHESS_CODES = 8,
    CHESS_NO_SQUARE = 64,
    CHESS_MOVES_MAX = 256           /* 218 is the most that a reachable position has */
};

typedef struct ChessBoard {
    uint64_t us;                    /* squares of the side to move */
    uint64_t plane[3];
    uint64_t castling;              /* rooks, of both sides, that may still castle with their king */
    uint64_t key[2];                /* Zobrist, 128 bits: men, castling, en passant, side to move */
    uint8_t en_passant;             /* square behind a pawn that may be taken so; CHESS_NO_SQUARE */
    uint8_t is_black;               /* whether Black is to move */
    uint16_t clock;                 /* half-moves since a pawn moved or a man was taken */
    uint32_t padding;               /* 0 */
} ChessBoard;

/* from | to << 6 | kind << 12, squares as the mover sees them.  A kind of CHESS_KNIGHT, _BISHOP, _ROOK
 * or _QUEEN is a promotion; castling is the king's move to its own rook's square. */
typedef uint16_t ChessMove;

enum {
    CHESS_PLAIN = 0,
    CHESS_EN_PASSANT = 1,
    CHESS_CASTLING = 4
};

typedef struct ChessKernel {
    const char *name;
    /* Write all legal moves, those of pawns first, and return how many; `moves` has room for
     * CHESS_MOVES_MAX. */
    int (*moves)(const ChessBoard *board, ChessMove *moves);
    /* The same, of captures and promotions to a queen alone. */
    int (*captures)(const ChessBoard *board, ChessMove *moves);
    /* How many legal moves there are. */
    int (*count)(const ChessBoard *board);
    /* Games of so many plies; depth >= 1. */
    uint64_t (*perft)(const ChessBoard *board, int depth);
    /* Men of either side that attack a square, were `occupied` what stands on the board. */
    uint64_t (*attackers)(const ChessBoard *board, int square, uint64_t occupied);
    /* What a bishop and a rook attack from a square. */
    uint64_t (*diagonal)(int square, uint64_t occupied);
    uint64_t (*straight)(int square, uint64_t occupied);
} ChessKernel;

/* The kernel in use; fixed until another is forced.  Call it once before others start. */
const ChessKernel *mp_chess_kernel(void);
/* Kernels that this processor can run, best first; NULL beyond the last. */
const char *mp_chess_kernel_available(int index);
/* Use the named kernel from now on: 1, or 0 if there is none of that name. */
int mp_chess_kernel_force(const char *name);

/* The board after a legal move, seen by the other side, its key included. */
ChessBoard mp_chess_after(const ChessBoard *board, ChessMove move);
/* The board after a null move: the other side is to move.  Not in check. */
ChessBoard mp_chess_passed(const ChessBoard *board);
/* What a knight and a king attack from a square. */
uint64_t mp_chess_knight(int square);
uint64_t mp_chess_ring(int square);
/* Forget the square of en passant if no pawn may take there: the position is the same without it. */
void mp_chess_close(ChessBoard *board);
/* What the key of a board is, from nothing. */
void mp_chess_key(ChessBoard *board);

#define CHESS_FILE_A UINT64_C(0x0101010101010101)
#define CHESS_FILE_H UINT64_C(0x8080808080808080)

/* What our pawns attack, and what theirs attack. */
static inline uint64_t chess_pawn_attacks(uint64_t pawns)
{
    return (pawns & ~CHESS_FILE_A) << 7 | (pawns & ~CHESS_FILE_H) << 9;
}

static inline uint64_t chess_their_pawn_attacks(uint64_t pawns)
{
    return (pawns & ~CHESS_FILE_A) >> 9 | (pawns & ~CHESS_FILE_H) >> 7;
}

/* The squares to the left and to the right. */
static inline uint64_t chess_beside(uint64_t squares)
{
    return (squares & ~CHESS_FILE_A) >> 1 | (squares & ~CHESS_FILE_H) << 1;
}

static inline uint64_t chess_occupied(const ChessBoard *board)
{
    return board->plane[0] | board->plane[1] | board->plane[2];
}

/* The code of what stands on a square. */
static inline int chess_code(const ChessBoard *board, int square)
{
    return (int)((board->plane[0] >> square & 1) | (board->plane[1] >> square & 1) << 1
                 | (board->plane[2] >> square & 1) << 2);
}

/* Set a man on squares where nothing stands; whose it is `us` says. */
static inline void chess_put(ChessBoard *board, uint64_t squares, int code)
{
    for (int i = 0; i < 3; i++)
        board->plane[i] |= squares & -(uint64_t)(code >> i & 1);
}

/* Give the move to the other side, which sees the ranks reversed; the key is left as it is. */
static inline void chess_give_move(ChessBoard *board)
{
    board->us = __builtin_bswap64(chess_occupied(board) ^ board->us);
    for (int i = 0; i < 3; i++)
        board->plane[i] = __builtin_bswap64(board->plane[i]);
    board->castling = __builtin_bswap64(board->castling);
    board->is_black ^= 1;
}

/* Squares of one code, of both sides. */
static inline uint64_t chess_men(const ChessBoard *board, int code)
{
    const uint64_t zero = code & 1 ? board->plane[0] : ~board->plane[0];
    const uint64_t one = code & 2 ? board->plane[1] : ~board->plane[1];
    const uint64_t two = code & 4 ? board->plane[2] : ~board->plane[2];
    return zero & one & two;
}

#endif

/* Included by chess_kernel.c alone: tables, and what all kernels have in common. */
#ifndef MANYPLY_CHESS_KERNEL_PARTS_H
#define MANYPLY_CHESS_KERNEL_PARTS_H

#include <stdint.h>

#include "chess_kernel.h"

#define RANK_1 UINT64_C(0x00000000000000FF)
#define RANK_3 UINT64_C(0x0000000000FF0000)
#define RANK_8 UINT64_C(0xFF00000000000000)
#define ALL_SQUARES (~(uint64_t)0)

enum {
    DIAGONAL_ENTRIES = 5248,        /* sums over the squares of 2^(inner squares of their lines) */
    STRAIGHT_ENTRIES = 102400
};

typedef struct Tables {
    uint64_t knight[64], king[64];
    uint64_t pawn[64];                      /* what a pawn of ours attacks from there */
    uint64_t between[64][64];               /* squares between two of a line; else none */
    uint64_t line[4][64];                   /* rank, file, two diagonals: without the square */
    uint8_t rank_attacks[8][64];            /* by file and the inner squares of the rank */
    uint64_t diagonal_inner[64], straight_inner[64];    /* squares that can stop a piece */
    uint32_t diagonal_start[64], straight_start[64];    /* where a square's entries begin */
    uint64_t diagonal[DIAGONAL_ENTRIES], straight[STRAIGHT_ENTRIES];
    uint64_t men[2][CHESS_CODES][64][2];    /* keys, by White or Black, and true square */
    uint64_t castling[64][2], en_passant[8][2], black_to_move[2];
} Tables;

extern Tables mp_chess_tables;

static inline int first_of(uint64_t bits) { return __builtin_ctzll(bits); }
static inline uint64_t bit_of(int square) { return (uint64_t)1 << square; }
static inline uint64_t flipped(uint64_t bits) { return __builtin_bswap64(bits); }
static inline uint64_t up(uint64_t bits) { return bits << 8; }
static inline uint64_t down(uint64_t bits) { return bits >> 8; }
static inline uint64_t up_left(uint64_t bits) { return (bits & ~CHESS_FILE_A) << 7; }
static inline uint64_t up_right(uint64_t bits) { return (bits & ~CHESS_FILE_H) << 9; }

static inline uint64_t attacked_by_knights(uint64_t knights)
{
    const uint64_t one_left = knights >> 1 & ~CHESS_FILE_H, one_right = knights << 1 & ~CHESS_FILE_A;
    const uint64_t two_left = knights >> 2 & ~(CHESS_FILE_H | CHESS_FILE_H >> 1);
    const uint64_t two_right = knights << 2 & ~(CHESS_FILE_A | CHESS_FILE_A << 1);
    const uint64_t one = one_left | one_right, two = two_left | two_right;
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

static inline ChessMove move_of(int from, int to, int kind)
{
    return (ChessMove)(from | to << 6 | kind << 12);
}

#endif

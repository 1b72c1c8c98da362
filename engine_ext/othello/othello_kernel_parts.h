/* What all kernels share: line masks, tables, stable discs.  Private to othello_kernel.c. */
#ifndef MANYPLY_OTHELLO_KERNEL_PARTS_H
#define MANYPLY_OTHELLO_KERNEL_PARTS_H

#include "othello_kernel.h"

#define ALIGNED __attribute__((aligned(64)))

enum { SQUARE_NONE = 64, LINES = 4 };

typedef struct Tables {
    /* The squares beyond a square in each of the directions +1, +8, +9, +7 and their opposites. */
    ALIGNED uint64_t above[64][LINES];
    ALIGNED uint64_t below[64][LINES];
    /* The whole lines through a square, and the square's place on each, counted from bit 0 up. */
    ALIGNED uint64_t line[64][LINES];
    uint8_t place[64][LINES];
    /* Discs that turn on a line when one is put on the place and all other squares but those of
     * the mover (the index) are the other side's. */
    uint8_t turned[8][256];
    uint64_t neighbours[64];        /* the eight squares around */
    uint8_t quadrant[65];           /* one of four bits; 0 for none */
    uint64_t odd_squares[16];       /* squares of the quadrants in a set of quadrants */
    /* Stable discs of the first side on an edge, given both sides' discs. */
    uint8_t stable_edge[256][256];
} Tables;

extern Tables mp_othello_tables;

static inline int count_bits(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

static inline int first_square(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

#endif

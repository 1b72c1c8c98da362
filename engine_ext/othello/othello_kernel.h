/* Othello on two 64-bit words, and the search of the last empty squares.
 *
 * Bit 0 is a1, bit 7 h1, bit 8 a2, bit 63 h8.  `player` is always the side to move.  Smaller boards
 * lie in the middle of the 8 x 8 (6 x 6 on b2..g7, 4 x 4 on c3..f6): their border squares are in
 * neither word, which ends every line there, and are masked out of the empty squares.
 *
 * All of it is integer arithmetic, so every kernel gives the same numbers, node counts included.
 */
#ifndef MANYPLY_OTHELLO_KERNEL_H
#define MANYPLY_OTHELLO_KERNEL_H

#include <stdint.h>

enum {
    OTHELLO_LEAF_TABLE_BITS = 15,   /* entries of a LeafSearch's table: about one core's L2 cache */
    OTHELLO_EMPTIES_MAX = 60
};

/* A bound pair for a position with few empty squares; player = opponent = 0 where unused. */
typedef struct LeafEntry {
    uint64_t player, opponent;
    int8_t lower, upper;
    uint8_t move;                   /* best square found, 64 for none */
    uint8_t padding[5];
} LeafEntry;

typedef struct LeafSearch {
    uint64_t nodes;                 /* boards visited so far, finished ones and passes included */
    uint64_t poll_at;               /* call poll once nodes has reached this */
    void (*poll)(struct LeafSearch *);      /* sets a later poll_at; may switch stacks */
    uint64_t squares;               /* the board's squares: all bits set for 8 x 8 */
    uint64_t corners;               /* its four corners */
    LeafEntry *table;               /* [2^OTHELLO_LEAF_TABLE_BITS], zeroed at first */
} LeafSearch;

typedef struct OthelloKernel {
    const char *name;
    /* Squares where the player may place a disc, border squares of a small board included. */
    uint64_t (*moves)(uint64_t player, uint64_t opponent);
    /* The opponent's discs that turn when the player places one on the empty square. */
    uint64_t (*flips)(uint64_t player, uint64_t opponent, int square);
    /* Null-window search of (alpha, alpha + 1), fail-soft: a result <= alpha is an upper bound of
     * the exact score, one > alpha a lower bound.  -64 <= alpha < 64. */
    int (*solve)(LeafSearch *search, uint64_t player, uint64_t opponent, int alpha);
} OthelloKernel;

/* The kernel in use; fixed until another is forced.  Call it once before the others start. */
const OthelloKernel *mp_othello_kernel(void);
/* Kernels that this processor can run, best first; NULL beyond the last. */
const char *mp_othello_kernel_available(int index);
/* Use the named kernel from now on: 1, or 0 if there is none of that name. */
int mp_othello_kernel_force(const char *name);

/* Discs of `player` that can never turn: an estimate from below. */
uint64_t mp_othello_stable(uint64_t player, uint64_t opponent, uint64_t squares);

#endif

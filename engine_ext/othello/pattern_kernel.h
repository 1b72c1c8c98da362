/* Sums of pattern weights.  Integers only: every machine gives the same values.
 *
 * A pattern is a list of squares; its index is the number whose ternary digits are its squares:
 * 0 empty, 1 player, 2 opponent.  All indices of a board are one vector: the sum of what each
 * group of four squares brings, or the indices of the board before a move and what the disc set
 * and the discs turned bring. */
#ifndef MANYPLY_PATTERN_KERNEL_H
#define MANYPLY_PATTERN_KERNEL_H

#include <stdint.h>

enum {
    PATTERN_PLACES = 46,        /* patterns on a board, symmetric ones counted each */
    PATTERN_LANES = 48,         /* the same, filled up to whole vectors; those are 0 */
    PATTERN_SQUARES_MAX = 10,   /* 3^10 indices fit 16 bits */
    PATTERN_WEIGHTS_BEHIND = 1  /* weights are read two at a time: so many of no meaning follow */
};

/* What is the same for all successors of a board; it may lie in memory declared as bytes, on a
 * 32-byte boundary. */
typedef struct __attribute__((may_alias)) {
    uint16_t lanes[PATTERN_LANES];      /* the indices, as the side sees them that does not move */
    uint16_t discs[PATTERN_LANES];      /* what they were if all discs were the player's */
    const int16_t *weights;             /* of the successors' stage */
    int bias;
} PatternsBefore;

/* Tell the kernel what place `place` looks at.  Each place once, before the first sum.  0 if the
 * kernel does not know its weights to begin at `offset`. */
int mp_pattern_place(int place, const int *squares, int count, uint32_t offset);
/* The indices of all places; indices[PATTERN_LANES], on a 32-byte boundary. */
void mp_pattern_indices(uint64_t player, uint64_t opponent, uint16_t *indices);
/* The sum of the weights of all places. */
int mp_pattern_sum(const int16_t *weights, uint64_t player, uint64_t opponent);
/* Fill the vectors of `before` for a board. */
void mp_pattern_prepare(uint64_t player, uint64_t opponent, PatternsBefore *before);
/* The same for the board after a move to `square` that turns `flips`, one disc or more, from what
 * was there before the move: a fifth of the time. */
void mp_pattern_prepare_after(const PatternsBefore *parent, int square, uint64_t flips,
                              PatternsBefore *before);
/* The sum of the weights after such a move. */
int mp_pattern_sum_after(const PatternsBefore *before, int square, uint64_t flips);

enum { PATTERN_PORTABLE, PATTERN_AVX2, PATTERN_AVX512, PATTERN_KERNELS };
/* Use this kernel, in the whole process; 0 if the processor cannot.  No thread may be in one. */
int mp_pattern_use(int kernel);
/* Use the quickest, as before the first call the portable one is; return which it is. */
int mp_pattern_use_quickest(void);

#endif

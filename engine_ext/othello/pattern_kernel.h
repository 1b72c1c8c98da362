/* Sums of pattern weights.  Integers only: every machine gives the same values.
 *
 * A pattern is a list of squares; its index is the number whose ternary digits are its squares:
 * 0 empty, 1 player, 2 opponent.  All indices of a board are one vector, the sum of what each
 * group of four squares brings: no square is looked at by itself. */
#ifndef MANYPLY_PATTERN_KERNEL_H
#define MANYPLY_PATTERN_KERNEL_H

#include <stdint.h>

enum {
    PATTERN_PLACES = 46,        /* patterns on a board, symmetric ones counted each */
    PATTERN_LANES = 48,         /* the same, filled up to whole vectors */
    PATTERN_SQUARES_MAX = 10    /* 3^10 indices fit 16 bits */
};

/* What is the same for all successors of a board; it may lie in memory declared as bytes. */
typedef struct __attribute__((may_alias)) {
    uint16_t lanes[PATTERN_LANES];
    const int16_t *weights;     /* of the successors' stage */
    int bias;
} PatternsBefore;

/* Tell the kernel what place `place` looks at, and where its weights begin.  Each place once,
 * before the first sum. */
void mp_pattern_place(int place, const int *squares, int count, uint32_t offset);
/* The indices of all places; indices[PATTERN_LANES], on a 32-byte
 * boundary; those beyond the last place are 0. */
void mp_pattern_indices(uint64_t player, uint64_t opponent, uint16_t *indices);
/* The sum of the weights of all places. */
int mp_pattern_sum(const int16_t *weights, uint64_t player, uint64_t opponent);
/* The same sum after a move to `square` that turns `flips`, one disc or more; `before` has the
 * indices of the board before it as the side sees them that does not move, on a 32-byte boundary. */
int mp_pattern_sum_after(const int16_t *weights, const uint16_t *before, int square,
                         uint64_t flips);
/* Use wide registers, or none, as before the first call; 0 if there are none.  No thread may be in
 * the kernel. */
int mp_pattern_use_wide(int wanted);

#endif

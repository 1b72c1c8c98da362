/* Moves and flips in plain C.  A part of othello_kernel.c. */
#ifndef MANYPLY_OTHELLO_KERNEL_PORTABLE_H
#define MANYPLY_OTHELLO_KERNEL_PORTABLE_H

#include "othello_kernel_parts.h"

/* Discs of `through` in unbroken lines from `from`, both ways at the given stride; lines of
 * strides 1, 7, 9 cannot wrap, since `through` lacks the border files then. */
static inline uint64_t moves_on_lines(uint64_t from, uint64_t through, int stride)
{
    uint64_t up = through & (from << stride), down = through & (from >> stride);
    for (int step = 0; step < 5; step++) {
        up |= through & (up << stride);
        down |= through & (down >> stride);
    }
    return up << stride | down >> stride;
}

static inline uint64_t moves_portable(uint64_t player, uint64_t opponent)
{
    const uint64_t inner = opponent & 0x7e7e7e7e7e7e7e7e;
    return (moves_on_lines(player, inner, 1) | moves_on_lines(player, opponent, 8)
            | moves_on_lines(player, inner, 7) | moves_on_lines(player, inner, 9))
           & ~(player | opponent);
}

static inline uint64_t flips_portable(uint64_t player, uint64_t opponent, int square)
{
    const Tables *t = &mp_othello_tables;
    uint64_t turned = 0;
    for (int line = 0; line < LINES; line++) {
        const uint64_t above = t->above[square][line], below = t->below[square][line];
        const uint64_t others_up = above & ~opponent, others_down = below & ~opponent;
        const uint64_t end_up = others_up & -others_up & player;       /* ends the run above */
        if (end_up)
            turned |= above & (end_up - 1);
        if (others_down) {
            const uint64_t end = (uint64_t)1 << (63 - __builtin_clzll(others_down));
            turned |= end & player ? below & -(end << 1) : 0;
        }
    }
    return turned;
}

/* Discs turned by `player` on `square` when all other squares are the opponent's. */
static inline int last_flips_portable(uint64_t player, uint64_t opponent, int square)
{
    return count_bits(flips_portable(player, opponent, square));
}

#endif

/* Integer evaluation nets: the weights as the kernels want them, and the kernels.
 *
 * A net sees a board of two sides with 26 slots of 0..15 checkers each through
 * 2 * 26 * 15 = 780 binary inputs: input side*390 + slot*15 + k-1 is set when
 * the slot holds at least k checkers.  All arithmetic is on integers, so every
 * kernel gives the same bits:
 *
 *   accumulator[width] = bias + rows of the inputs set         int16, 255 = 1.0
 *   c                  = clamp(accumulator, 0, 255)
 *   product[i]         = (c[i] * c[i + width/2] + 256) >> 9     0..127, 127 = 1.0
 *   hidden1[32]        = clamp((bias + product . w) >> 4, 0, 1016)    w int8, 128 = 1.0
 *   hidden2[32]        = clamp((bias + hidden1 . w) >> 10, 0, 1016)   w int16, 1024 = 1.0
 *   logit[5]           = bias + hidden2 . w                           w int16, 1024 = 1.0
 *   probability        = table, linearly interpolated                 65536 = 1.0
 *
 * Accumulators wrap modulo 2^16 in every kernel; exporters keep them in range.
 */
#ifndef MANYPLY_NET_KERNEL_H
#define MANYPLY_NET_KERNEL_H

#include <stdint.h>

enum {
    NET_SLOTS = 52,                 /* both sides' slots, one byte each */
    NET_LEVELS = 15,                /* thermometer inputs a slot */
    NET_INPUTS = NET_SLOTS * NET_LEVELS,
    NET_WIDTH_STEP = 256,           /* widths are multiples of this */
    NET_WIDTH_MAX = 2048,
    NET_HIDDEN = 32,
    NET_OUTPUTS = 5,
    NET_OUTPUTS_PADDED = 8,
    NET_HIDDEN_TOP = 1016,          /* 1.0 of the hidden layers: 127 * 128 / 16 */
    NET_TABLE_SHIFT = 15,           /* logit units between two table entries: 2^15 */
    NET_TABLE_ENTRIES = 1025        /* symmetric about entry 512 = logit 0 */
};

typedef struct NetWeights {
    int width;
    int16_t *rows;                  /* [780][width], 64-byte aligned */
    int16_t *accumulator_bias;      /* [width], 64-byte aligned */
    int8_t *hidden1;                /* [width/8][32][4]: inputs in fours beside each output */
    int32_t hidden1_bias[32];
    int16_t hidden2[16][32][2];     /* inputs in pairs beside each output */
    int32_t hidden2_bias[32];
    int16_t output[16][8][2];       /* outputs 5..7 are zero */
    int32_t output_bias[8];
    int32_t table[1025];            /* 65536 * sigmoid at the table's logits */
} NetWeights;

/* A net's memory, all zero; NULL without memory.  The caller fills it, and frees it once. */
NetWeights *mp_net_new(int width);
void mp_net_free(NetWeights *net);

/* Probabilities of `count` boards, each NET_SLOTS bytes (side on roll first):
 * probs[count][5], exact multiples of 2^-16.  `near` is any board; the closer
 * it is to the others, the faster.  Never fails; needs no heap. */
void mp_net_evaluate(const NetWeights *net, const uint8_t *near, const uint8_t *boards,
                     int count, double *probs);

/* Kernels this processor can run, best first; NULL beyond the last. */
const char *mp_net_kernel_available(int index);
const char *mp_net_kernel_name(void);
/* Use the named kernel from now on: 1, or 0 if there is none of that name. */
int mp_net_kernel_force(const char *name);

#endif

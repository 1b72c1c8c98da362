/* What the leaves of net_kernel.c are: one set for each instruction set, all with the same bits.
 * Private to net_kernel.c. */
#ifndef MANYPLY_NET_KERNEL_LEAF_H
#define MANYPLY_NET_KERNEL_LEAF_H

#include "net_kernel.h"

#define ALIGNED __attribute__((aligned(64)))

/* A board can differ from another in every slot, by all its checkers: 30 rows leave, 30 come. */
enum { ROWS_MAX = 64 };

typedef struct RowChange {
    int added, removed;
    const int16_t *add[ROWS_MAX];
    const int16_t *remove[ROWS_MAX];
} RowChange;

/* Boards whose dense layers are computed together: each weight is then loaded once for all, and
 * no board's chain of sums is waited for. */
enum { BATCH = 4 };

typedef struct Kernel {
    const char *name;
    /* out[width] = base + change; both 64-byte aligned */
    void (*accumulate)(const NetWeights *, const int16_t *base, const RowChange *, int16_t *out);
    /* products of (base + change); base is [width] and 64-byte aligned */
    void (*products)(const NetWeights *, const int16_t *base, const RowChange *, uint8_t *products);
    /* logits[count][8] from products[count][width/2]; count is 1..BATCH */
    void (*head)(const NetWeights *, const uint8_t *products, int count, int32_t *logits);
} Kernel;

/* Groups of four products that one word tells to be all zero or not. */
enum { WORD_PRODUCTS = 256 };

#endif

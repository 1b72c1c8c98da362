/* See net_kernel.h for the arithmetic.  Each kernel is three leaves (net_kernel_leaf.h); everything
 * else is shared.  x86 kernels are compiled with function target attributes and chosen at run time,
 * so that one binary serves every machine; elsewhere the compiler vectorises the portable one. */
#include "net_kernel_leaf.h"

#include <stdlib.h>
#include <string.h>

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_X86_KERNELS 1
#include "net_kernel_avx2.h"
#include "net_kernel_avx512.h"
#else
#define HAVE_X86_KERNELS 0
#endif

/* ---- portable ------------------------------------------------------------ */

static inline int32_t clamp(int32_t value, int32_t top)
{
    return value < 0 ? 0 : value > top ? top : value;
}

/* base + change into out[count] for lanes first..first+count. */
static inline void changed_lanes(const int16_t *base, const RowChange *change, int first, int count,
                                 uint16_t *out)
{
    for (int i = 0; i < count; i++)
        out[i] = (uint16_t)base[first + i];
    for (int r = 0; r < change->added; r++)
        for (int i = 0; i < count; i++)
            out[i] = (uint16_t)(out[i] + (uint16_t)change->add[r][first + i]);
    for (int r = 0; r < change->removed; r++)
        for (int i = 0; i < count; i++)
            out[i] = (uint16_t)(out[i] - (uint16_t)change->remove[r][first + i]);
}

enum { LANES = 64 };

/* Read as signed, clamp to 0..255. */
static inline void clip_lanes(uint16_t *lanes)
{
    for (int i = 0; i < LANES; i++) {
        int16_t value = (int16_t)lanes[i];
        value = value < 0 ? 0 : value;
        lanes[i] = (uint16_t)(value > 255 ? 255 : value);
    }
}

static void accumulate_portable(const NetWeights *net, const int16_t *base,
                                const RowChange *change, int16_t *out)
{
    for (int first = 0; first < net->width; first += LANES) {
        uint16_t lanes[LANES];
        changed_lanes(base, change, first, LANES, lanes);
        memcpy(out + first, lanes, sizeof lanes);
    }
}

static void products_portable(const NetWeights *net, const int16_t *base, const RowChange *change,
                              uint8_t *products)
{
    const int half = net->width / 2;
    for (int first = 0; first < half; first += LANES) {
        uint16_t low[LANES], high[LANES];
        changed_lanes(base, change, first, LANES, low);
        changed_lanes(base, change, half + first, LANES, high);
        clip_lanes(low);
        clip_lanes(high);
        for (int i = 0; i < LANES; i++)     /* 16 bits are enough, and vectorise: 255^2 + 256 */
            products[first + i] = (uint8_t)((uint16_t)(low[i] * high[i] + 256) >> 9);
    }
}

/* sums[outputs] += weights[pairs][outputs][2] . hidden[pairs * 2] */
static inline void dense_pairs(const int16_t *weights, const int16_t *hidden, int outputs,
                               int32_t *sums)
{
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++) {
        const int16_t *w = weights + pair * outputs * 2;
        for (int o = 0; o < outputs; o++)
            sums[o] += hidden[2 * pair] * w[2 * o] + hidden[2 * pair + 1] * w[2 * o + 1];
    }
}

static void one_head_portable(const NetWeights *net, const uint8_t *products, int32_t *logits)
{
    int32_t sums[NET_HIDDEN];
    int16_t hidden[NET_HIDDEN];
    memcpy(sums, net->hidden1_bias, sizeof sums);
    for (int group = 0; group < net->width / 8; group++) {
        const int8_t *w = net->hidden1 + group * NET_HIDDEN * 4;
        const uint8_t *p = products + group * 4;
        if (!(p[0] | p[1] | p[2] | p[3]))           /* half of the groups, in a trained net */
            continue;
        for (int o = 0; o < NET_HIDDEN; o++)
            sums[o] += p[0] * w[4 * o] + p[1] * w[4 * o + 1] + p[2] * w[4 * o + 2]
                       + p[3] * w[4 * o + 3];
    }
    for (int o = 0; o < NET_HIDDEN; o++)
        hidden[o] = (int16_t)clamp(sums[o] >> 4, NET_HIDDEN_TOP);
    memcpy(sums, net->hidden2_bias, sizeof sums);
    dense_pairs(&net->hidden2[0][0][0], hidden, NET_HIDDEN, sums);
    for (int o = 0; o < NET_HIDDEN; o++)
        hidden[o] = (int16_t)clamp(sums[o] >> 10, NET_HIDDEN_TOP);
    memcpy(logits, net->output_bias, NET_OUTPUTS_PADDED * sizeof *logits);
    dense_pairs(&net->output[0][0][0], hidden, NET_OUTPUTS_PADDED, logits);
}

static void head_portable(const NetWeights *net, const uint8_t *products, int count,
                          int32_t *logits)
{
    for (int b = 0; b < count; b++)
        one_head_portable(net, products + b * (net->width / 2), logits + b * NET_OUTPUTS_PADDED);
}

/* ---- choice of the kernel -------------------------------------------------- */

static const Kernel kernels[] = {
#if HAVE_X86_KERNELS
    {"avx512-vnni", accumulate_avx512, products_avx512, head_avx512},
    {"avx2", accumulate_avx2, products_avx2, head_avx2},
#endif
    {"portable", accumulate_portable, products_portable, head_portable},
};
enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

static const Kernel *current;           /* set once before use, or by tests */

static int can_run(const Kernel *kernel)
{
#if HAVE_X86_KERNELS
    __builtin_cpu_init();
    if (kernel->products == products_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
    if (kernel->products == products_avx2)
        return __builtin_cpu_supports("avx2");
#endif
    return kernel->products == products_portable;
}

const char *mp_net_kernel_available(int index)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (can_run(&kernels[k]) && index-- == 0)
            return kernels[k].name;
    return 0;
}

int mp_net_kernel_force(const char *name)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (strcmp(kernels[k].name, name) == 0 && can_run(&kernels[k])) {
            current = &kernels[k];
            return 1;
        }
    return 0;
}

static const Kernel *chosen(void)
{
    if (!current)
        mp_net_kernel_force(mp_net_kernel_available(0));
    return current;
}

const char *mp_net_kernel_name(void)
{
    return chosen()->name;
}

/* ---- memory ------------------------------------------------------------------ */

NetWeights *mp_net_new(int width)
{
    const size_t row_bytes = (size_t)width * sizeof(int16_t);
    const size_t struct_bytes = (sizeof(NetWeights) + 63) / 64 * 64;
    const size_t size =
        struct_bytes + (NET_INPUTS + 1) * row_bytes + (size_t)width / 2 * NET_HIDDEN;
    char *memory = aligned_alloc(64, size);     /* a multiple of 64, since width is of 256 */
    if (!memory)
        return 0;
    memset(memory, 0, size);
    NetWeights *net = (NetWeights *)memory;
    net->width = width;
    net->rows = (int16_t *)(memory + struct_bytes);
    net->accumulator_bias = net->rows + (size_t)NET_INPUTS * (size_t)width;
    net->hidden1 = (int8_t *)(net->accumulator_bias + width);
    return net;
}

void mp_net_free(NetWeights *net)
{
    free(net);
}

/* ---- shared ----------------------------------------------------------------- */

static const uint8_t no_checkers[NET_SLOTS];

/* Eight slots (or the last four), the first in the lowest byte. */
static inline uint64_t slots_word(const uint8_t *slots, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, slots, size);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Bit s is set where byte s differs.  Slots hold 15 at most, so that no byte carries. */
static inline uint64_t differing(const uint8_t *near, const uint8_t *board, size_t size)
{
    uint64_t bytes = slots_word(near, size) ^ slots_word(board, size);
    bytes = (bytes + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
    return bytes * 0x0102040810204080 >> 56;
}

static inline uint64_t differing_slots(const uint8_t *near, const uint8_t *board)
{
    return differing(near, board, 8) | differing(near + 8, board + 8, 8) << 8
           | differing(near + 16, board + 16, 8) << 16 | differing(near + 24, board + 24, 8) << 24
           | differing(near + 32, board + 32, 8) << 32 | differing(near + 40, board + 40, 8) << 40
           | differing(near + 48, board + 48, 4) << 48;
}

/* The rows between two boards.  Nearly all slots differ by one checker if at all, so that case
 * has no branch on its direction. */
static inline void compare(const NetWeights *net, const uint8_t *near, const uint8_t *board,
                           RowChange *change)
{
    int added = 0, removed = 0;
    for (uint64_t mask = differing_slots(near, board); mask; mask &= mask - 1) {
        const int slot = __builtin_ctzll(mask);
        const int from = near[slot], to = board[slot];
        int low = from < to ? from : to, count = from < to ? to - from : from - to;
        const int16_t *row = net->rows + (size_t)(slot * NET_LEVELS + low) * (size_t)net->width;
        do {
            change->add[added] = change->remove[removed] = row;
            added += from < to;
            removed += from > to;
            row += net->width;
        } while (--count);
    }
    change->added = added;
    change->removed = removed;
}

/* 65536 * sigmoid(logit), 0..65536. */
static inline int32_t probability(const int32_t *table, int32_t logit)
{
    const int32_t limit = (NET_TABLE_ENTRIES / 2) << NET_TABLE_SHIFT;
    const int32_t offset = logit < -limit ? 0 : logit > limit - 1 ? 2 * limit - 1 : logit + limit;
    const int32_t index = offset >> NET_TABLE_SHIFT;
    const int32_t part = offset & ((1 << NET_TABLE_SHIFT) - 1);
    const int64_t rise = (int64_t)(table[index + 1] - table[index]) * part;
    return table[index] + (int32_t)((rise + (1 << (NET_TABLE_SHIFT - 1))) >> NET_TABLE_SHIFT);
}

static void finish(const Kernel *kernel, const NetWeights *net, const uint8_t *products, int count,
                   double *probs)
{
    int32_t logits[BATCH][NET_OUTPUTS_PADDED];
    kernel->head(net, products, count, logits[0]);
    for (int b = 0; b < count; b++)
        for (int o = 0; o < NET_OUTPUTS; o++)
            probs[b * NET_OUTPUTS + o] = probability(net->table, logits[b][o]) / 65536.0;
}

void mp_net_evaluate(const NetWeights *net, const uint8_t *near, const uint8_t *boards, int count,
                     double *probs)
{
    const Kernel *kernel = chosen();
    const int half = net->width / 2;
    ALIGNED int16_t base[NET_WIDTH_MAX];
    ALIGNED uint8_t products[BATCH * NET_WIDTH_MAX / 2];
    RowChange change;
    if (count == 1) {                   /* a base used once is not worth storing */
        compare(net, no_checkers, boards, &change);
        kernel->products(net, net->accumulator_bias, &change, products);
        finish(kernel, net, products, 1, probs);
        return;
    }
    compare(net, no_checkers, near, &change);
    kernel->accumulate(net, net->accumulator_bias, &change, base);
    for (int first = 0; first < count; first += BATCH) {
        const int length = count - first < BATCH ? count - first : BATCH;
        for (int b = 0; b < length; b++) {
            compare(net, near, boards + (size_t)(first + b) * NET_SLOTS, &change);
            kernel->products(net, base, &change, products + b * half);
        }
        finish(kernel, net, products, length, probs + (size_t)first * NET_OUTPUTS);
    }
}

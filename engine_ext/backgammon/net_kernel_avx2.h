/* The leaves for AVX2, compiled by function target attributes.  A part of net_kernel.c. */
#ifndef MANYPLY_NET_KERNEL_AVX2_H
#define MANYPLY_NET_KERNEL_AVX2_H

#include <immintrin.h>
#include <string.h>

#include "net_kernel_leaf.h"

#define TARGET_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 TARGET_AVX2 static inline __attribute__((always_inline))

enum { VECTORS = 4 };               /* registers a half in one sweep over the rows */

INLINE_AVX2 void add_avx2(__m256i *lanes, const int16_t *row, int vectors)
{
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm256_add_epi16(lanes[v], _mm256_load_si256((const __m256i *)row + v));
}

INLINE_AVX2 void remove_avx2(__m256i *lanes, const int16_t *row, int vectors)
{
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm256_sub_epi16(lanes[v], _mm256_load_si256((const __m256i *)row + v));
}

/* base + change of the lanes from `first` on.  A play removes as many rows as it adds: one loop
 * over both, whose end is mispredicted once. */
INLINE_AVX2 void changed_avx2(const int16_t *base, const RowChange *change, int first, int vectors,
                                __m256i *lanes)
{
    const int pairs = change->added < change->removed ? change->added : change->removed;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm256_load_si256((const __m256i *)(base + first) + v);
    for (int r = 0; r < pairs; r++) {
        add_avx2(lanes, change->add[r] + first, vectors);
        remove_avx2(lanes, change->remove[r] + first, vectors);
    }
    for (int r = pairs; r < change->added; r++)
        add_avx2(lanes, change->add[r] + first, vectors);
    for (int r = pairs; r < change->removed; r++)
        remove_avx2(lanes, change->remove[r] + first, vectors);
}

TARGET_AVX2 static void accumulate_avx2(const NetWeights *net, const int16_t *base,
                                        const RowChange *change, int16_t *out)
{
    for (int first = 0; first < net->width; first += 16 * VECTORS) {
        __m256i lanes[VECTORS];
        changed_avx2(base, change, first, VECTORS, lanes);
        for (int v = 0; v < VECTORS; v++)
            _mm256_store_si256((__m256i *)(out + first) + v, lanes[v]);
    }
}

INLINE_AVX2 __m256i product_avx2(__m256i a, __m256i b)
{
    const __m256i top = _mm256_set1_epi16(255), zero = _mm256_setzero_si256();
    a = _mm256_min_epi16(_mm256_max_epi16(a, zero), top);
    b = _mm256_min_epi16(_mm256_max_epi16(b, zero), top);
    return _mm256_srli_epi16(_mm256_add_epi16(_mm256_mullo_epi16(a, b), _mm256_set1_epi16(256)), 9);
}

TARGET_AVX2 static void products_avx2(const NetWeights *net, const int16_t *base,
                                      const RowChange *change, uint8_t *products)
{
    const int half = net->width / 2;
    for (int first = 0; first < half; first += 16 * VECTORS) {
        __m256i low[VECTORS], high[VECTORS];
        changed_avx2(base, change, first, VECTORS, low);
        changed_avx2(base, change, half + first, VECTORS, high);
        for (int v = 0; v < VECTORS; v += 2) {
            __m256i packed = _mm256_packus_epi16(product_avx2(low[v], high[v]),
                                                 product_avx2(low[v + 1], high[v + 1]));
            packed = _mm256_permute4x64_epi64(packed, 0xD8);   /* undo the pack's lane order */
            _mm256_store_si256((__m256i *)(products + first + 16 * v), packed);
        }
    }
}

/* Two values side by side, as the pair a multiply-add of weights[..][2] wants. */
INLINE_AVX2 __m256i broadcast_avx2(const void *source)
{
    int32_t bits;
    memcpy(&bits, source, sizeof bits);
    return _mm256_set1_epi32(bits);
}

INLINE_AVX2 __m256i hidden_avx2(__m256i sums, int shift)
{
    sums = shift == 4 ? _mm256_srai_epi32(sums, 4) : _mm256_srai_epi32(sums, 10);
    return _mm256_min_epi32(_mm256_max_epi32(sums, _mm256_setzero_si256()),
                            _mm256_set1_epi32(NET_HIDDEN_TOP));
}

/* hidden[32] as int16 from four vectors of sums */
INLINE_AVX2 void store_hidden_avx2(const __m256i *sums, int shift, int16_t *hidden)
{
    for (int v = 0; v < 4; v += 2) {
        __m256i packed = _mm256_packs_epi32(hidden_avx2(sums[v], shift),
                                            hidden_avx2(sums[v + 1], shift));
        _mm256_store_si256((__m256i *)(hidden + 8 * v), _mm256_permute4x64_epi64(packed, 0xD8));
    }
}

/* Bit g tells whether group g of products[0..size] is not all zero in some of `count` boards: half
 * the groups are, in a trained net, and mostly the same ones in positions near one another. */
INLINE_AVX2 uint64_t live_groups_avx2(const uint8_t *products, int stride, int size, int count)
{
    uint64_t live = 0;
    for (int i = 0; i < size; i += 32) {
        __m256i any = _mm256_load_si256((const __m256i *)(products + i));
        for (int b = 1; b < count; b++)
            any = _mm256_or_si256(
                any, _mm256_load_si256((const __m256i *)(products + b * stride + i)));
        any = _mm256_cmpeq_epi32(any, _mm256_setzero_si256());
        live |= (uint64_t)(~_mm256_movemask_ps(_mm256_castsi256_ps(any)) & 0xFF) << i / 4;
    }
    return live;
}

/* sums += products[0..size] . hidden1 rows from `w` on */
INLINE_AVX2 void hidden1_avx2(const __m256i *w, const uint8_t *products, int stride, int size,
                              int count, __m256i sums[][4])
{
    const __m256i ones = _mm256_set1_epi16(1);
    uint64_t live = live_groups_avx2(products, stride, size, count);
    for (; live; live &= live - 1) {
        const int group = __builtin_ctzll(live);
#pragma GCC unroll 2
        for (int b = 0; b < count; b++) {
            const __m256i p = broadcast_avx2(products + b * stride + 4 * group);
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {           /* p <= 127: the int16 sums cannot saturate */
                const __m256i dots = _mm256_maddubs_epi16(p, _mm256_load_si256(w + 4 * group + v));
                sums[b][v] = _mm256_add_epi32(sums[b][v], _mm256_madd_epi16(dots, ones));
            }
        }
    }
}

INLINE_AVX2 void hidden2_avx2(const NetWeights *net, int16_t hidden[][NET_HIDDEN], int count,
                              __m256i sums[][4])
{
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++) {
        const __m256i *w = (const __m256i *)net->hidden2[pair];
#pragma GCC unroll 2
        for (int b = 0; b < count; b++) {
            const __m256i h = broadcast_avx2(hidden[b] + 2 * pair);
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++)
                sums[b][v] = _mm256_add_epi32(
                    sums[b][v], _mm256_madd_epi16(h, _mm256_loadu_si256(w + v)));
        }
    }
}

INLINE_AVX2 void output_avx2(const NetWeights *net, const int16_t *hidden, int32_t *logits)
{
    __m256i sums = _mm256_loadu_si256((const __m256i *)net->output_bias);
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++)
        sums = _mm256_add_epi32(
            sums, _mm256_madd_epi16(broadcast_avx2(hidden + 2 * pair),
                                    _mm256_loadu_si256((const __m256i *)net->output[pair])));
    _mm256_storeu_si256((__m256i *)logits, sums);
}

INLINE_AVX2 void set_sums_avx2(const int32_t *bias, int count, __m256i sums[][4])
{
    for (int b = 0; b < count; b++)
        for (int v = 0; v < 4; v++)
            sums[b][v] = _mm256_loadu_si256((const __m256i *)bias + v);
}

enum { BATCH_AVX2 = 2 };            /* of sixteen registers, eight hold sums */

/* Inlined once for each constant count, so that all sums stay in registers. */
INLINE_AVX2 void dense_avx2(const NetWeights *net, const uint8_t *products, int count,
                            int32_t *logits)
{
    ALIGNED int16_t hidden[BATCH_AVX2][NET_HIDDEN];
    __m256i sums[BATCH_AVX2][4];
    const int half = net->width / 2;
    set_sums_avx2(net->hidden1_bias, count, sums);
    for (int first = 0; first < half; first += WORD_PRODUCTS)
        hidden1_avx2((const __m256i *)(net->hidden1 + first * NET_HIDDEN), products + first, half,
                     half - first < WORD_PRODUCTS ? half - first : WORD_PRODUCTS, count, sums);
    for (int b = 0; b < count; b++)
        store_hidden_avx2(sums[b], 4, hidden[b]);
    set_sums_avx2(net->hidden2_bias, count, sums);
    hidden2_avx2(net, hidden, count, sums);
    for (int b = 0; b < count; b++)
        store_hidden_avx2(sums[b], 10, hidden[b]);
    for (int b = 0; b < count; b++)
        output_avx2(net, hidden[b], logits + b * NET_OUTPUTS_PADDED);
}

TARGET_AVX2 static void head_avx2(const NetWeights *net, const uint8_t *products, int count,
                                  int32_t *logits)
{
    const int half = net->width / 2;
    int b = 0;
    for (; b + BATCH_AVX2 <= count; b += BATCH_AVX2)
        dense_avx2(net, products + b * half, BATCH_AVX2, logits + b * NET_OUTPUTS_PADDED);
    if (b < count)
        dense_avx2(net, products + b * half, 1, logits + b * NET_OUTPUTS_PADDED);
}

#endif

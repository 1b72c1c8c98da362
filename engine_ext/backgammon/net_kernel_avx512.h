/* The leaves for AVX-512 with VNNI, compiled by function target attributes.  A part of
 * net_kernel.c. */
#ifndef MANYPLY_NET_KERNEL_AVX512_H
#define MANYPLY_NET_KERNEL_AVX512_H

#include <immintrin.h>
#include <string.h>

#include "net_kernel_leaf.h"

#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define INLINE_AVX512 TARGET_AVX512 static inline __attribute__((always_inline))

INLINE_AVX512 void add_avx512(__m512i *lanes, const int16_t *row, int vectors)
{
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm512_add_epi16(lanes[v], _mm512_load_si512((const __m512i *)row + v));
}

INLINE_AVX512 void remove_avx512(__m512i *lanes, const int16_t *row, int vectors)
{
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm512_sub_epi16(lanes[v], _mm512_load_si512((const __m512i *)row + v));
}

/* base + change of the lanes from `first` on.  A play removes as many rows as it adds: one loop
 * over both, whose end is mispredicted once. */
INLINE_AVX512 void changed_avx512(const int16_t *base, const RowChange *change, int first,
                                  int vectors, __m512i *lanes)
{
    const int pairs = change->added < change->removed ? change->added : change->removed;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        lanes[v] = _mm512_load_si512((const __m512i *)(base + first) + v);
    for (int r = 0; r < pairs; r++) {
        add_avx512(lanes, change->add[r] + first, vectors);
        remove_avx512(lanes, change->remove[r] + first, vectors);
    }
    for (int r = pairs; r < change->added; r++)
        add_avx512(lanes, change->add[r] + first, vectors);
    for (int r = pairs; r < change->removed; r++)
        remove_avx512(lanes, change->remove[r] + first, vectors);
}

TARGET_AVX512 static void accumulate_avx512(const NetWeights *net, const int16_t *base,
                                            const RowChange *change, int16_t *out)
{
    for (int first = 0; first < net->width; first += 32 * VECTORS) {
        __m512i lanes[VECTORS];
        changed_avx512(base, change, first, VECTORS, lanes);
        for (int v = 0; v < VECTORS; v++)
            _mm512_store_si512((__m512i *)(out + first) + v, lanes[v]);
    }
}

INLINE_AVX512 __m256i product_avx512(__m512i a, __m512i b)
{
    const __m512i top = _mm512_set1_epi16(255), zero = _mm512_setzero_si512();
    a = _mm512_min_epi16(_mm512_max_epi16(a, zero), top);
    b = _mm512_min_epi16(_mm512_max_epi16(b, zero), top);
    a = _mm512_add_epi16(_mm512_mullo_epi16(a, b), _mm512_set1_epi16(256));
    return _mm512_cvtepi16_epi8(_mm512_srli_epi16(a, 9));
}

/* products[first..first + 32 * vectors] */
INLINE_AVX512 void sweep_avx512(const int16_t *base, const RowChange *change, int half, int first,
                                int vectors, uint8_t *products)
{
    __m512i low[8], high[8];
    changed_avx512(base, change, first, vectors, low);
    changed_avx512(base, change, half + first, vectors, high);
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
        _mm256_store_si256((__m256i *)(products + first + 32 * v), product_avx512(low[v], high[v]));
}

TARGET_AVX512 static void products_avx512(const NetWeights *net, const int16_t *base,
                                          const RowChange *change, uint8_t *products)
{
    const int half = net->width / 2;
    int first = 0;
    for (; first + 256 <= half; first += 256)
        sweep_avx512(base, change, half, first, 8, products);
    for (; first < half; first += 128)
        sweep_avx512(base, change, half, first, 4, products);
}

INLINE_AVX512 __m512i broadcast_avx512(const void *source)
{
    int32_t bits;
    memcpy(&bits, source, sizeof bits);
    return _mm512_set1_epi32(bits);
}

INLINE_AVX512 __m256i clamped_avx512(__m512i sums)
{
    sums = _mm512_min_epi32(_mm512_max_epi32(sums, _mm512_setzero_si512()),
                            _mm512_set1_epi32(NET_HIDDEN_TOP));
    return _mm512_cvtepi32_epi16(sums);
}

INLINE_AVX512 uint64_t live_groups_avx512(const uint8_t *products, int stride, int size, int count)
{
    uint64_t live = 0;
    for (int i = 0; i < size; i += 64) {
        __m512i any = _mm512_load_si512(products + i);
        for (int b = 1; b < count; b++)
            any = _mm512_or_si512(any, _mm512_load_si512(products + b * stride + i));
        live |= (uint64_t)_mm512_test_epi32_mask(any, any) << i / 4;
    }
    return live;
}

INLINE_AVX512 void hidden1_avx512(const __m512i *w, const uint8_t *products, int stride, int size,
                                  int count, __m512i sums[][2])
{
    uint64_t live = live_groups_avx512(products, stride, size, count);
    for (; live; live &= live - 1) {
        const int group = __builtin_ctzll(live);
        const __m512i w0 = _mm512_load_si512(w + 2 * group);
        const __m512i w1 = _mm512_load_si512(w + 2 * group + 1);
#pragma GCC unroll 4
        for (int b = 0; b < count; b++) {
            const __m512i p = broadcast_avx512(products + b * stride + 4 * group);
            sums[b][0] = _mm512_dpbusd_epi32(sums[b][0], p, w0);
            sums[b][1] = _mm512_dpbusd_epi32(sums[b][1], p, w1);
        }
    }
}

INLINE_AVX512 void hidden2_avx512(const NetWeights *net, int16_t hidden[][NET_HIDDEN], int count,
                                  __m512i sums[BATCH][2])
{
    for (int b = 0; b < count; b++)
        for (int v = 0; v < 2; v++)
            sums[b][v] = _mm512_loadu_si512(net->hidden2_bias + 16 * v);
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++) {
        const __m512i w0 = _mm512_loadu_si512(net->hidden2[pair]);
        const __m512i w1 = _mm512_loadu_si512(net->hidden2[pair][16]);
#pragma GCC unroll 4
        for (int b = 0; b < count; b++) {
            const __m512i h = broadcast_avx512(hidden[b] + 2 * pair);
            sums[b][0] = _mm512_dpwssd_epi32(sums[b][0], h, w0);
            sums[b][1] = _mm512_dpwssd_epi32(sums[b][1], h, w1);
        }
    }
}

INLINE_AVX512 void store_hidden_avx512(__m512i sums[BATCH][2], int count, int shift,
                                       int16_t hidden[][NET_HIDDEN])
{
#pragma GCC unroll 4
    for (int b = 0; b < count; b++)
        for (int v = 0; v < 2; v++)
            _mm256_store_si256((__m256i *)hidden[b] + v,
                               clamped_avx512(_mm512_srai_epi32(sums[b][v], shift)));
}

INLINE_AVX512 void output_avx512(const NetWeights *net, const int16_t *hidden, int32_t *logits)
{
    __m512i a[2] = {_mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)net->output_bias)),
                    _mm512_setzero_si512()};
    for (int pair = 0; pair < NET_HIDDEN / 2; pair += 4)    /* two pairs fill one register */
        for (int c = 0; c < 2; c++) {
            const int16_t *h = hidden + 2 * (pair + 2 * c);
            __m512i two = _mm512_inserti64x4(
                broadcast_avx512(h), _mm512_castsi512_si256(broadcast_avx512(h + 2)), 1);
            a[c] = _mm512_dpwssd_epi32(a[c], two, _mm512_loadu_si512(net->output[pair + 2 * c]));
        }
    a[0] = _mm512_add_epi32(a[0], a[1]);
    _mm256_storeu_si256((__m256i *)logits,
                        _mm256_add_epi32(_mm512_castsi512_si256(a[0]),
                                         _mm512_extracti64x4_epi64(a[0], 1)));
}

/* Inlined once for each constant count, so that all sums stay in registers. */
INLINE_AVX512 void dense_avx512(const NetWeights *net, const uint8_t *products, int count,
                                int32_t *logits)
{
    ALIGNED int16_t hidden[BATCH][NET_HIDDEN];
    __m512i sums[BATCH][2];
    const int half = net->width / 2;
    for (int b = 0; b < count; b++)
        for (int v = 0; v < 2; v++)
            sums[b][v] = _mm512_loadu_si512(net->hidden1_bias + 16 * v);
    for (int first = 0; first < half; first += WORD_PRODUCTS)
        hidden1_avx512((const __m512i *)(net->hidden1 + first * NET_HIDDEN), products + first, half,
                       half - first < WORD_PRODUCTS ? half - first : WORD_PRODUCTS, count, sums);
    store_hidden_avx512(sums, count, 4, hidden);
    hidden2_avx512(net, hidden, count, sums);
    store_hidden_avx512(sums, count, 10, hidden);
#pragma GCC unroll 4
    for (int b = 0; b < count; b++)
        output_avx512(net, hidden[b], logits + b * NET_OUTPUTS_PADDED);
}

TARGET_AVX512 static void head_avx512(const NetWeights *net, const uint8_t *products, int count,
                                      int32_t *logits)
{
    if (count == BATCH)
        dense_avx512(net, products, BATCH, logits);
    else
        for (int b = 0; b < count; b++)
            dense_avx512(net, products + b * (net->width / 2), 1,
                         logits + b * NET_OUTPUTS_PADDED);
}

#endif

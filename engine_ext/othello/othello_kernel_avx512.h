/* Moves and flips for AVX-512 (VL, CD): all eight directions of the moves in one register, the ends
 * of runs by counting leading zeros.  A part of othello_kernel.c, compiled by function target
 * attributes. */
#ifndef MANYPLY_OTHELLO_KERNEL_AVX512_H
#define MANYPLY_OTHELLO_KERNEL_AVX512_H

#include <immintrin.h>

#include "othello_kernel_avx2.h"
#include "othello_kernel_parts.h"

#define TARGET_AVX512 \
    __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512dq,avx512cd")))
#define INLINE_AVX512 TARGET_AVX512 static inline __attribute__((always_inline))

INLINE_AVX512 uint64_t any_lane_avx512(__m256i lanes)
{
    const __m128i pair = _mm_or_si128(_mm256_castsi256_si128(lanes),
                                      _mm256_extracti128_si256(lanes, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair)));
}

enum { A_OR_B_AND_C = 0xf8 };       /* truth table of a | (b & c) */

/* Rotations serve for shifts both ways: a turned disc has a square before and behind it, so the
 * discs that can turn on a line leave out the border that a rotation would cross. */
INLINE_AVX512 uint64_t moves_avx512(uint64_t player, uint64_t opponent)
{
    const __m512i stride = _mm512_set_epi64(57, 55, 56, 63, 7, 9, 8, 1);
    const __m512i twice = _mm512_add_epi64(stride, stride);
    const __m512i inner = _mm512_set_epi64(
        0x007e7e7e7e7e7e00, 0x007e7e7e7e7e7e00, 0x00ffffffffffff00, 0x7e7e7e7e7e7e7e7e,
        0x007e7e7e7e7e7e00, 0x007e7e7e7e7e7e00, 0x00ffffffffffff00, 0x7e7e7e7e7e7e7e7e);
    const __m512i from = _mm512_set1_epi64((long long)player);
    const __m512i through = _mm512_and_si512(_mm512_set1_epi64((long long)opponent), inner);
    __m512i run = _mm512_and_si512(through, _mm512_rolv_epi64(from, stride));
    const __m512i pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, stride));
    run = _mm512_ternarylogic_epi64(run, through, _mm512_rolv_epi64(run, stride), A_OR_B_AND_C);
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_rolv_epi64(run, twice), A_OR_B_AND_C);
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_rolv_epi64(run, twice), A_OR_B_AND_C);
    run = _mm512_rolv_epi64(run, stride);
    return any_lane_avx512(_mm256_or_si256(_mm512_castsi512_si256(run),
                                           _mm512_extracti64x4_epi64(run, 1)))
           & ~(player | opponent);
}

INLINE_AVX512 uint64_t flips_avx512(uint64_t player, uint64_t opponent, int square)
{
    const __m256i mine = _mm256_set1_epi64x((long long)player);
    const __m256i theirs = _mm256_set1_epi64x((long long)opponent);
    const __m256i above = _mm256_load_si256((const __m256i *)mp_othello_tables.above[square]);
    const __m256i below = _mm256_load_si256((const __m256i *)mp_othello_tables.below[square]);
    const __m256i ones = _mm256_set1_epi64x(-1), none = _mm256_setzero_si256();
    const __m256i top = _mm256_set1_epi64x((long long)0x8000000000000000);
    const __m256i others = _mm256_andnot_si256(theirs, above);
    const __m256i end_up = _mm256_and_si256(
        _mm256_andnot_si256(_mm256_add_epi64(others, ones), others), mine);
    /* end - 1 where the run has an end of mine */
    const __m256i before = _mm256_maskz_add_epi64(_mm256_test_epi64_mask(end_up, end_up), end_up,
                                                  ones);
    const __m256i up = _mm256_and_si256(before, above);
    const __m256i rest = _mm256_andnot_si256(theirs, below);
    const __m256i end_down = _mm256_and_si256(
        _mm256_srlv_epi64(top, _mm256_lzcnt_epi64(rest)), mine);
    const __m256i beyond = _mm256_sub_epi64(none, _mm256_add_epi64(end_down, end_down));
    return any_lane_avx512(_mm256_ternarylogic_epi64(up, beyond, below, A_OR_B_AND_C));
}

#define last_flips_avx512 last_flips_avx2

#endif

/* Moves and flips for AVX2 with BMI2: four directions in one register.  A part of
 * othello_kernel.c, compiled by function target attributes. */
#ifndef MANYPLY_OTHELLO_KERNEL_AVX2_H
#define MANYPLY_OTHELLO_KERNEL_AVX2_H

#include <immintrin.h>

#include "othello_kernel_parts.h"

#define TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define INLINE_AVX2 TARGET_AVX2 static inline __attribute__((always_inline))

INLINE_AVX2 uint64_t any_lane_avx2(__m256i lanes)
{
    const __m128i pair = _mm_or_si128(_mm256_castsi256_si128(lanes),
                                      _mm256_extracti128_si256(lanes, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair)));
}

INLINE_AVX2 uint64_t moves_avx2(uint64_t player, uint64_t opponent)
{
    const __m256i stride = _mm256_set_epi64x(7, 9, 8, 1);
    const __m256i twice = _mm256_add_epi64(stride, stride);
    const __m256i inner = _mm256_set_epi64x(0x7e7e7e7e7e7e7e7e, 0x7e7e7e7e7e7e7e7e, -1,
                                            0x7e7e7e7e7e7e7e7e);
    const __m256i from = _mm256_set1_epi64x((long long)player);
    const __m256i through = _mm256_and_si256(_mm256_set1_epi64x((long long)opponent), inner);
    __m256i up = _mm256_and_si256(through, _mm256_sllv_epi64(from, stride));
    __m256i down = _mm256_and_si256(through, _mm256_srlv_epi64(from, stride));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, stride)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, stride)));
    const __m256i pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, stride));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, stride);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    return any_lane_avx2(_mm256_or_si256(_mm256_sllv_epi64(up, stride),
                                         _mm256_srlv_epi64(down, stride)))
           & ~(player | opponent);
}

/* Above the square the run of the opponent's discs ends at the lowest other bit of the line: a
 * carry finds it.  Below it ends at the highest, which needs a smear. */
INLINE_AVX2 uint64_t flips_avx2(uint64_t player, uint64_t opponent, int square)
{
    const __m256i stride = _mm256_set_epi64x(7, 9, 8, 1);
    const __m256i mine = _mm256_set1_epi64x((long long)player);
    const __m256i theirs = _mm256_set1_epi64x((long long)opponent);
    const __m256i above = _mm256_load_si256((const __m256i *)mp_othello_tables.above[square]);
    const __m256i below = _mm256_load_si256((const __m256i *)mp_othello_tables.below[square]);
    const __m256i ones = _mm256_set1_epi64x(-1), none = _mm256_setzero_si256();
    const __m256i others = _mm256_andnot_si256(theirs, above);
    __m256i end = _mm256_and_si256(_mm256_andnot_si256(_mm256_add_epi64(others, ones), others),
                                   mine);
    /* end - 1, or 0 where the run has no end of mine */
    const __m256i before = _mm256_sub_epi64(_mm256_add_epi64(end, ones),
                                            _mm256_cmpeq_epi64(end, none));
    const __m256i up = _mm256_and_si256(before, above);
    __m256i rest = _mm256_andnot_si256(theirs, below);
    __m256i smear = _mm256_or_si256(rest, _mm256_srlv_epi64(rest, stride));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, _mm256_add_epi64(stride, stride)));
    smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, _mm256_slli_epi64(stride, 2)));
    /* the highest other bit: in the smear, its upper neighbour on the line not */
    end = _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(smear, stride), rest), mine);
    const __m256i down = _mm256_and_si256(
        below, _mm256_sub_epi64(none, _mm256_add_epi64(end, end)));
    return any_lane_avx2(_mm256_or_si256(up, down));
}

INLINE_AVX2 int last_flips_avx2(uint64_t player, uint64_t opponent, int square)
{
    (void)opponent;
    const Tables *t = &mp_othello_tables;
    const uint64_t *line = t->line[square];
    const uint8_t *place = t->place[square];
    return t->turned[place[0]][_pext_u64(player, line[0])]
           + t->turned[place[1]][_pext_u64(player, line[1])]
           + t->turned[place[2]][_pext_u64(player, line[2])]
           + t->turned[place[3]][_pext_u64(player, line[3])];
}

#endif

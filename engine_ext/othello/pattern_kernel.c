/* See pattern_kernel.h. */
#include "pattern_kernel.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PATTERN_X86 1
#include <immintrin.h>
#else
#define PATTERN_X86 0
#endif

enum { SQUARES = 64, GROUPS = 16, GROUP_SQUARES = 4 };
enum { LOW_LANES = 32, HIGH_LANES = PATTERN_LANES - LOW_LANES };

/* Registers; where they are shorter, the compiler makes several of one. */
typedef uint16_t Low __attribute__((vector_size(2 * LOW_LANES), may_alias));
typedef uint16_t High __attribute__((vector_size(2 * HIGH_LANES), may_alias));
typedef uint16_t LowAnywhere
    __attribute__((vector_size(2 * LOW_LANES), aligned(32), may_alias));
typedef struct { Low low; High high; } Vector;

/* What the player's discs on four neighbouring squares add to each index: 24 KB, which stays in
 * the nearest cache.  The opponent's add twice as much. */
static Low added_low[GROUPS][1 << GROUP_SQUARES];
static High added_high[GROUPS][1 << GROUP_SQUARES];
/* What one disc adds; the last one: no disc. */
static Low single_low[SQUARES + 1];
static High single_high[SQUARES + 1];

/* Where each place's weights begin.  As constants they are part of the instructions that load the
 * weights. */
#define FOUR(offset) offset, offset, offset, offset
#define OFFSETS \
    FOUR(0), FOUR(19683), FOUR(78732), FOUR(78732), FOUR(137781), FOUR(144342), FOUR(150903), \
    157464, 157464, FOUR(164025), FOUR(166212), FOUR(166941), FOUR(167184)
static const uint32_t offsets[PATTERN_LANES] __attribute__((aligned(64))) = {OFFSETS};

static uint16_t *lane(Low *low, High *high, int place)
{
    return place < LOW_LANES ? (uint16_t *)low + place : (uint16_t *)high + place - LOW_LANES;
}

int mp_pattern_place(int place, const int *squares, int count, uint32_t offset)
{
    uint16_t digit = 1;
    for (int i = 0; i < count; i++, digit = (uint16_t)(3 * digit)) {
        const int square = squares[i], group = square / GROUP_SQUARES;
        *lane(&single_low[square], &single_high[square], place) = digit;
        for (int discs = 0; discs < 1 << GROUP_SQUARES; discs++)
            if (discs >> square % GROUP_SQUARES & 1)
                *lane(&added_low[group][discs], &added_high[group][discs], place) += digit;
    }
    return offsets[place] == offset;
}

#define LOAD(lanes) \
    (Vector){*(const LowAnywhere *)(lanes), *(const High *)((lanes) + LOW_LANES)}
#define STORE(lanes, vector) \
    (*(LowAnywhere *)(lanes) = (vector).low, *(High *)((lanes) + LOW_LANES) = (vector).high)
#define ADD(vector, added_low, added_high) \
    ((vector).low += (added_low), (vector).high += (added_high))

#define INDICES_BODY \
    Vector mine = {{0}, {0}}, theirs = {{0}, {0}}; \
    _Pragma("GCC unroll 16") for (int group = 0; group < GROUPS; group++) { \
        const unsigned m = player >> 4 * group & 15, t = opponent >> 4 * group & 15; \
        ADD(mine, added_low[group][m], added_high[group][m]); \
        ADD(theirs, added_low[group][t], added_high[group][t]); \
    } \
    Vector index = mine; \
    ADD(index, 2 * theirs.low, 2 * theirs.high);

/* A disc turned was of the side that moves next, 1 to each digit, and is the other's, 2: one more.
 * The disc set is 2. */
#define AFTER_BODY(BEFORE) \
    Vector index = LOAD((BEFORE)->lanes); \
    ADD(index, 2 * single_low[square], 2 * single_high[square]); \
    TURN_SOME(index, flips) \
    while (flips) { \
        const int turned = __builtin_ctzll(flips); \
        ADD(index, single_low[turned], single_high[turned]); \
        flips &= flips - 1; \
    }

/* The indices have to pass through memory: the compiler, if it knew of the vectors, would take
 * them out of registers one by one, which lasts longer. */
#define SUM_LOADED \
    uint16_t at[PATTERN_LANES] __attribute__((aligned(64))); \
    STORE(at, index); \
    __asm__ volatile("" : : "r"(at) : "memory"); \
    int even = 0, odd = 0; \
    _Pragma("GCC unroll 23") for (int place = 0; place < PATTERN_PLACES; place += 2) { \
        even += weights[offsets[place] + at[place]]; \
        odd += weights[offsets[place + 1] + at[place + 1]]; \
    } \
    return even + odd;

#define KERNEL(TARGET, suffix, SUM) \
TARGET static void indices_##suffix(uint64_t player, uint64_t opponent, uint16_t *indices) \
{ \
    INDICES_BODY \
    STORE(indices, index); \
} \
TARGET static int sum_##suffix(const int16_t *weights, uint64_t player, uint64_t opponent) \
{ \
    INDICES_BODY \
    SUM \
} \
TARGET static void prepare_##suffix(uint64_t player, uint64_t opponent, PatternsBefore *before) \
{ \
    INDICES_BODY \
    STORE(before->lanes, index); \
    ADD(mine, theirs.low, theirs.high); \
    STORE(before->discs, mine); \
} \
/* The sides change: digits 1 and 2, so that an index and its other sum to three times the discs. */ \
TARGET static void prepare_after_##suffix(const PatternsBefore *parent, int square, \
                                          uint64_t flips, PatternsBefore *before) \
{ \
    AFTER_BODY(parent) \
    Vector discs = LOAD(parent->discs); \
    ADD(discs, single_low[square], single_high[square]); \
    STORE(before->discs, discs); \
    index.low = 3 * discs.low - index.low; \
    index.high = 3 * discs.high - index.high; \
    STORE(before->lanes, index); \
} \
TARGET static int sum_after_##suffix(const PatternsBefore *before, int square, uint64_t flips) \
{ \
    const int16_t *weights = before->weights; \
    AFTER_BODY(before) \
    SUM \
} \
static const Kernel kernel_##suffix = { \
    indices_##suffix, sum_##suffix, prepare_##suffix, prepare_after_##suffix, \
    sum_after_##suffix};

typedef struct {
    void (*indices)(uint64_t player, uint64_t opponent, uint16_t *indices);
    int (*sum)(const int16_t *weights, uint64_t player, uint64_t opponent);
    void (*prepare)(uint64_t player, uint64_t opponent, PatternsBefore *before);
    void (*prepare_after)(const PatternsBefore *parent, int square, uint64_t flips,
                          PatternsBefore *before);
    int (*sum_after)(const PatternsBefore *before, int square, uint64_t flips);
} Kernel;

#define TURN_SOME(index, flips)
KERNEL(, portable, SUM_LOADED)
#undef TURN_SOME

#if PATTERN_X86
/* Three at once, which mostly is enough: so it is seldom guessed wrong whether there are more.  Of
 * no discs the first is number 64. */
#define TURN_SOME(index, flips) \
    _Pragma("GCC unroll 3") for (int i = 0; i < 3; i++) { \
        const uint64_t turned = __builtin_ia32_tzcnt_u64(flips); \
        ADD(index, single_low[turned], single_high[turned]); \
        flips &= flips - 1; \
    }

KERNEL(__attribute__((target("avx2,bmi"))), avx2, SUM_LOADED)

#define WEIGHTS_512(at) \
    _mm512_srai_epi32(_mm512_slli_epi32(_mm512_i32gather_epi32(at, weights, 2), 16), 16)
#define PLACES_512(indices, first) \
    _mm512_add_epi32(_mm512_cvtepu16_epi32(indices), _mm512_load_si512(offsets + (first)))
/* Each weight with its neighbour, which is shifted out. */
#define SUM_GATHERED \
    const __m512i low = (__m512i)index.low; \
    const __m512i places[] = { \
        PLACES_512(_mm512_castsi512_si256(low), 0), \
        PLACES_512(_mm512_extracti64x4_epi64(low, 1), 16), \
        PLACES_512((__m256i)index.high, 32)}; \
    const __m512i rest = _mm512_maskz_mov_epi32( \
        (1 << (PATTERN_PLACES - 32)) - 1, WEIGHTS_512(places[2])); \
    return _mm512_reduce_add_epi32(_mm512_add_epi32( \
        _mm512_add_epi32(WEIGHTS_512(places[0]), WEIGHTS_512(places[1])), rest));

KERNEL(__attribute__((target("avx2,bmi,avx512f,avx512bw,avx512vl"))), avx512, SUM_GATHERED)
#endif

static const Kernel *const kernels[PATTERN_KERNELS] = {
    [PATTERN_PORTABLE] = &kernel_portable,
#if PATTERN_X86
    [PATTERN_AVX2] = &kernel_avx2,
    [PATTERN_AVX512] = &kernel_avx512,
#endif
};

static Kernel in_use = {
    indices_portable, sum_portable, prepare_portable, prepare_after_portable, sum_after_portable};

static int can_use(int kernel)
{
#if PATTERN_X86
    __builtin_cpu_init();
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    if (kernel == PATTERN_AVX2)
        return has_avx2;
    if (kernel == PATTERN_AVX512)
        return has_avx2 && __builtin_cpu_supports("avx512f")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#endif
    return kernel == PATTERN_PORTABLE;
}

int mp_pattern_use(int kernel)
{
    if (!can_use(kernel))
        return 0;
    in_use = *kernels[kernel];
    return 1;
}

/* Where sixteen weights gathered take as long as sixteen loads, loads it is: not on Intel's. */
static int gathers_well(void)
{
#if PATTERN_X86
    return __builtin_cpu_is("intel") != 0;
#else
    return 0;
#endif
}

int mp_pattern_use_quickest(void)
{
    if (gathers_well() && mp_pattern_use(PATTERN_AVX512))
        return PATTERN_AVX512;
    if (mp_pattern_use(PATTERN_AVX2))
        return PATTERN_AVX2;
    mp_pattern_use(PATTERN_PORTABLE);
    return PATTERN_PORTABLE;
}

void mp_pattern_indices(uint64_t player, uint64_t opponent, uint16_t *indices)
{
    in_use.indices(player, opponent, indices);
}

int mp_pattern_sum(const int16_t *weights, uint64_t player, uint64_t opponent)
{
    return in_use.sum(weights, player, opponent);
}

void mp_pattern_prepare(uint64_t player, uint64_t opponent, PatternsBefore *before)
{
    in_use.prepare(player, opponent, before);
}

void mp_pattern_prepare_after(const PatternsBefore *parent, int square, uint64_t flips,
                              PatternsBefore *before)
{
    in_use.prepare_after(parent, square, flips, before);
}

int mp_pattern_sum_after(const PatternsBefore *before, int square, uint64_t flips)
{
    return in_use.sum_after(before, square, flips);
}

/* See pattern_kernel.h. */
#include "pattern_kernel.h"

enum { SQUARES = 64, GROUPS = 16, GROUP_SQUARES = 4 };

typedef uint16_t Lanes[PATTERN_LANES] __attribute__((aligned(32)));

/* What the player's discs on four neighbouring squares add to each index: 24 KB, which stays in
 * the nearest cache.  The opponent's add twice as much. */
static __attribute__((aligned(64))) Lanes added[GROUPS][1 << GROUP_SQUARES];
/* What one disc adds. */
static __attribute__((aligned(64))) Lanes single[SQUARES];
static __attribute__((aligned(64))) uint32_t offsets[PATTERN_LANES];

void mp_pattern_place(int place, const int *squares, int count, uint32_t offset)
{
    uint16_t digit = 1;
    offsets[place] = offset;
    for (int i = 0; i < count; i++, digit = (uint16_t)(3 * digit)) {
        Lanes *group = added[squares[i] / GROUP_SQUARES];
        single[squares[i]][place] = digit;
        for (int discs = 0; discs < 1 << GROUP_SQUARES; discs++)
            if (discs >> squares[i] % GROUP_SQUARES & 1)
                group[discs][place] = (uint16_t)(group[discs][place] + digit);
    }
}

/* Sixteen lanes; the compiler makes parts of it where registers are shorter. */
typedef uint16_t Part __attribute__((vector_size(32), may_alias));
typedef uint32_t WidePart __attribute__((vector_size(64), may_alias));
enum { PARTS = PATTERN_LANES / 16 };

#define INDICES_BODY \
    Part mine[PARTS] = {{0}}, theirs[PARTS] = {{0}}; \
    _Pragma("GCC unroll 16") for (int group = 0; group < GROUPS; group++) { \
        const Part *m = (const Part *)added[group][player >> 4 * group & 15]; \
        const Part *t = (const Part *)added[group][opponent >> 4 * group & 15]; \
        _Pragma("GCC unroll 3") for (int k = 0; k < PARTS; k++) { \
            mine[k] += m[k]; \
            theirs[k] += t[k]; \
        } \
    } \
    Part index[PARTS]; \
    _Pragma("GCC unroll 3") for (int k = 0; k < PARTS; k++) \
        index[k] = mine[k] + theirs[k] + theirs[k];

static void indices_portable(uint64_t player, uint64_t opponent, uint16_t *indices)
{
    INDICES_BODY
    for (int k = 0; k < PARTS; k++)
        ((Part *)indices)[k] = index[k];
}

/* Offsets are added while the indices are vectors, and two sums run beside each other: one load
 * and one addition a place are left, in 56 ns instead of 71 a board. */
#define SUM_BODY \
    __attribute__((aligned(64))) uint32_t at[PATTERN_LANES]; \
    int even = 0, odd = 0; \
    _Pragma("GCC unroll 3") for (int k = 0; k < PARTS; k++) \
        ((WidePart *)at)[k] = ((const WidePart *)offsets)[k] \
            + __builtin_convertvector(index[k], WidePart); \
    _Pragma("GCC unroll 23") for (int place = 0; place < PATTERN_PLACES; place += 2) { \
        even += weights[at[place]]; \
        odd += weights[at[place + 1]]; \
    } \
    return even + odd;

/* A disc turned was of the side that moves next, 1 to each digit, and is the other's, 2: one more.
 * The disc set is 2. */
#define AFTER_BODY \
    Part index[PARTS]; \
    const Part *old = (const Part *)before, *set = (const Part *)single[square]; \
    _Pragma("GCC unroll 3") for (int k = 0; k < PARTS; k++) \
        index[k] = old[k] + set[k] + set[k]; \
    do { \
        const Part *turned = (const Part *)single[__builtin_ctzll(flips)]; \
        _Pragma("GCC unroll 3") for (int k = 0; k < PARTS; k++) \
            index[k] += turned[k]; \
        flips &= flips - 1; \
    } while (flips); \
    SUM_BODY

static int sum_portable(const int16_t *weights, uint64_t player, uint64_t opponent)
{
    INDICES_BODY
    SUM_BODY
}

static int after_portable(const int16_t *weights, const uint16_t *before, int square,
                          uint64_t flips)
{
    AFTER_BODY
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define WIDE __attribute__((target("avx2")))
WIDE static void indices_avx2(uint64_t player, uint64_t opponent, uint16_t *indices)
{
    INDICES_BODY
    for (int k = 0; k < PARTS; k++)
        ((Part *)indices)[k] = index[k];
}

WIDE static int sum_avx2(const int16_t *weights, uint64_t player, uint64_t opponent)
{
    INDICES_BODY
    SUM_BODY
}

WIDE static int after_avx2(const int16_t *weights, const uint16_t *before, int square,
                           uint64_t flips)
{
    AFTER_BODY
}
#else
#define indices_avx2 indices_portable
#define sum_avx2 sum_portable
#define after_avx2 after_portable
#endif

static int has_avx2(void)
{
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

static int is_wide;             /* whether wide registers are used: read by all threads */

int mp_pattern_use_wide(int wanted)
{
    if (wanted && !has_avx2())
        return 0;
    is_wide = wanted;
    return 1;
}

void mp_pattern_indices(uint64_t player, uint64_t opponent, uint16_t *indices)
{
    if (is_wide)
        indices_avx2(player, opponent, indices);
    else
        indices_portable(player, opponent, indices);
}

int mp_pattern_sum(const int16_t *weights, uint64_t player, uint64_t opponent)
{
    return is_wide ? sum_avx2(weights, player, opponent)
                   : sum_portable(weights, player, opponent);
}

int mp_pattern_sum_after(const int16_t *weights, const uint16_t *before, int square,
                         uint64_t flips)
{
    return is_wide ? after_avx2(weights, before, square, flips)
                   : after_portable(weights, before, square, flips);
}

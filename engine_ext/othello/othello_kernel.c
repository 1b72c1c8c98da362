/* See othello_kernel.h.  A kernel is moves and flips (othello_kernel_avx512.h, ..._avx2.h,
 * ..._portable.h) and the leaf search compiled around them (othello_kernel_leaf.h).  x86 kernels
 * are chosen at run time, so that one binary serves every machine. */
#include "othello_kernel_parts.h"

#include <string.h>

#include "othello_kernel_portable.h"

#if (defined(__x86_64__)) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_X86_KERNELS 1
#include "othello_kernel_avx2.h"
#include "othello_kernel_avx512.h"
#else
#define HAVE_X86_KERNELS 0
#endif

Tables mp_othello_tables;

/* Up to this many empty squares parity alone orders the moves. */
enum { LEAF_SHALLOW_MAX = 6 };

/* ---- the leaf search, once for each kernel ------------------------------------ */

#define VARIANT(name) name##_portable
#define TARGET
#include "othello_kernel_leaf.h"
#undef VARIANT
#undef TARGET

#if HAVE_X86_KERNELS
#define VARIANT(name) name##_avx2
#define TARGET TARGET_AVX2
#include "othello_kernel_leaf.h"
#undef VARIANT
#undef TARGET

#define VARIANT(name) name##_avx512
#define TARGET TARGET_AVX512
#include "othello_kernel_leaf.h"
#undef VARIANT
#undef TARGET
#endif

/* ---- tables -------------------------------------------------------------------- */

static const int line_step[LINES][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};    /* file, rank */

static uint64_t ray(int square, int file_step, int rank_step)
{
    uint64_t bits = 0;
    for (int file = (square & 7) + file_step, rank = (square >> 3) + rank_step;
         file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step)
        bits |= (uint64_t)1 << (8 * rank + file);
    return bits;
}

static void fill_lines(Tables *t)
{
    for (int square = 0; square < 64; square++) {
        const uint64_t bit = (uint64_t)1 << square;
        for (int line = 0; line < LINES; line++) {
            const int *step = line_step[line];
            t->above[square][line] = ray(square, step[0], step[1]);
            t->below[square][line] = ray(square, -step[0], -step[1]);
            t->line[square][line] = t->above[square][line] | t->below[square][line] | bit;
            t->place[square][line] = (uint8_t)count_bits(t->below[square][line]);
            t->neighbours[square] |= ray(square, step[0], step[1]) & ray(square, step[0], step[1]);
        }
        t->quadrant[square] = (uint8_t)(1 << ((square >> 2 & 1) | (square >> 4 & 2)));
    }
    for (int set = 0; set < 16; set++)
        for (int square = 0; square < 64; square++)
            if (set & t->quadrant[square])
                t->odd_squares[set] |= (uint64_t)1 << square;
}

static void fill_neighbours(Tables *t)
{
    for (int square = 0; square < 64; square++) {
        uint64_t bits = 0;
        for (int line = 0; line < LINES; line++) {
            const uint64_t above = t->above[square][line], below = t->below[square][line];
            bits |= above & -above;
            if (below)
                bits |= (uint64_t)1 << (63 - __builtin_clzll(below));
        }
        t->neighbours[square] = bits;
    }
}

/* Discs turned on one line of eight. */
static unsigned edge_flips(unsigned player, unsigned opponent, int place)
{
    unsigned turned = 0;
    for (int step = -1; step <= 1; step += 2) {
        unsigned run = 0;
        int at = place + step;
        for (; at >= 0 && at < 8 && opponent >> at & 1; at += step)
            run |= 1u << at;
        if (at >= 0 && at < 8 && player >> at & 1)
            turned |= run;
    }
    return turned;
}

static void fill_turned(Tables *t)
{
    for (int place = 0; place < 8; place++)
        for (unsigned player = 0; player < 256; player++)
            t->turned[place][player] = (uint8_t)(
                player >> place & 1
                    ? 0
                    : count_bits(edge_flips(player, ~player & 255 & ~(1u << place), place)));
}

/* Discs of the first side that keep their colour whatever either side places on the edge, whether
 * that turns discs of the edge or not; `done` marks the entries that are filled. */
static unsigned fill_stable_edge(Tables *t, uint8_t (*done)[256], unsigned first, unsigned second)
{
    unsigned stable = first;
    if (done[first][second])
        return t->stable_edge[first][second];
    for (int place = 0; place < 8 && stable; place++) {
        const unsigned bit = 1u << place;
        if ((first | second) & bit)
            continue;
        unsigned turned = edge_flips(first, second, place);
        stable &= fill_stable_edge(t, done, (first | turned) | bit, second & ~turned);
        turned = edge_flips(second, first, place);
        stable &= fill_stable_edge(t, done, first & ~turned, (second | turned) | bit);
    }
    done[first][second] = 1;
    t->stable_edge[first][second] = (uint8_t)stable;
    return stable;
}

static uint8_t edges_done[256][256];

static void fill_tables(Tables *t)
{
    fill_lines(t);
    fill_neighbours(t);
    fill_turned(t);
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            if (!(first & second))
                fill_stable_edge(t, edges_done, first, second);
}

/* ---- stable discs ---------------------------------------------------------------- */

static inline unsigned file_bits(uint64_t bits, int file)
{
    return (unsigned)(((bits >> file) & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

static inline uint64_t file_of(unsigned bits, int file)
{
    uint64_t spread = 0;
    for (; bits; bits &= bits - 1)
        spread |= (uint64_t)1 << (8 * __builtin_ctz(bits) + file);
    return spread;
}

static uint64_t stable_edges(uint64_t player, uint64_t opponent)
{
    const Tables *t = &mp_othello_tables;
    return t->stable_edge[player & 255][opponent & 255]
           | (uint64_t)t->stable_edge[player >> 56][opponent >> 56] << 56
           | file_of(t->stable_edge[file_bits(player, 0)][file_bits(opponent, 0)], 0)
           | file_of(t->stable_edge[file_bits(player, 7)][file_bits(opponent, 7)], 7);
}

/* Squares whose whole diagonal at a stride (9 or 7) is occupied; squares beyond the ends count. */
static uint64_t full_diagonals(uint64_t occupied, int stride)
{
    /* beyond which nothing is shifted in: the first file or the last, and the first rank */
    const uint64_t low = stride == 9 ? 0x01010101010101ff : 0x80808080808080ff;
    const uint64_t high = stride == 9 ? 0xff80808080808080 : 0xff01010101010101;
    uint64_t up = occupied, down = occupied;
    for (int step = 0; step < 7; step++) {
        up &= low | up << stride;
        down &= high | down >> stride;
    }
    return up & down;
}

static uint64_t full_lines(uint64_t occupied, uint64_t *files, uint64_t *rising, uint64_t *falling)
{
    uint64_t ranks = occupied;
    ranks &= ranks >> 4 & 0x0f0f0f0f0f0f0f0f;
    ranks &= ranks >> 2;
    ranks &= ranks >> 1;
    ranks = (ranks & 0x0101010101010101) * 255;
    uint64_t all = occupied;
    all &= all >> 32 | all << 32;
    all &= all >> 16 | all << 48;
    all &= all >> 8 | all << 56;
    *files = all;
    *rising = full_diagonals(occupied, 9);
    *falling = full_diagonals(occupied, 7);
    return ranks;
}

uint64_t mp_othello_stable(uint64_t player, uint64_t opponent, uint64_t squares)
{
    const uint64_t border = 0xff818181818181ff;
    /* Squares outside a smaller board end lines as the rim does. */
    const uint64_t outside = ~squares;
    uint64_t files, rising, falling, stable, before;
    const uint64_t ranks = full_lines(player | opponent | outside, &files, &rising, &falling);
    stable = player & ranks & files & rising & falling;
    stable |= ~squares ? 0 : stable_edges(player, opponent);
    const uint64_t inner = player & (~squares ? ~(uint64_t)0 : ~border);
    if (!stable && !outside)    /* nothing to start from; smaller boards have their rim */
        return 0;
    do {
        const uint64_t held = stable | outside;
        before = stable;
        stable |= inner & (ranks | held << 1 | held >> 1) & (files | held << 8 | held >> 8)
                  & (rising | held << 9 | held >> 9) & (falling | held << 7 | held >> 7);
    } while (stable != before);
    return stable;
}

/* ---- choice of the kernel ---------------------------------------------------------- */

static const OthelloKernel kernels[] = {
#if HAVE_X86_KERNELS
    {"avx512", moves_avx512, flips_avx512, solve_avx512},
    {"avx2", moves_avx2, flips_avx2, solve_avx2},
#endif
    {"portable", moves_portable, flips_portable, solve_portable},
};
enum { KERNEL_COUNT = sizeof kernels / sizeof kernels[0] };

static const OthelloKernel *current;    /* set once before use, or by tests */

static int can_run(const OthelloKernel *kernel)
{
#if HAVE_X86_KERNELS
    __builtin_cpu_init();
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
                         && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (kernel->solve == solve_avx512)
        return has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
               && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
    if (kernel->solve == solve_avx2)
        return has_avx2;
#endif
    return kernel->solve == solve_portable;
}

const char *mp_othello_kernel_available(int index)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (can_run(&kernels[k]) && index-- == 0)
            return kernels[k].name;
    return 0;
}

int mp_othello_kernel_force(const char *name)
{
    for (int k = 0; k < KERNEL_COUNT; k++)
        if (strcmp(kernels[k].name, name) == 0 && can_run(&kernels[k])) {
            current = &kernels[k];
            return 1;
        }
    return 0;
}

const OthelloKernel *mp_othello_kernel(void)
{
    if (!current) {
        fill_tables(&mp_othello_tables);
        mp_othello_kernel_force(mp_othello_kernel_available(0));
    }
    return current;
}

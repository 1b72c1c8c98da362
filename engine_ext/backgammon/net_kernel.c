/* See net_kernel.h for the arithmetic.  Each kernel is three leaves: `accumulate`
 * (rows onto a base), `products` (the same, then the activation) and `head` (the
 * dense layers); everything else is shared.  x86 kernels are compiled with function target attributes and
 * chosen at run time, so one binary serves every machine. */
#include "net_kernel.h"

#include <stdlib.h>
#include <string.h>

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_X86_KERNELS 1
#include <immintrin.h>
#else
#define HAVE_X86_KERNELS 0
#endif

#define ALIGNED __attribute__((aligned(64)))

/* A board can differ from another in every slot, by all its checkers: 30 rows leave, 30 come. */
enum { ROWS_MAX = 64 };

typedef struct RowChange {
    int added, removed;
    const int16_t *add[ROWS_MAX];
    const int16_t *remove[ROWS_MAX];
} RowChange;

typedef struct Kernel {
    const char *name;
    /* out[width] = base + change; both 64-byte aligned */
    void (*accumulate)(const NetWeights *, const int16_t *base, const RowChange *, int16_t *out);
    /* products of (base + change); base is [width] and 64-byte aligned */
    void (*products)(const NetWeights *, const int16_t *base, const RowChange *, uint8_t *products);
    /* logits[8] from products[width/2] */
    void (*head)(const NetWeights *, const uint8_t *products, int32_t *logits);
} Kernel;

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

static void head_portable(const NetWeights *net, const uint8_t *products, int32_t *logits)
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

#if HAVE_X86_KERNELS
/* ---- AVX2 ---------------------------------------------------------------- */
#define TARGET_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 TARGET_AVX2 static inline __attribute__((always_inline))

enum { VECTORS = 4 };               /* registers a half in one sweep over the rows */

INLINE_AVX2 void changed_avx2(const int16_t *base, const RowChange *change, int first, __m256i *out)
{
    for (int v = 0; v < VECTORS; v++)
        out[v] = _mm256_load_si256((const __m256i *)(base + first) + v);
    for (int r = 0; r < change->added; r++)
        for (int v = 0; v < VECTORS; v++)
            out[v] = _mm256_add_epi16(
                out[v], _mm256_load_si256((const __m256i *)(change->add[r] + first) + v));
    for (int r = 0; r < change->removed; r++)
        for (int v = 0; v < VECTORS; v++)
            out[v] = _mm256_sub_epi16(
                out[v], _mm256_load_si256((const __m256i *)(change->remove[r] + first) + v));
}

TARGET_AVX2 static void accumulate_avx2(const NetWeights *net, const int16_t *base,
                                        const RowChange *change, int16_t *out)
{
    for (int first = 0; first < net->width; first += 16 * VECTORS) {
        __m256i lanes[VECTORS];
        changed_avx2(base, change, first, lanes);
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
        changed_avx2(base, change, first, low);
        changed_avx2(base, change, half + first, high);
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

TARGET_AVX2 static void head_avx2(const NetWeights *net, const uint8_t *products, int32_t *logits)
{
    const __m256i ones = _mm256_set1_epi16(1);
    ALIGNED int16_t hidden[NET_HIDDEN];
    __m256i sums[4], output;
    for (int v = 0; v < 4; v++)
        sums[v] = _mm256_loadu_si256((const __m256i *)net->hidden1_bias + v);
    for (int group = 0; group < net->width / 8; group++) {
        const __m256i *w = (const __m256i *)(net->hidden1 + group * NET_HIDDEN * 4);
        __m256i p = broadcast_avx2(products + 4 * group);
        for (int v = 0; v < 4; v++)                 /* p <= 127: the int16 sums cannot saturate */
            sums[v] = _mm256_add_epi32(
                sums[v], _mm256_madd_epi16(_mm256_maddubs_epi16(p, _mm256_load_si256(w + v)), ones));
    }
    store_hidden_avx2(sums, 4, hidden);
    for (int v = 0; v < 4; v++)
        sums[v] = _mm256_loadu_si256((const __m256i *)net->hidden2_bias + v);
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++) {
        __m256i h = broadcast_avx2(hidden + 2 * pair);
        for (int v = 0; v < 4; v++)
            sums[v] = _mm256_add_epi32(
                sums[v], _mm256_madd_epi16(
                             h, _mm256_loadu_si256((const __m256i *)net->hidden2[pair] + v)));
    }
    store_hidden_avx2(sums, 10, hidden);
    output = _mm256_loadu_si256((const __m256i *)net->output_bias);
    for (int pair = 0; pair < NET_HIDDEN / 2; pair++)
        output = _mm256_add_epi32(
            output, _mm256_madd_epi16(broadcast_avx2(hidden + 2 * pair),
                                      _mm256_loadu_si256((const __m256i *)net->output[pair])));
    _mm256_storeu_si256((__m256i *)logits, output);
}

/* ---- AVX-512 with VNNI ---------------------------------------------------- */
#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))
#define INLINE_AVX512 TARGET_AVX512 static inline __attribute__((always_inline))

INLINE_AVX512 void changed_avx512(const int16_t *base, const RowChange *change, int first,
                                  __m512i *out)
{
    for (int v = 0; v < VECTORS; v++)
        out[v] = _mm512_load_si512((const __m512i *)(base + first) + v);
    for (int r = 0; r < change->added; r++)
        for (int v = 0; v < VECTORS; v++)
            out[v] = _mm512_add_epi16(
                out[v], _mm512_load_si512((const __m512i *)(change->add[r] + first) + v));
    for (int r = 0; r < change->removed; r++)
        for (int v = 0; v < VECTORS; v++)
            out[v] = _mm512_sub_epi16(
                out[v], _mm512_load_si512((const __m512i *)(change->remove[r] + first) + v));
}

TARGET_AVX512 static void accumulate_avx512(const NetWeights *net, const int16_t *base,
                                            const RowChange *change, int16_t *out)
{
    for (int first = 0; first < net->width; first += 32 * VECTORS) {
        __m512i lanes[VECTORS];
        changed_avx512(base, change, first, lanes);
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

TARGET_AVX512 static void products_avx512(const NetWeights *net, const int16_t *base,
                                          const RowChange *change, uint8_t *products)
{
    const int half = net->width / 2;
    for (int first = 0; first < half; first += 32 * VECTORS) {
        __m512i low[VECTORS], high[VECTORS];
        changed_avx512(base, change, first, low);
        changed_avx512(base, change, half + first, high);
        for (int v = 0; v < VECTORS; v++)
            _mm256_store_si256((__m256i *)(products + first + 32 * v),
                               product_avx512(low[v], high[v]));
    }
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

TARGET_AVX512 static void head_avx512(const NetWeights *net, const uint8_t *products,
                                      int32_t *logits)
{
    ALIGNED int16_t hidden[NET_HIDDEN];
    const __m512i *w = (const __m512i *)net->hidden1;
    __m512i a[4], b[4];                     /* four chains hide the latency of the dot product */
    for (int c = 0; c < 4; c++)
        a[c] = b[c] = _mm512_setzero_si512();
    for (int group = 0; group < net->width / 8; group += 4, w += 8)
        for (int c = 0; c < 4; c++) {
            __m512i p = broadcast_avx512(products + 4 * (group + c));
            a[c] = _mm512_dpbusd_epi32(a[c], p, _mm512_load_si512(w + 2 * c));
            b[c] = _mm512_dpbusd_epi32(b[c], p, _mm512_load_si512(w + 2 * c + 1));
        }
    a[0] = _mm512_add_epi32(_mm512_add_epi32(a[0], a[1]), _mm512_add_epi32(a[2], a[3]));
    b[0] = _mm512_add_epi32(_mm512_add_epi32(b[0], b[1]), _mm512_add_epi32(b[2], b[3]));
    a[0] = _mm512_add_epi32(a[0], _mm512_loadu_si512(net->hidden1_bias));
    b[0] = _mm512_add_epi32(b[0], _mm512_loadu_si512(net->hidden1_bias + 16));
    _mm256_store_si256((__m256i *)hidden, clamped_avx512(_mm512_srai_epi32(a[0], 4)));
    _mm256_store_si256((__m256i *)hidden + 1, clamped_avx512(_mm512_srai_epi32(b[0], 4)));
    a[0] = _mm512_loadu_si512(net->hidden2_bias);
    b[0] = _mm512_loadu_si512(net->hidden2_bias + 16);
    a[1] = b[1] = _mm512_setzero_si512();
    for (int pair = 0; pair < NET_HIDDEN / 2; pair += 2)
        for (int c = 0; c < 2; c++) {
            __m512i h = broadcast_avx512(hidden + 2 * (pair + c));
            const int16_t *row = &net->hidden2[pair + c][0][0];
            a[c] = _mm512_dpwssd_epi32(a[c], h, _mm512_loadu_si512(row));
            b[c] = _mm512_dpwssd_epi32(b[c], h, _mm512_loadu_si512(row + 32));
        }
    a[0] = _mm512_add_epi32(a[0], a[1]);
    b[0] = _mm512_add_epi32(b[0], b[1]);
    _mm256_store_si256((__m256i *)hidden, clamped_avx512(_mm512_srai_epi32(a[0], 10)));
    _mm256_store_si256((__m256i *)hidden + 1, clamped_avx512(_mm512_srai_epi32(b[0], 10)));
    a[0] = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)net->output_bias));
    a[0] = _mm512_inserti64x4(a[0], _mm256_setzero_si256(), 1);
    a[1] = _mm512_setzero_si512();
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
#endif

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
    const size_t size = struct_bytes + (NET_INPUTS + 1) * row_bytes + (size_t)width / 2 * NET_HIDDEN;
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

/* Note the rows that turn slot `slot` of `from` checkers into one of `to`.  Most changes are by one
 * checker: the first row is noted on both lists without a branch, which could not be foreseen. */
static inline void change_slot(const NetWeights *net, RowChange *change, int slot, int from, int to)
{
    const size_t width = (size_t)net->width;
    const int16_t *rows = net->rows + (size_t)(slot * NET_LEVELS) * width;
    change->add[change->added] = rows + (size_t)from * width;
    change->remove[change->removed] = rows + (size_t)to * width;
    change->added += from < to;
    change->removed += to < from;
    for (int level = from + 1; level < to; level++)
        change->add[change->added++] = rows + (size_t)level * width;
    for (int level = to + 1; level < from; level++)
        change->remove[change->removed++] = rows + (size_t)level * width;
}

/* Bit i of the result: slot i differs. */
static inline uint64_t changed_slots(const uint8_t *near, const uint8_t *board)
{
#if defined(__SSE2__)
    static const int starts[4] = {0, 16, 32, NET_SLOTS - 16};     /* the last two overlap */
    uint64_t equal = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(near + starts[i]));
        const __m128i b = _mm_loadu_si128((const __m128i *)(board + starts[i]));
        equal |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) << starts[i];
    }
    return ~equal & ((1ULL << NET_SLOTS) - 1);
#else
    uint64_t changed = 0;
    for (int slot = 0; slot < NET_SLOTS; slot++)
        changed |= (uint64_t)(near[slot] != board[slot]) << slot;
    return changed;
#endif
}

/* Place of the lowest bit of a number that is not 0. */
static inline int lowest_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    while (!(bits >> place & 1))
        place++;
    return place;
#endif
}

/* The rows between two boards. */
static inline void compare(const NetWeights *net, const uint8_t *near, const uint8_t *board,
                           RowChange *change)
{
    change->added = change->removed = 0;
    for (uint64_t left = changed_slots(near, board); left; left &= left - 1) {
        const int slot = lowest_bit(left);
        change_slot(net, change, slot, near[slot], board[slot]);
    }
}

/* The rows of one board over the bias. */
static inline void all_rows(const NetWeights *net, const uint8_t *board, RowChange *change)
{
    static const uint8_t empty[NET_SLOTS];
    compare(net, empty, board, change);
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

static inline void finish(const Kernel *kernel, const NetWeights *net, const int16_t *base,
                          const RowChange *change, double *probs)
{
    ALIGNED uint8_t products[NET_WIDTH_MAX / 2];
    int32_t logits[NET_OUTPUTS_PADDED];
    kernel->products(net, base, change, products);
    kernel->head(net, products, logits);
    for (int o = 0; o < NET_OUTPUTS; o++)
        probs[o] = probability(net->table, logits[o]) / 65536.0;
}

void mp_net_evaluate(const NetWeights *net, const uint8_t *near, const uint8_t *boards, int count,
                     double *probs)
{
    const Kernel *kernel = chosen();
    ALIGNED int16_t base[NET_WIDTH_MAX];
    RowChange change;
    if (count == 1) {                   /* a base used once is not worth storing */
        all_rows(net, boards, &change);
        finish(kernel, net, net->accumulator_bias, &change, probs);
        return;
    }
    all_rows(net, near, &change);
    kernel->accumulate(net, net->accumulator_bias, &change, base);
    for (int i = 0; i < count; i++) {
        compare(net, near, boards + (size_t)i * NET_SLOTS, &change);
        finish(kernel, net, base, &change, probs + (size_t)i * NET_OUTPUTS);
    }
}

# What a board is worth beyond its score: a network of eight 5-tuples in eight symmetries, and a
# table of the bag with counts of 1s, 2s and empty squares.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from engine_ext.threes.board cimport board_score, mirrored, transposed

cdef extern from * nogil:
    int popcount "__builtin_popcountll"(unsigned long long)

cdef enum:
    TUPLES = 8
    TUPLE_SIZE = 1 << 20      # 16 ranks on five squares
    SYMMETRIES = 8
    BAG_SIZE = 1 << 18        # nine bits of the bag, three each of 1s, 2s and empty squares
    WEIGHTS = TUPLES * TUPLE_SIZE + BAG_SIZE
    FEATURES = TUPLES * SYMMETRIES + 1

ctypedef struct ValueNet:
    const int16_t *weights    # [TUPLES][TUPLE_SIZE], then [BAG_SIZE]
    double unit               # points that a weight of 1 is worth, a power of 2

cdef inline uint64_t flipped(uint64_t cells) noexcept nogil:
    return (cells << 48) | ((cells << 16) & 0xFFFF00000000ULL) | (
        (cells >> 16) & 0xFFFF0000ULL) | (cells >> 48)

# How many squares hold a rank.
cdef inline int squares_with(uint64_t cells, int rank) noexcept nogil:
    cdef uint64_t other = cells ^ (0x1111111111111111ULL * rank)
    other |= other >> 1
    other |= other >> 2
    return 16 - popcount(other & 0x1111111111111111ULL)

cdef inline uint32_t bag_place(int ones, int twos, int empty, int bag) noexcept nogil:
    return <uint32_t>(TUPLES * TUPLE_SIZE + (
        (bag << 9) | (min(ones, 7) << 6) | (min(twos, 7) << 3) | min(empty, 7)))

cdef inline uint32_t bag_index(uint64_t cells, int bag) noexcept nogil:
    return bag_place(squares_with(cells, 1), squares_with(cells, 2), squares_with(cells, 0), bag)

# The places of the eight tuples' weights for one symmetry. The squares of each, in hex: 01245 01234
# 45678 45689 14569 0156a 01256 4569a.
cdef inline void tuple_indices(uint64_t b, uint32_t *places) noexcept nogil:
    places[0] = <uint32_t>((b & 0xFFF) | ((b >> 4) & 0xFF000))
    places[1] = <uint32_t>((b & 0xFFFFF) + TUPLE_SIZE)
    places[2] = <uint32_t>(((b >> 16) & 0xFFFFF) + 2 * TUPLE_SIZE)
    places[3] = <uint32_t>((((b >> 16) & 0xFFF) | ((b >> 20) & 0xFF000)) + 3 * TUPLE_SIZE)
    places[4] = <uint32_t>((((b >> 4) & 0xF) | ((b >> 12) & 0xFFF0) | ((b >> 20) & 0xF0000))
                           + 4 * TUPLE_SIZE)
    places[5] = <uint32_t>(((b & 0xFF) | ((b >> 12) & 0xFF00) | ((b >> 24) & 0xF0000))
                           + 5 * TUPLE_SIZE)
    places[6] = <uint32_t>(((b & 0xFFF) | ((b >> 8) & 0xFF000)) + 6 * TUPLE_SIZE)
    places[7] = <uint32_t>((((b >> 16) & 0xFFF) | ((b >> 24) & 0xFF000)) + 7 * TUPLE_SIZE)

cdef inline void symmetric_boards(uint64_t cells, uint64_t *boards) noexcept nogil:
    cdef uint64_t other = transposed(cells)
    boards[0], boards[1] = cells, mirrored(cells)
    boards[2], boards[3] = flipped(cells), flipped(boards[1])
    boards[4], boards[5] = other, mirrored(other)
    boards[6], boards[7] = flipped(other), flipped(boards[5])

# All places whose weights add up to a board's worth.
cdef inline void feature_places(uint64_t cells, int bag, uint32_t *places) noexcept nogil:
    cdef uint64_t[8] boards
    cdef int i
    symmetric_boards(cells, boards)
    for i in range(SYMMETRIES):
        tuple_indices(boards[i], places + i * TUPLES)
    places[FEATURES - 1] = bag_index(cells, bag)

# What is still to be scored, in units.
cdef inline int32_t net_sum(const ValueNet *net, uint64_t cells, int bag) noexcept nogil:
    cdef uint32_t[65] places
    cdef int32_t total = 0
    cdef int i
    feature_places(cells, bag, places)
    for i in range(FEATURES):
        total += net.weights[places[i]]
    return total

# A board whose worth is asked with a card added on one of its empty squares, again and again: only
# a third of the tuples have that square.
ctypedef struct WorthBefore:
    uint32_t[65] places       # of the board itself; the last one is not used
    int32_t total             # of all tuples
    int64_t score
    int ones
    int twos
    int empty

# A tuple that has a square: which one under which symmetry, and where in its place the rank is.
ctypedef struct Touch:
    uint8_t feature
    uint8_t shift

cdef enum:
    TOUCHES_MAX = TUPLES * SYMMETRIES  # of 23 to 36

cdef int[16] TOUCH_COUNT              # by square
cdef Touch[16][TOUCHES_MAX] TOUCHES

cdef inline void worth_before(const ValueNet *net, uint64_t cells,
                              WorthBefore *before) noexcept nogil:
    cdef int i
    feature_places(cells, 0, before.places)
    before.total = 0
    for i in range(FEATURES - 1):
        before.total += net.weights[before.places[i]]
    before.score = board_score(cells)
    before.ones, before.twos = squares_with(cells, 1), squares_with(cells, 2)
    before.empty = squares_with(cells, 0)

# The sum of the tuples that do not have a square.
cdef inline int32_t total_without(const ValueNet *net, const WorthBefore *before,
                                  int square) noexcept nogil:
    cdef int32_t total = before.total
    cdef int i
    for i in range(TOUCH_COUNT[square]):
        total -= net.weights[before.places[TOUCHES[square][i].feature]]
    return total

# What is still to be scored with a card 1, 2 or 3 on an empty square, in units; see total_without.
cdef inline int32_t sum_with(const ValueNet *net, const WorthBefore *before, int32_t without,
                             int square, int card, int bag) noexcept nogil:
    cdef const Touch *touch = TOUCHES[square]
    cdef int ones = before.ones + (card == 1), twos = before.twos + (card == 2)
    cdef int i
    for i in range(TOUCH_COUNT[square]):
        without += net.weights[
            before.places[touch[i].feature] + (<uint32_t>card << touch[i].shift)]
    return without + net.weights[bag_place(ones, twos, before.empty - 1, bag)]

cdef class NetWeights:
    cdef ValueNet net
    cdef int16_t *_memory     # of the weights
    cdef readonly str digest

# Boards of Threes! in 64 bits: the rank of square i, row by row from the top left, in bits
# 4i .. 4i+3.
#
# Ranks: 0 empty, 1 and 2 the cards 1 and 2, r >= 3 the card 3 * 2^(r-3), at most 15, 12288.

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

cdef enum:
    SQUARES = 16
    LINES = 4
    DIRECTIONS = 4
    RANK_MAX = 15             # two cards of it do not merge: no square holds more
    UP = 0
    DOWN = 1
    LEFT = 2
    RIGHT = 3

# What each of the 65536 lines becomes by a shift, its first square in the low bits.
cdef uint16_t *TOWARD_LOW          # toward its first square
cdef uint16_t *TOWARD_HIGH         # toward its last
cdef int64_t *SCORE_OF             # by rank

# The same board with rows for columns.
cdef inline uint64_t transposed(uint64_t cells) noexcept nogil:
    cdef uint64_t kept = cells & 0xF0F00F0FF0F00F0FULL
    cdef uint64_t up = cells & 0x0000F0F00000F0F0ULL
    cdef uint64_t down = cells & 0x0F0F00000F0F0000ULL
    cdef uint64_t halves = kept | (up << 12) | (down >> 12)
    kept = halves & 0xFF00FF0000FF00FFULL
    up = halves & 0x00000000FF00FF00ULL
    down = halves & 0x00FF00FF00000000ULL
    return kept | (up << 24) | (down >> 24)

# The same board mirrored: the first square of each row is the last.
cdef inline uint64_t mirrored(uint64_t cells) noexcept nogil:
    cells = ((cells & 0x0F0F0F0F0F0F0F0FULL) << 4) | ((cells >> 4) & 0x0F0F0F0F0F0F0F0FULL)
    return ((cells & 0x00FF00FF00FF00FFULL) << 8) | ((cells >> 8) & 0x00FF00FF00FF00FFULL)

cdef inline uint64_t rows_shifted(uint64_t cells, const uint16_t *table) noexcept nogil:
    return (<uint64_t>table[cells & 0xFFFF] | (<uint64_t>table[(cells >> 16) & 0xFFFF] << 16)
            | (<uint64_t>table[(cells >> 32) & 0xFFFF] << 32)
            | (<uint64_t>table[cells >> 48] << 48))

# The board after a shift, before the card enters; the same board if the shift is not legal.
cdef inline uint64_t shifted(uint64_t cells, int direction) noexcept nogil:
    if direction >= LEFT:
        return rows_shifted(cells, TOWARD_LOW if direction == LEFT else TOWARD_HIGH)
    return transposed(rows_shifted(
        transposed(cells), TOWARD_LOW if direction == UP else TOWARD_HIGH))

# The squares where the card may enter after a legal shift, at most four; returns how many.
cdef int entry_squares(uint64_t before, uint64_t after, int direction,
                       uint8_t *squares) noexcept nogil
cdef bint has_move(uint64_t cells) noexcept nogil
cdef int highest_rank(uint64_t cells) noexcept nogil
cdef int64_t board_score(uint64_t cells) noexcept nogil

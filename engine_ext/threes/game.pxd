# A seeded game of Threes!: chance is a pure function of (seed, number of the game, move).

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    BAG_EACH = 4              # cards of each kind in a full bag
    FULL_BAG = 0x124          # 4, 4, 4 in three bits each
    BONUS_FROM = 7            # a 48 on the board: bonus cards may come
    BONUS_ODDS = 21           # one next card in so many is one
    BONUS_BELOW = 3           # ranks below the highest: an eighth of its card at most
    SHOWN_MAX = 3             # candidates that are shown of a bonus

# What is shown of the next card: one of the ranks low .. low + count - 1.
ctypedef struct NextCard:
    uint8_t low
    uint8_t count             # 1 but for a bonus
    uint8_t rank              # which it is; nobody sees it before it enters

ctypedef struct Game:
    uint64_t cells
    uint64_t seed
    uint64_t number
    uint32_t moves
    uint16_t bag              # how many 1s, 2s and 3s are left, in three bits each from the lowest
    NextCard next

cdef inline int bag_count(int bag, int rank) noexcept nogil:
    return (bag >> (3 * (rank - 1))) & 7

# The bag without a card of a rank.
cdef inline int bag_without(int bag, int rank) noexcept nogil:
    return bag - (1 << (3 * (rank - 1)))

# How often a candidate of a bonus is the card, out of 6 times a sum: the windows of ranks that show
# it are as likely as each other.
cdef int bonus_weight(int highest, NextCard next, int rank) noexcept nogil

# A bag of three counts in three bits each; a next card of the ranks that are shown.
cdef int packed_bag(bag) except -1
cdef NextCard shown_card(int highest, ranks) except *

cdef void game_begin(Game *game, uint64_t seed, uint64_t number) noexcept nogil
# Begin from a board, with a bag from which the next card is drawn.
cdef void game_begin_from(Game *game, uint64_t seed, uint64_t number, uint64_t cells,
                          int bag) noexcept nogil
# Move, let the card enter and draw the next; False if the move is not legal.
cdef bint game_move(Game *game, int direction) noexcept nogil

"""Seeded games of Threes!: the start, the bag, bonus cards, where cards enter.

Knows chance and the rules.  Must not know values or who plays.  The next card is drawn from a bag
of four 1s, 2s and 3s, without replacement, refilled when it is empty; with a 48 on the board it is,
once in 21 draws, a bonus card instead, each from 6 up to an eighth of the highest as likely, of
which a window of up to three consecutive candidates is shown.

Every choice is a word of Philox keyed by the seed, at (number of the game, what is chosen): a game
is the same wherever it is played, and games of one seed differ in all choices.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from engine_ext.rng cimport PhiloxBlock, philox4x32
from engine_ext.threes.board cimport (
    RANK_MAX, SQUARES, entry_squares, has_move, highest_rank, shifted)
from engine_ext.threes.board import DIRECTION_NAMES as _DIRECTIONS

cdef enum:
    START_CARDS = 9
    CHOICE_BLOCKS = 16        # of the start; then two a move: the next card, where it enters


cdef inline uint32_t _below(uint32_t word, uint32_t count) noexcept nogil:
    """Return a number below `count`, each as likely but for 2^-32.  Never fails; nogil."""
    return <uint32_t>((<uint64_t>word * count) >> 32)


cdef int bonus_weight(int highest, NextCard next, int rank) noexcept nogil:
    """Return the weight of a candidate: 6 over the windows that show it.  Never fails; nogil."""
    cdef int first = 4, last = highest - BONUS_BELOW
    cdef int count = last - first + 1
    cdef int width = min(<int>SHOWN_MAX, count)
    cdef int windows = min(min(rank - first, last - rank), min(width - 1, count - width)) + 1
    return 6 // windows if next.count > 1 else 6


cdef void _draw_next(Game *game, uint64_t block_number) noexcept nogil:
    """Draw the next card of a game.  Never fails; nogil."""
    cdef PhiloxBlock chance = philox4x32(game.seed, game.number, block_number)
    cdef int highest = highest_rank(game.cells)
    cdef int rank, count, width, first, picked, bag
    if highest >= BONUS_FROM and _below(chance.words[0], BONUS_ODDS) == 0:
        count = highest - BONUS_BELOW - 3
        rank = 4 + _below(chance.words[1], count)
        width = min(<int>SHOWN_MAX, count)
        first = max(4, rank - width + 1)
        count = min(rank, highest - BONUS_BELOW - width + 1) - first + 1
        game.next.low = <uint8_t>(first + _below(chance.words[2], count))
        game.next.count = <uint8_t>width
        game.next.rank = <uint8_t>rank
        return
    bag = game.bag if game.bag else FULL_BAG
    picked = _below(chance.words[1], bag_count(bag, 1) + bag_count(bag, 2) + bag_count(bag, 3))
    rank = 1
    while picked >= bag_count(bag, rank):
        picked -= bag_count(bag, rank)
        rank += 1
    game.bag = bag_without(bag, rank)
    game.next.low = game.next.rank = <uint8_t>rank
    game.next.count = 1


cdef void game_begin_from(Game *game, uint64_t seed, uint64_t number, uint64_t cells,
                          int bag) noexcept nogil:
    """Begin from a board, and draw the first next card.  Never fails; nogil."""
    game.cells, game.seed, game.number = cells, seed, number
    game.moves, game.bag = 0, bag
    _draw_next(game, CHOICE_BLOCKS)


cdef void game_begin(Game *game, uint64_t seed, uint64_t number) noexcept nogil:
    """Put nine cards of a full bag on random squares, and draw the next.  Never fails; nogil."""
    cdef int[16] squares
    cdef int i, other, rank, picked, bag = FULL_BAG
    cdef uint64_t cells = 0
    cdef PhiloxBlock chance
    for i in range(SQUARES):
        squares[i] = i
    for i in range(START_CARDS):
        chance = philox4x32(seed, number, i)
        other = i + _below(chance.words[0], SQUARES - i)
        squares[i], squares[other] = squares[other], squares[i]
        picked = _below(chance.words[1], 3 * BAG_EACH - i)
        rank = 1
        while picked >= bag_count(bag, rank):
            picked -= bag_count(bag, rank)
            rank += 1
        bag = bag_without(bag, rank)
        cells |= <uint64_t>rank << (4 * squares[i])
    game_begin_from(game, seed, number, cells, bag)


cdef bint game_move(Game *game, int direction) noexcept nogil:
    """Move, let the card enter, draw the next; False: the move is not legal.  nogil."""
    cdef uint64_t after = shifted(game.cells, direction)
    cdef uint64_t block_number = CHOICE_BLOCKS + 2 * <uint64_t>game.moves
    cdef uint8_t[4] squares
    cdef int count
    if after == game.cells:
        return False
    count = entry_squares(game.cells, after, direction, squares)
    count = _below(philox4x32(game.seed, game.number, block_number + 1).words[0], count)
    game.cells = after | (<uint64_t>game.next.rank << (4 * squares[count]))
    game.moves += 1
    _draw_next(game, block_number + 2)
    return True


cdef int packed_bag(bag) except -1:
    """Return three counts as a game has them.  Errors: ValueError.  GIL: needs."""
    if len(bag) != 3 or not all(0 <= count <= BAG_EACH for count in bag):
        raise ValueError(f"expected three counts from 0 to {BAG_EACH} in the bag, not {bag}")
    return bag[0] | (bag[1] << 3) | (bag[2] << 6)


cdef NextCard shown_card(int highest, ranks) except *:
    """Return what is shown of a next card.  Errors: ValueError for no such ranks.  GIL: needs."""
    cdef NextCard next
    cdef int count = len(ranks)
    if not 1 <= count <= SHOWN_MAX or not all(1 <= rank <= RANK_MAX for rank in ranks):
        raise ValueError(
            f"expected one to {SHOWN_MAX} ranks of a next card, not {ranks}")
    if count > 1 and (tuple(ranks) != tuple(range(ranks[0], ranks[0] + count))
                      or ranks[0] < 4 or ranks[-1] > highest - BONUS_BELOW):
        raise ValueError(f"no bonus card is shown as {ranks} here: expected consecutive ranks "
                         "from that of 6 up to an eighth of the highest card")
    next.low, next.count, next.rank = ranks[0], count, ranks[0]
    return next


cdef class ThreesGame:
    """A game as it stands.

    Args:
        seed: 64 bits; with the number of the game it says all that chance will do.
        number: which game of the seed.
    """

    cdef Game game

    def __init__(self, uint64_t seed, uint64_t number=0):
        game_begin(&self.game, seed, number)

    @property
    def cells(self):
        """The board, as ThreesBoard has it."""
        return self.game.cells

    @property
    def bag(self):
        """How many 1s, 2s and 3s are left; the next card is drawn already."""
        return tuple([bag_count(self.game.bag, rank) for rank in (1, 2, 3)])

    @property
    def next_ranks(self):
        """What is shown of the next card: its rank, or up to three candidates of a bonus."""
        return tuple(range(self.game.next.low, self.game.next.low + self.game.next.count))

    @property
    def moves(self):
        """How many were made."""
        return self.game.moves

    @property
    def is_over(self):
        """Whether no move is legal."""
        return not has_move(self.game.cells)

    def play(self, direction):
        """Make a move; whether it is legal.  Errors: ValueError for no direction.  GIL: needs."""
        if direction not in _DIRECTIONS:
            raise ValueError(f"expected {', '.join(_DIRECTIONS)}, not {direction!r}")
        return game_move(&self.game, _DIRECTIONS.index(direction))

    def copy(self):
        """Return the same game, to be played on apart."""
        cdef ThreesGame other = ThreesGame.__new__(ThreesGame)
        other.game = self.game
        return other


def bonus_weights(int highest, ranks):
    """Return how likely each candidate of a shown bonus is, as whole numbers in proportion.

    Args:
        highest: rank on the board.
        ranks: the candidates, consecutive.

    Errors: ValueError for ranks that are not shown of any next card.
    """
    cdef NextCard next = shown_card(highest, ranks)
    return tuple([bonus_weight(highest, next, rank) for rank in ranks])

"""Expectimax for Threes!: the expected final score of each move, some moves ahead.

Knows values of boards and the laws of chance.  Must not know who plays, or files.  A search of d
plies looks d moves ahead, each with every square where the card may enter; below the first move
bonus cards are left out.  Its value is

    Q(move)         = mean over entry squares (and shown candidates) of A(board, bag, d - 1)
    A(board, bag, 0) = score + worth, which is no less than 0
    A(board, bag, n) = mean over cards of the bag of max over moves of
                       the mean over entry squares of A(board', bag', n - 1),
                       or the score, if no move is legal

in doubles, added in a fixed order: the same bits everywhere.  A memo holds values of A under the
whole question (board, bag, n), so that what it has forgotten changes nothing but the time.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from engine_ext.control cimport RunControl, control_is_stopped, control_step
from engine_ext.threes.board cimport (
    DIRECTIONS, board_score, entry_squares, highest_rank, shifted)
from engine_ext.threes.game cimport (
    FULL_BAG, NextCard, bag_count, bag_without, bonus_weight, packed_bag, shown_card)
from engine_ext.threes.value cimport NetWeights, net_sum
from engine_ext.threes.board import DIRECTION_NAMES as _DIRECTIONS

cdef enum:
    NODES_PER_POLL = 4096


cdef bint _is_stopped(Expectimax *search) noexcept nogil:
    """Whether somebody stopped the search; looked at now and then.  Never fails; nogil."""
    if search.control == NULL:
        return False
    if search.nodes % NODES_PER_POLL == 0:
        control_step(search.control, NODES_PER_POLL)
    return control_is_stopped(search.control)


cdef inline uint64_t _memo_place(uint64_t cells, uint32_t tag) noexcept nogil:
    """Return where a question's value is kept.  Never fails; nogil."""
    return ((cells ^ (<uint64_t>tag << 32)) * 0x9E3779B97F4A7C15ULL) >> (64 - MEMO_BITS)


cdef double _best_with(Expectimax *search, uint64_t cells, int bag, int card,
                       int plies) noexcept nogil:
    """Return the value of the best move with a card to enter.  Never fails; nogil."""
    cdef uint8_t[4] squares
    cdef uint64_t after
    cdef int direction, i, count
    cdef double value, best = -1.0
    for direction in range(DIRECTIONS):
        after = shifted(cells, direction)
        if after == cells:
            continue
        count = entry_squares(cells, after, direction, squares)
        value = 0.0
        for i in range(count):
            value += _value_behind(
                search, after | (<uint64_t>card << (4 * squares[i])), bag, plies - 1)
        best = max(best, value / count)
    return best if best >= 0.0 else <double>board_score(cells)


cdef double _value_behind(Expectimax *search, uint64_t cells, int bag, int plies) noexcept nogil:
    """Return A(board, bag, plies); anything, if it was stopped.  Never fails; nogil."""
    cdef MemoEntry *entry
    cdef uint32_t tag
    cdef int card, count
    cdef double value = 0.0
    search.nodes += 1
    if plies == 0:
        return board_score(cells) + max(0.0, search.net.unit * net_sum(search.net, cells, bag))
    if bag == 0:
        bag = FULL_BAG
    tag = <uint32_t>((bag << 4) | plies)
    entry = &search.memo[_memo_place(cells, tag)]
    if entry.tag == tag and entry.cells == cells:
        return entry.value
    if _is_stopped(search):
        return 0.0
    for card in range(1, 4):
        count = bag_count(bag, card)
        if count:
            value += count * _best_with(search, cells, bag_without(bag, card), card, plies)
    value /= bag_count(bag, 1) + bag_count(bag, 2) + bag_count(bag, 3)
    if not _is_stopped(search):
        entry.tag, entry.cells, entry.value = tag, cells, value
    return value


cdef int move_values(Expectimax *search, uint64_t cells, int bag, NextCard next, int plies,
                     double *values) noexcept nogil:
    """Value each move; return how many are legal.  Never fails; nogil."""
    cdef uint8_t[4] squares
    cdef uint64_t after
    cdef int direction, i, rank, count, weight, weights, legal = 0
    cdef int highest = highest_rank(cells)
    cdef double value
    for direction in range(DIRECTIONS):
        values[direction] = -1.0
        after = shifted(cells, direction)
        if after == cells:
            continue
        legal += 1
        count = entry_squares(cells, after, direction, squares)
        value = 0.0
        weights = 0
        for rank in range(next.low, next.low + next.count):
            weight = bonus_weight(highest, next, rank)
            weights += weight
            for i in range(count):
                value += weight * _value_behind(
                    search, after | (<uint64_t>rank << (4 * squares[i])), bag, plies - 1)
        values[direction] = value / (weights * count)
    return legal


cdef class Adviser:
    """A search with its memo, for one thread at a time.

    Args:
        weights: values of boards.
        control: stops it; None: nobody does.
    """

    def __init__(self, NetWeights weights not None, RunControl control=None):
        if self.search.memo != NULL:
            raise TypeError("an adviser is made once")
        self._weights, self._control = weights, control
        self.search.net = &weights.net
        self.search.control = &control.control if control is not None else NULL
        self.search.memo = <MemoEntry *>calloc(1 << MEMO_BITS, sizeof(MemoEntry))
        if self.search.memo == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.search.memo)

    @property
    def nodes(self):
        """Boards looked at so far."""
        return self.search.nodes

    def values(self, uint64_t cells, bag, next_ranks, int plies):
        """Return the expected final score of each legal move, by the direction's name.

        Args:
            cells: the board, as ThreesBoard has it.
            bag: how many 1s, 2s and 3s are left, the next card being drawn.
            next_ranks: what is shown of the next card.
            plies: moves to look ahead, 1 to PLIES_MAX.

        Errors: ValueError for what cannot be.  GIL: released.
        """
        cdef double[4] found
        cdef NextCard next = shown_card(highest_rank(cells), next_ranks)
        cdef int packed = packed_bag(bag)
        if not 1 <= plies <= PLIES_MAX:
            raise ValueError(f"expected 1 to {PLIES_MAX} plies, not {plies}")
        with nogil:
            move_values(&self.search, cells, packed, next, plies, found)
        return {name: found[i] for i, name in enumerate(_DIRECTIONS) if found[i] >= 0.0}

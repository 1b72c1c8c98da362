"""Expectimax for Threes!: the expected final score of each move, some moves ahead.

Knows values of boards and the laws of chance.  Must not know who plays, or files.  A search of d
plies looks d moves ahead, each with every square where the card may enter; below the first move
bonus cards are left out.  Its value is

    Q(move)         = mean over entry squares (and shown candidates) of A(board, bag, d - 1)
    A(board, bag, 0) = score + worth, which is no less than 0
    A(board, bag, n) = mean over cards of the bag of max over moves of
                       the mean over entry squares of A(board', bag', n - 1),
                       or the score, if no move is legal

in doubles, added in a fixed order: the same bits everywhere.  Where chances became too unlikely n
is taken for 0 (depth.pyx).  A memo holds values of A under the whole question (board, bag, n, what
is left of the rarity), so that what it has forgotten changes nothing but the time.  Boards at a cut
are left to a frontier, if there is one (division.pyx).
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from engine_ext.control cimport RunControl, control_is_stopped, control_step
from engine_ext.threes.board cimport (
    DIRECTIONS, SCORE_OF, board_score, entry_squares, has_move, highest_rank, shifted)
from engine_ext.threes.depth cimport NO_RARITY, Depth, behind_chance, behind_move, checked_depth
from engine_ext.threes.frontier cimport frontier_value
from engine_ext.threes.game cimport (
    FULL_BAG, NextCard, bag_count, bag_without, bonus_weight, packed_bag, shown_card)
from engine_ext.threes.value cimport (
    NetWeights, WorthBefore, net_sum, sum_with, total_without, worth_before)
from engine_ext.threes.board import DIRECTION_NAMES as _DIRECTIONS

cdef enum:
    NODES_PER_POLL = 4096


cdef bint _is_stopped(Expectimax *search) noexcept nogil:
    """Whether somebody stopped the search; steps are counted now and then.  Never fails; nogil."""
    if search.control == NULL:
        return False
    if search.nodes - search.reported >= NODES_PER_POLL:
        control_step(search.control, search.nodes - search.reported)
        search.reported = search.nodes
    return control_is_stopped(search.control)


cdef inline uint64_t _memo_place(uint64_t cells, uint32_t tag) noexcept nogil:
    """Return where a question's value is kept.  Never fails; nogil."""
    return ((cells ^ (<uint64_t>tag << 32)) * 0x9E3779B97F4A7C15ULL) >> (64 - MEMO_BITS)


cdef double _best_with(Expectimax *search, uint64_t cells, int bag, int card,
                       Depth depth) noexcept nogil:
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
            value += value_behind(search, after | (<uint64_t>card << (4 * squares[i])), bag,
                                  behind_move(depth, count))
        best = max(best, value / count)
    return best if best >= 0.0 else <double>board_score(cells)


cdef void _value_leaves(Expectimax *search, uint64_t cells, int direction, int bag,
                        double *best) noexcept nogil:
    """Value a move with each card of a bag to enter; the best of each card stays.  nogil."""
    cdef WorthBefore before
    cdef uint8_t[4] squares
    cdef int32_t[4] without
    cdef uint64_t after = shifted(cells, direction)
    cdef double value
    cdef int32_t total
    cdef int card, left, i, count
    if after == cells:
        return
    count = entry_squares(cells, after, direction, squares)
    worth_before(search.net, after, &before)
    for i in range(count):
        without[i] = total_without(search.net, &before, squares[i])
    for card in range(1, 4):
        if bag_count(bag, card) == 0:
            continue
        left = bag_without(bag, card)
        value = 0.0
        for i in range(count):
            total = sum_with(search.net, &before, without[i], squares[i], card, left)
            value += (before.score + SCORE_OF[card]) + max(0.0, search.net.unit * total)
        search.nodes += count
        best[card] = max(best[card], value / count)


cdef double _value_above_leaves(Expectimax *search, uint64_t cells, int bag) noexcept nogil:
    """Return A(board, bag, 1) of a bag that is not empty.  Never fails; nogil."""
    cdef double[4] best
    cdef double value = 0.0
    cdef int direction, card
    best[1] = best[2] = best[3] = -1.0
    for direction in range(DIRECTIONS):
        _value_leaves(search, cells, direction, bag, best)
    if not has_move(cells):
        return board_score(cells)
    for card in range(1, 4):
        value += bag_count(bag, card) * best[card]
    return value / (bag_count(bag, 1) + bag_count(bag, 2) + bag_count(bag, 3))


cdef double value_behind(Expectimax *search, uint64_t cells, int bag, Depth depth) noexcept nogil:
    """Return A(board, bag, plies), or anything if it was stopped.  Never fails; nogil."""
    cdef MemoEntry *entry
    cdef uint32_t tag
    cdef int card, count, total
    cdef double value = 0.0
    search.nodes += 1
    if depth.plies == 0:
        return board_score(cells) + max(0.0, search.net.unit * net_sum(search.net, cells, bag))
    if bag == 0:
        bag = FULL_BAG
    if search.frontier != NULL:
        if depth.plies == search.frontier_plies:
            return frontier_value(search.frontier, cells, bag, depth)
        if search.frontier.is_full:
            return 0.0
    tag = <uint32_t>((depth.rarity << 13) | (bag << 4) | depth.plies)
    entry = &search.memo[_memo_place(cells, tag)]
    if entry.tag == tag and entry.cells == cells:
        return entry.value
    if _is_stopped(search):
        return 0.0
    if depth.plies == 1:
        value = _value_above_leaves(search, cells, bag)
        entry.tag, entry.cells, entry.value = tag, cells, value
        return value
    total = bag_count(bag, 1) + bag_count(bag, 2) + bag_count(bag, 3)
    for card in range(1, 4):
        count = bag_count(bag, card)
        if count:
            value += count * _best_with(search, cells, bag_without(bag, card), card,
                                        behind_chance(depth, count, total))
    value /= total
    if not _is_stopped(search):
        entry.tag, entry.cells, entry.value = tag, cells, value
    return value


cdef int move_values(Expectimax *search, uint64_t cells, int bag, NextCard next, Depth depth,
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
                value += weight * value_behind(
                    search, after | (<uint64_t>rank << (4 * squares[i])), bag,
                    behind_move(depth, count))
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

    def watch(self, RunControl control not None):
        """Have somebody else stop what is searched from now on, and count its steps."""
        self._control = control
        self.search.control = &control.control
        self.search.reported = self.search.nodes

    def values(self, uint64_t cells, bag, next_ranks, int plies, int rarity=NO_RARITY):
        """Return the expected final score of each legal move, by the direction's name.

        Args:
            cells: the board, as ThreesBoard has it.
            bag: how many 1s, 2s and 3s are left, the next card being drawn.
            next_ranks: what is shown of the next card.
            plies: moves to look ahead, 1 to PLIES_MAX.
            rarity: what is less likely is cut; see depth.pyx.

        Errors: ValueError for what cannot be.  GIL: released.
        """
        cdef double[4] found
        cdef NextCard next = shown_card(highest_rank(cells), next_ranks)
        cdef int packed = packed_bag(bag)
        cdef Depth depth = checked_depth(plies, rarity)
        with nogil:
            move_values(&self.search, cells, packed, next, depth, found)
        return {name: found[i] for i, name in enumerate(_DIRECTIONS) if found[i] >= 0.0}

    def value_behind(self, uint64_t cells, bag, int plies, int rarity=NO_RARITY):
        """Return the expected final score of a board into which the card has come.

        Args:
            cells: the board.
            bag: what is left, the card that comes next not drawn yet.
            plies: moves to look ahead, 1 to PLIES_MAX.
            rarity: what is less likely is cut.

        Returns:
            The score; None if the search was stopped.

        Errors: ValueError for what cannot be.  GIL: released.
        """
        cdef int packed = packed_bag(bag)
        cdef Depth depth = checked_depth(plies, rarity)
        cdef double value
        with nogil:
            value = value_behind(&self.search, cells, packed, depth)
        return None if self.is_stopped else value

    @property
    def is_stopped(self):
        """Whether somebody has stopped it: then values mean nothing."""
        return self._control is not None and self._control.is_stopped

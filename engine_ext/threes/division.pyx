"""A search of Threes! cut into parts: which boards others are to value, and what follows of them.

Knows the tree above the cut.  Must not know who values boards, or how they travel.  The tree is
walked twice by the very code of a search on one machine (expectimax.pyx), which at the boards of
the cut takes a value from a table: first to note them, each once, by whatever ways it is reached;
then, with their values, to add them up in the order of the tree.  So the values of the moves are
those of one machine, to the bit, whoever found the parts and in whatever order.
"""

from libc.math cimport isfinite
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from engine_ext.threes.board cimport highest_rank
from engine_ext.threes.depth cimport NO_RARITY, Depth, checked_depth
from engine_ext.threes.expectimax cimport MEMO_BITS, Expectimax, MemoEntry, move_values
from engine_ext.threes.frontier cimport Frontier, FrontierNode
from engine_ext.threes.game cimport NextCard, bag_count, packed_bag, shown_card
from engine_ext.threes.value cimport NetWeights
from engine_ext.threes.board import DIRECTION_NAMES as _DIRECTIONS

cdef enum:
    PARTS_MAX = 1 << 16       # as many questions as one call takes, of one board each


cdef class Division:
    """A search that is cut where so many moves are left to look ahead.

    Args:
        weights: values of boards.
        cells: the board, as ThreesBoard has it.
        bag: how many 1s, 2s and 3s are left, the next card being drawn.
        next_ranks: what is shown of the next card.
        plies: moves to look ahead.
        plies_below: of them those below the cut, fewer.
        rarity: what is less likely is cut off; see depth.pyx.

    Errors: ValueError for what cannot be.  GIL: released.
    """

    cdef Expectimax _search
    cdef Frontier _frontier
    cdef NetWeights _weights
    cdef uint64_t _cells
    cdef int _bag
    cdef NextCard _next
    cdef Depth _depth

    def __cinit__(self):
        self._search.memo = <MemoEntry *>calloc(1 << MEMO_BITS, sizeof(MemoEntry))
        self._frontier.count_max = PARTS_MAX
        self._frontier.size = 4 * PARTS_MAX
        self._frontier.nodes = <FrontierNode *>calloc(PARTS_MAX, sizeof(FrontierNode))
        self._frontier.places = <uint32_t *>calloc(self._frontier.size, sizeof(uint32_t))
        if (self._search.memo == NULL or self._frontier.nodes == NULL
                or self._frontier.places == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self._search.memo)
        free(self._frontier.nodes)
        free(self._frontier.places)

    def __init__(self, NetWeights weights not None, uint64_t cells, bag, next_ranks, int plies,
                 int plies_below, int rarity=NO_RARITY):
        cdef double[4] found
        if self._weights is not None:
            raise TypeError("a search is cut once")
        self._depth = checked_depth(plies, rarity)
        if not 1 <= plies_below < plies:
            raise ValueError(
                f"expected 1 to {plies - 1} plies below the cut of {plies}, not {plies_below}")
        self._cells, self._bag = cells, packed_bag(bag)
        self._next = shown_card(highest_rank(cells), next_ranks)
        self._weights = weights
        self._search.net = &weights.net
        self._search.frontier = &self._frontier
        self._search.frontier_plies = plies_below
        with nogil:
            move_values(&self._search, self._cells, self._bag, self._next, self._depth, found)

    @property
    def is_whole(self):
        """Whether there was room for all parts; if not, it is to be cut higher up."""
        return not self._frontier.is_full

    def __len__(self):
        """Return how many parts there are."""
        return self._frontier.count

    @property
    def parts(self):
        """The boards to be valued, (board, bag, plies, rarity) of Adviser.value_behind each.

        Neighbours in the tree stand together: they lead to the same boards, which whoever values
        them finds in its memo.
        """
        cdef FrontierNode *node
        cdef uint32_t i
        found = []
        for i in range(self._frontier.count):
            node = &self._frontier.nodes[i]
            bag = tuple([bag_count(node.bag, rank) for rank in (1, 2, 3)])
            found.append((node.cells, bag, node.depth.plies, node.depth.rarity))
        return found

    def values(self, part_values):
        """Return the expected final score of each legal move, by the direction's name.

        Args:
            part_values: one of each part, in their order.

        Errors: ValueError for others than so many finite numbers, and if there was no room for all
        parts.  GIL: released.
        """
        cdef double[4] found
        cdef uint32_t i
        cdef double value
        if self._frontier.is_full:
            raise ValueError(f"expected a search of at most {PARTS_MAX} parts")
        if len(part_values) != self._frontier.count:
            raise ValueError(f"expected {self._frontier.count} values, not {len(part_values)}")
        for i in range(self._frontier.count):
            value = part_values[i]
            if not isfinite(value):
                raise ValueError(f"expected finite values, not {value}")
            self._frontier.nodes[i].value = value
        memset(self._search.memo, 0, sizeof(MemoEntry) << MEMO_BITS)
        with nogil:
            move_values(&self._search, self._cells, self._bag, self._next, self._depth, found)
        return {name: found[i] for i, name in enumerate(_DIRECTIONS) if found[i] >= 0.0}

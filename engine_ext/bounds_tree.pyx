"""The order-free tree of bounds.

Knows bounds and windows (bounds_tree.pxd).  Must not know games, searchers or time.

One rule for reuse: a search of a node under (alpha, beta), fail-soft or fail-hard, that returns v
proves value <= v if v <= alpha, value >= v if v >= beta, and value = v otherwise.  A node is
*resolved* under a window if lower = upper, lower >= beta or upper <= alpha: what its parent sees of
it, its value clamped into the window, is known then, and only then.  Otherwise a search of it
under (max(alpha, lower), min(beta, upper)) is wanted.  Whether the window of a result was the
one that a sequential search would have used does not matter: once it is a bound it is a fact.

The windows of children follow from the root's by proved bounds alone: the lower end of a node's
window is raised to its own lower bound, the largest of its children's upper bounds negated.

The canonical best move is the first child, in canonical order, whose negated value is the root's.
To tell it, a child of the root may narrow the window of an *earlier* one only to its own
bound less one: that one is to show whether it is as good.

A node's *speculation rank* is the chance, in thousandths, that its search will turn out to be for
nothing because a brother, of its own or of a node above it, settles their parent before.  It
follows from the chance that each wanted node's value exceeds alpha: by its estimate and what is
proved of it, or, if it has children, by theirs as if they were independent.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport sqrt
from libc.stdint cimport int32_t

VALUE_LIMIT = VALUE_MAX
# 2^26 nodes are 4 GiB: a slip of the keyboard beyond it.
NODE_COUNT_MAX = 1 << 26
# The speculation rank of what will certainly be searched for nothing.
SPECULATION_MAX = RANK_MAX


class Contradiction(ArithmeticError):
    """Two results cannot both be true of one game: somebody computed or copied wrongly."""


cdef class BoundsTree:
    """Proved bounds of the nodes near the root, in fixed memory; node 0 is the root.

    Args:
        node_max: how many nodes it may have.
        spread: how far values commonly are from their estimates; only ranks depend on it.
    """

    def __init__(self, int node_max=65536, double spread=4.0):
        if self.memory != NULL:
            raise TypeError("a tree is made once")
        if not 1 <= node_max <= NODE_COUNT_MAX:
            raise ValueError(f"expected node_max from 1 to {NODE_COUNT_MAX}, not {node_max}")
        if not spread > 0.0:
            raise ValueError(f"expected a spread of more than 0, not {spread}")
        self.memory = PyMem_Malloc(node_max * (sizeof(BoundsNode) + 2 * sizeof(int32_t)))
        if self.memory == NULL:
            raise MemoryError
        self.nodes = <BoundsNode *>self.memory
        self.busy = <int32_t *>(self.nodes + node_max)
        self.found = self.busy + node_max
        self.node_max = node_max
        self.spread = spread
        self.node_count = 1
        _clear(&self.nodes[0], 0, NONE, 0)

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef int _checked(self, int node) except -1:
        if not 0 <= node < self.node_count:
            raise ValueError(f"expected a node from 0 to {self.node_count - 1}, not {node}")
        return node

    # Changing the tree.

    def expand(self, int node, int child_count):
        """Give a node its children; return the first one, the others follow it.

        Errors: ValueError if it has children or the count is not 1 to 512; MemoryError if the
        tree is full.  GIL: needs.
        """
        cdef int i, first = self.node_count
        cdef BoundsNode *parent = &self.nodes[self._checked(node)]
        if parent.first_child != NONE:
            raise ValueError(f"node {node} is expanded already")
        if not 1 <= child_count <= CHILD_COUNT_MAX:
            raise ValueError(f"expected 1 to {CHILD_COUNT_MAX} children, not {child_count}")
        if child_count > self.node_max - first:
            raise MemoryError(f"the tree is full: {self.node_max} nodes")
        for i in range(child_count):
            _clear(&self.nodes[first + i], first + i, node, i)
            self.nodes[first + i].younger = first + i + 1 if i + 1 < child_count else NONE
        parent.first_child = parent.eldest = first
        parent.child_count = child_count
        self.node_count += child_count
        return first

    def set_order(self, int node, order):
        """Say in which order a node's children are searched: a permutation of their indices."""
        cdef BoundsNode *parent = &self.nodes[self._checked(node)]
        cdef int32_t *link = &parent.eldest
        cdef int index
        if sorted(order) != list(range(parent.child_count)):
            raise ValueError(f"expected a permutation of {parent.child_count} indices")
        for index in order:
            link[0] = parent.first_child + index
            link = &self.nodes[link[0]].younger
        link[0] = NONE

    def set_estimate(self, int node, int estimate):
        """Say where a node's value is expected, seen by its side to move.  Proves nothing."""
        self.nodes[self._checked(node)].estimate = min(max(estimate, -VALUE_MAX), VALUE_MAX)
        self.nodes[node].has_estimate = True

    def set_busy(self, int node, bint is_busy):
        """Say whether a search of a node is under way: sweeps do not list it then."""
        cdef int i
        if self.nodes[self._checked(node)].is_busy == is_busy:
            return
        self.nodes[node].is_busy = is_busy
        if is_busy:
            self.busy[self.busy_count] = node
            self.busy_count += 1
            return
        for i in range(self.busy_count):
            if self.busy[i] == node:
                self.busy_count -= 1
                self.busy[i] = self.busy[self.busy_count]
                return

    def join(self, int node, int twin):
        """Say that two nodes are one position at one depth; whether this proved anything.

        Errors: Contradiction.  GIL: needs.
        """
        cdef int other = self.nodes[self._checked(twin)].twin
        cdef int lower = self.nodes[twin].lower, upper = self.nodes[twin].upper
        cdef int each = other
        self._checked(node)
        while each != twin:
            if each == node:
                return False
            each = self.nodes[each].twin
        if node == twin:
            return False
        cdef int node_lower = self.nodes[node].lower, node_upper = self.nodes[node].upper
        self.nodes[twin].twin = self.nodes[node].twin
        self.nodes[node].twin = other
        return self._told(twin, self._narrow(twin, node_lower, node_upper)) | self._told(
            node, self._narrow(node, lower, upper))

    cdef bint _told(self, int node, int outcome) except -1:
        if outcome < 0:
            raise Contradiction(f"a result at node {node} contradicts what was proved before")
        return outcome

    def narrow(self, int node, int lower, int upper):
        """Take lower <= value <= upper of a node for proved; whether anything is new.

        Errors: ValueError if lower > upper; Contradiction, and the tree is worth nothing more.
        GIL: needs.
        """
        if lower > upper:
            raise ValueError(f"expected lower <= upper, not {lower} and {upper}")
        return self._told(node, self._narrow(self._checked(node), lower, upper))

    def merge(self, int node, int alpha, int beta, int value):
        """Take what a search of a node under (alpha, beta) returned; whether anything is new.

        Fail-soft and fail-hard results are merged alike: on its boundary a fail-hard value
        is the bound that it proves.  Errors: as `narrow`.
        """
        if alpha >= beta:
            raise ValueError(f"expected alpha < beta, not {alpha} and {beta}")
        lower = -VALUE_MAX if value <= alpha else value
        upper = VALUE_MAX if value >= beta else value
        return self.narrow(node, lower, upper)

    cdef int _narrow(self, int node, int lower, int upper) noexcept nogil:
        cdef BoundsNode *here = &self.nodes[node]
        cdef int twin, outcome
        lower = max(lower, here.lower)
        upper = min(upper, here.upper)
        if lower > upper:
            return -1
        if lower == here.lower and upper == here.upper:
            return 0
        here.lower = lower
        here.upper = upper
        if here.parent != NONE:
            _children_bounds(self.nodes, here.parent, &lower, &upper)
            outcome = self._narrow(here.parent, lower, upper)
            if outcome < 0:
                return outcome
        twin = here.twin
        while twin != node:
            outcome = self._narrow(twin, here.lower, here.upper)
            if outcome < 0:
                return outcome
            twin = self.nodes[twin].twin
        return 1

    # Reading it.

    def bounds(self, int node):
        """Return (lower, upper) of a node; -VALUE_LIMIT and VALUE_LIMIT where none is proved."""
        return self.nodes[self._checked(node)].lower, self.nodes[node].upper

    def estimate(self, int node):
        """Return where a node's value is expected; None if nobody said."""
        if not self.nodes[self._checked(node)].has_estimate:
            return None
        return self.nodes[node].estimate

    def parent(self, int node):
        """Return a node's parent; None for the root."""
        return self.nodes[node].parent if self._checked(node) > 0 else None

    def index(self, int node):
        """Return a node's place among its brothers in canonical order, from 0."""
        return self.nodes[self._checked(node)].index

    def children(self, int node):
        """Return a node's children in canonical order; none if it is not expanded."""
        cdef int first = self.nodes[self._checked(node)].first_child
        return range(max(first, 0), max(first, 0) + self.nodes[node].child_count)

    def first_best(self):
        """Return the index of the canonical best move; None as long as it is not proved."""
        cdef const BoundsNode *root = &self.nodes[0]
        cdef const BoundsNode *child
        cdef int i
        if root.lower != root.upper:
            return None
        for i in range(root.child_count):
            child = &self.nodes[root.first_child + i]
            if -child.upper >= root.lower:
                return i
            if -child.lower >= root.lower:
                return None
        return None

    cdef bint _child_window(self, int node, int child, bint is_first_best,
                            int32_t *alpha, int32_t *beta) noexcept nogil:
        cdef const BoundsNode *below = &self.nodes[child]
        cdef int high = min(beta[0], self.nodes[node].upper)
        cdef int low = max(alpha[0], _best_of_others(self.nodes, node, child) if is_first_best
                           else self.nodes[node].lower)
        # What a search of the node itself proved (upper) is not told its children: low may be high.
        if (below.lower == below.upper or below.lower >= -low or below.upper <= -high
                or low >= high):
            return False
        alpha[0] = max(-high, below.lower)
        beta[0] = min(-low, below.upper)
        return True

    cdef bint _window(self, int node, bint is_move_wanted,
                      int32_t *alpha, int32_t *beta) noexcept nogil:
        cdef const BoundsNode *here = &self.nodes[node]
        cdef bint is_first_best
        if here.parent == NONE:
            if is_move_wanted and here.child_count > 0:
                return True
            return _narrow_window(here, alpha, beta)
        is_first_best = is_move_wanted and here.parent == 0
        return self._window(here.parent, is_move_wanted, alpha, beta) and self._child_window(
            here.parent, node, is_first_best, alpha, beta)

    def window(self, int node, int alpha, int beta, bint is_move_wanted=False):
        """Return the window in which a node is to be searched; None: it is not.

        It is not when it or a node above it is resolved: what searches it may be stopped.

        Args:
            node: the node.
            alpha: of the root's window.
            beta: the same, greater than alpha.
            is_move_wanted: the canonical best move is wanted as well as the root's value;
                the window is the full one then, or (value - 1, value) of a proved value.
        """
        cdef int32_t low = alpha, high = beta
        if self._window(self._checked(node), is_move_wanted, &low, &high):
            return low, high
        return None

    # Sweeping: the traversal from the root that finds all that is wanted.

    def sweep(self, int alpha, int beta, bint is_move_wanted=False, int count_max=256,
              int rank_max=RANK_MAX, bint is_ranked=True):
        """Find all nodes that are to be searched; return those that wait, the best first.

        Each is (node, alpha, beta, rank), by speculation rank, then in the tree's order; nodes
        that are busy, and those with a twin that is busy or found before, are left out.  Without
        `is_ranked` they come in the tree's order alone.  Arguments as `window`; at most
        `count_max` are returned, none of a rank greater than `rank_max`.
        """
        cdef int32_t low = alpha, high = beta
        cdef int i, last
        self.sweep_number += 1
        self.found_count = 0
        with nogil:
            if self._window(0, is_move_wanted, &low, &high):
                self._judge(0, low, high, is_move_wanted)
                self._rank(0, 1.0)
        if not is_ranked:
            return [self._wanted(self.found[i]) for i in range(min(self.found_count, count_max))]
        last = _last_rank(self.nodes, self.found, self.found_count, count_max, rank_max)
        chosen = [self._wanted(self.found[i]) for i in range(self.found_count)
                  if self.nodes[self.found[i]].rank <= last]
        chosen.sort(key=_by_rank)
        return chosen[:count_max]

    cdef tuple _wanted(self, int node):
        cdef const BoundsNode *here = &self.nodes[node]
        return node, here.alpha, here.beta, here.rank

    cdef double _judge(self, int node, int alpha, int beta, bint is_first_best) noexcept nogil:
        """Find what is wanted from a node on, in the order of search; return its chance."""
        cdef BoundsNode *here = &self.nodes[node]
        cdef int32_t low, high
        cdef int child = here.eldest
        cdef double all_exceed = 1.0
        here.seen = self.sweep_number
        here.alpha = alpha
        here.beta = beta
        here.rank = RANK_MAX
        if here.first_child == NONE:
            here.likely = _likely(here, alpha, self.spread)
            if not here.is_busy and not self._has_twin_in_hand(node):
                self.found[self.found_count] = node
                self.found_count += 1
            return here.likely
        while child != NONE:
            low = alpha
            high = beta
            if self._child_window(node, child, is_first_best, &low, &high):
                all_exceed *= self._judge(child, low, high, False)
            child = self.nodes[child].younger
        here.likely = 1.0 - all_exceed
        return here.likely

    cdef void _rank(self, int node, double need) noexcept nogil:
        """Rank what was found wanted from a node on, which is needed with this chance.

        A child is needed if none that is likelier to settle the node does.  Twins are one search:
        the one that is needed most counts.
        """
        cdef int32_t order[CHILD_COUNT_MAX]
        cdef int rank = <int>((1.0 - need) * RANK_MAX), twin = node, i, count
        while True:
            if self.nodes[twin].rank > rank:
                self.nodes[twin].rank = rank
            twin = self.nodes[twin].twin
            if twin == node:
                break
        count = self._likeliest_first(node, order)
        for i in range(count):
            self._rank(order[i], need)
            need *= self.nodes[order[i]].likely

    cdef int _likeliest_first(self, int node, int32_t *order) noexcept nogil:
        """List a node's wanted children, the one that most likely settles it first; their count."""
        cdef int child = self.nodes[node].eldest, count = 0, place
        while child != NONE:
            if self.nodes[child].seen == self.sweep_number:
                place = count
                while place > 0 and self.nodes[order[place - 1]].likely > self.nodes[child].likely:
                    order[place] = order[place - 1]
                    place -= 1
                order[place] = child
                count += 1
            child = self.nodes[child].younger
        return count

    cdef bint _has_twin_in_hand(self, int node) noexcept nogil:
        """Whether a twin that is busy, or wanted earlier in this sweep, stands for it."""
        cdef int twin = self.nodes[node].twin
        while twin != node:
            if self.nodes[twin].is_busy or self.nodes[twin].seen == self.sweep_number:
                return True
            twin = self.nodes[twin].twin
        return False

    def stale(self):
        """Return the busy nodes that the last sweep did not find wanted, in ascending order."""
        cdef int i
        return sorted([self.busy[i] for i in range(self.busy_count)
                       if self.nodes[self.busy[i]].seen != self.sweep_number])

    def rank(self, int node):
        """Return a node's speculation rank in the last sweep; None if it was not wanted."""
        if self.nodes[self._checked(node)].seen != self.sweep_number:
            return None
        return self.nodes[node].rank

    def wanted(self, int node):
        """Return the window in which the last sweep found a node wanted; None: it was not."""
        if self.nodes[self._checked(node)].seen != self.sweep_number:
            return None
        return self.nodes[node].alpha, self.nodes[node].beta


def _by_rank(entry):
    return entry[3]


cdef void _clear(BoundsNode *node, int number, int parent, int index) noexcept nogil:
    node.lower = -VALUE_MAX
    node.upper = VALUE_MAX
    node.estimate = 0
    node.parent = parent
    node.first_child = node.eldest = node.younger = NONE
    node.twin = number
    node.alpha = node.beta = 0
    node.seen = 0
    node.child_count = 0
    node.index = index
    node.rank = 0
    node.is_busy = False
    node.has_estimate = False


cdef void _children_bounds(const BoundsNode *nodes, int node, int *lower,
                           int *upper) noexcept nogil:
    """What the children's bounds prove of a node: the largest of each, negated."""
    cdef int child
    lower[0] = upper[0] = -VALUE_MAX
    for child in range(nodes[node].first_child,
                       nodes[node].first_child + nodes[node].child_count):
        lower[0] = max(lower[0], -nodes[child].upper)
        upper[0] = max(upper[0], -nodes[child].lower)


cdef int _best_of_others(const BoundsNode *nodes, int node, int child) noexcept nogil:
    """What a child must exceed to be the canonical best move, by the others' lower bounds."""
    cdef int best = -VALUE_MAX, other, first = nodes[node].first_child
    for other in range(first, first + nodes[node].child_count):
        if other < child:
            best = max(best, -nodes[other].upper)
        elif other > child:
            best = max(best, -nodes[other].upper - 1)
    return best


cdef bint _narrow_window(const BoundsNode *node, int32_t *alpha, int32_t *beta) noexcept nogil:
    """Narrow a window to what is not proved of a node; False if the node is resolved."""
    if node.lower == node.upper or node.lower >= beta[0] or node.upper <= alpha[0]:
        return False
    alpha[0] = max(alpha[0], node.lower)
    beta[0] = min(beta[0], node.upper)
    return True


cdef double _at_least(double spreads) noexcept nogil:
    """The chance of a value so many spreads below its estimate, or more: long tails, no libm."""
    return 0.5 + 0.5 * spreads / sqrt(1.0 + spreads * spreads)


cdef double _likely(const BoundsNode *node, int alpha, double spread) noexcept nogil:
    """The chance that an unresolved node's value exceeds alpha, by its estimate and bounds."""
    cdef double all_of_it, above_alpha, above_upper
    if not node.has_estimate:
        return 0.5
    all_of_it = _at_least((node.estimate - node.lower + 0.5) / spread)
    above_alpha = _at_least((node.estimate - alpha - 0.5) / spread)
    above_upper = _at_least((node.estimate - node.upper - 0.5) / spread)
    if all_of_it <= above_upper:  # both too far from the estimate to be told apart
        return 0.5
    return (above_alpha - above_upper) / (all_of_it - above_upper)


cdef int _last_rank(const BoundsNode *nodes, const int32_t *found, int found_count,
                    int count_max, int rank_max) noexcept nogil:
    """The largest rank of the first `count_max` nodes by rank, at most rank_max."""
    cdef int counts[RANK_MAX + 1]
    cdef int i, total = 0
    for i in range(RANK_MAX + 1):
        counts[i] = 0
    for i in range(found_count):
        counts[nodes[found[i]].rank] += 1
    for i in range(RANK_MAX + 1):
        total += counts[i]
        if total >= count_max or i == rank_max:
            return i
    return RANK_MAX

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

Nodes of one position are *twins*: what is proved of one is proved of all.  Which nodes are wanted,
and how likely each is needed, is found by sweeps (sweep.pyx).
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t
from engine_ext.search.bounds_node cimport (
    CHILD_COUNT_MAX, NONE, RANK_MAX, VALUE_MAX, BoundsNode, SweepEntry, child_window,
    children_bounds, clear_node, forget_from, found_twin, is_first_twin, is_in_hand,
    narrow_window, split_twin)
from engine_ext.search.sweep cimport sweep_find

VALUE_LIMIT = VALUE_MAX
# 2^26 nodes are 11 GB: a slip of the keyboard beyond it.
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
        self.memory = PyMem_Malloc(
            node_max * (sizeof(BoundsNode) + 2 * sizeof(SweepEntry) + 3 * sizeof(int32_t)))
        if self.memory == NULL:
            raise MemoryError
        self.found.entries = <SweepEntry *>self.memory
        self.found.entries_before = self.found.entries + node_max
        self.nodes = self.found.nodes = <BoundsNode *>(self.found.entries_before + node_max)
        self.busy = <int32_t *>(self.nodes + node_max)
        self.found.leaves = self.busy + node_max
        self.found.ranked = self.found.leaves + node_max
        self.node_max = node_max
        self.found.spread = spread
        self.node_count = 1
        self.found.number = 1     # no node has been seen yet
        self.forget_number = 0
        clear_node(&self.nodes[0], 0, NONE, 0)

    def __dealloc__(self):
        PyMem_Free(self.memory)

    cdef int _checked(self, int node) except -1:
        """Return a node that there is.  Errors: ValueError.  GIL: needs."""
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
            clear_node(&self.nodes[first + i], first + i, node, i)
            self.nodes[first + i].younger = first + i + 1 if i + 1 < child_count else NONE
        parent.first_child = parent.eldest = first
        parent.child_count = child_count
        self.node_count += child_count
        self._forget_judgement(node)
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
        self._forget_judgement(node)

    def set_estimate(self, int node, int estimate):
        """Say where a node's value is expected, seen by its side to move.  Proves nothing."""
        self.nodes[self._checked(node)].estimate = min(max(estimate, -VALUE_MAX), VALUE_MAX)
        self.nodes[node].has_estimate = True
        self._forget_judgement(node)

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

        The node takes the estimate of the twin if it has none.

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
        if not self.nodes[node].has_estimate and self.nodes[twin].has_estimate:
            self.set_estimate(node, self.nodes[twin].estimate)
        for each in self.twins(node):
            self._forget_judgement(each)
        return self._is_new(twin, self._narrow(twin, node_lower, node_upper)) | self._is_new(
            node, self._narrow(node, lower, upper))

    cdef bint _is_new(self, int node, int outcome) except -1:
        """Whether a narrowing proved anything.  Errors: Contradiction.  GIL: needs."""
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
        return self._is_new(node, self._narrow(self._checked(node), lower, upper))

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
        """Narrow a node and all that follows: 1 new, 0 nothing, -1 a contradiction.  nogil."""
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
        self._forget_judgement(node)
        if here.parent != NONE:
            children_bounds(self.nodes, here.parent, &lower, &upper)
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

    def proved(self):
        """Return (node, lower, upper) of all nodes of which something is proved, in their order.

        Of twins, which have the same bounds, only the first.  Bounds as `bounds` has them.
        """
        cdef int node
        cdef const BoundsNode *here
        found = []
        for node in range(self.node_count):
            here = &self.nodes[node]
            if (here.lower > -VALUE_MAX or here.upper < VALUE_MAX) and is_first_twin(
                    self.nodes, node):
                found.append((node, here.lower, here.upper))
        return found

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

    def twins(self, int node):
        """Return all nodes of a node's position and depth, itself first."""
        cdef int twin = self.nodes[self._checked(node)].twin
        found = [node]
        while twin != node:
            found.append(twin)
            twin = self.nodes[twin].twin
        return found

    def is_split(self, int node):
        """Tell whether a node's position has children, its own or a twin's."""
        return self.nodes[split_twin(self.nodes, self._checked(node))].first_child != NONE

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

    cdef bint _window(self, int node, bint is_move_wanted,
                      int32_t *alpha, int32_t *beta) noexcept nogil:
        """Whether a node is wanted, and its window, from that of the root.  Never fails; nogil."""
        cdef const BoundsNode *here = &self.nodes[node]
        cdef bint is_first_best
        if here.parent == NONE:
            if is_move_wanted and here.child_count > 0:
                return True
            return narrow_window(here, alpha, beta)
        is_first_best = is_move_wanted and here.parent == 0
        return self._window(here.parent, is_move_wanted, alpha, beta) and child_window(
            self.nodes, here.parent, node, is_first_best, alpha, beta)

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
        cdef int i, node
        cdef int32_t low = alpha, high = beta
        cdef bint is_open = self._window(0, is_move_wanted, &low, &high)
        sweep_find(&self.found, is_open, low, high, is_move_wanted)
        waiting = []
        for i in range(self.found.leaf_count):
            node = self.found.ranked[i] if is_ranked else self.found.leaves[i]
            if len(waiting) >= count_max or (is_ranked and self.nodes[node].rank > rank_max):
                break
            if not is_in_hand(self.nodes, node):
                waiting.append(self._waiting(node))
        return waiting

    cdef tuple _waiting(self, int node):
        """Return (node, alpha, beta, rank) of a node that waits.  GIL: needs."""
        cdef const BoundsNode *here = &self.nodes[node]
        return node, here.alpha, here.beta, here.rank

    cdef void _forget_judgement(self, int node) noexcept nogil:
        """Have the next sweep look at a node again: something has changed there."""
        self.forget_number += 1
        forget_from(self.nodes, node, self.forget_number)

    def stale(self):
        """Return the busy nodes that the last sweep found wanted nowhere, in ascending order."""
        cdef int i
        return sorted([self.busy[i] for i in range(self.busy_count)
                       if found_twin(self.nodes, self.busy[i], self.found.number) == NONE])

    def rank(self, int node):
        """Return a node's speculation rank in the last sweep; None if it was wanted nowhere."""
        cdef int found = found_twin(self.nodes, self._checked(node), self.found.number)
        return None if found == NONE else self.nodes[found].rank

    cdef int _rank_of(self, int node) except -1:
        """Return a node's rank in the last sweep.  Errors: ValueError.  GIL: needs."""
        cdef int found = found_twin(self.nodes, self._checked(node), self.found.number)
        return RANK_MAX if found == NONE else self.nodes[found].rank

    def ranks(self, nodes):
        """Return many nodes' ranks in the last sweep; SPECULATION_MAX of what was not wanted."""
        cdef int node
        return [self._rank_of(node) for node in nodes]

    def wanted(self, int node):
        """Return the window in which the last sweep found a node wanted; None: it was not."""
        if self.nodes[self._checked(node)].seen != self.found.number:
            return None
        return self.nodes[node].alpha, self.nodes[node].beta

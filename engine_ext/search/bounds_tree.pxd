# The order-free tree of bounds: what results of a game tree's parts prove together.
#
# Every node has a value, seen by its side to move: of a leaf of the game whatever the game says,
# else the largest of its children's values negated.  The tree keeps proved bounds
# lower <= value <= upper of each node it knows.  They only narrow, by results of searches under
# any window, in any order, so that what is proved in the end depends on the game alone.

from libc.stdint cimport int32_t, uint32_t, uint64_t
from engine_ext.search.bounds_node cimport BoundsNode, SweepEntry

cdef class BoundsTree:
    # Owns fixed memory for node_max nodes.  Node 0 is the root.
    cdef BoundsNode *nodes
    # What the last sweep found wanted, in the order of search, and the one before it.
    cdef SweepEntry *entries
    cdef SweepEntry *entries_before
    cdef int32_t *busy        # the busy nodes, in no order
    cdef int32_t *leaves      # unexpanded nodes of a sweep, one of all twins, in its order
    cdef int32_t *ranked      # the same by rank
    cdef int32_t entry_count
    cdef int32_t leaf_count
    cdef int32_t busy_count
    cdef uint32_t sweep_number
    cdef uint64_t forget_number
    cdef bint was_move_wanted  # by the last sweep
    cdef double spread
    cdef readonly int node_max
    cdef readonly int node_count
    cdef void *memory
    cdef int _checked(self, int node) except -1
    cdef int _rank_of(self, int node) except -1
    cdef bint _told(self, int node, int outcome) except -1
    cdef tuple _waiting(self, int node)
    # Narrow a node's bounds and all that follows from it: 1 if anything new was proved, 0 if
    # not, -1 if it contradicts what was proved before.
    cdef int _narrow(self, int node, int lower, int upper) noexcept nogil
    cdef bint _window(self, int node, bint is_move_wanted,
                      int32_t *alpha, int32_t *beta) noexcept nogil
    cdef void _find(self, bint is_move_wanted, int alpha, int beta) noexcept nogil
    cdef double _judge(self, int node, int alpha, int beta, bint is_first_best) noexcept nogil
    cdef void _rank(self) noexcept nogil
    cdef void _need(self, int place, double need) noexcept nogil
    cdef void _sort_by_rank(self) noexcept nogil
    cdef double _chance(self, int node, int alpha, int beta) noexcept nogil
    cdef void _forget_judgement(self, int node) noexcept nogil

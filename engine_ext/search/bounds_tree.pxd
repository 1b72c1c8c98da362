# The order-free tree of bounds: what results of a game tree's parts prove together.
#
# Every node has a value, seen by its side to move: of a leaf of the game whatever the game says,
# else the largest of its children's values negated.  The tree keeps proved bounds
# lower <= value <= upper of each node it knows.  They only narrow, by results of searches under
# any window, in any order, so that what is proved in the end depends on the game alone.

from libc.stdint cimport int32_t, uint64_t
from engine_ext.search.bounds_node cimport BoundsNode
from engine_ext.search.sweep cimport Sweep

cdef class BoundsTree:
    # Owns fixed memory for node_max nodes.  Node 0 is the root.
    cdef BoundsNode *nodes
    cdef Sweep found          # by the last sweep
    cdef int32_t *busy        # the busy nodes, in no order
    cdef int32_t busy_count
    cdef uint64_t forget_number
    cdef readonly int node_max
    cdef readonly int node_count
    cdef void *memory
    cdef int _checked(self, int node) except -1
    cdef int _rank_of(self, int node) except -1
    cdef bint _is_new(self, int node, int outcome) except -1
    cdef tuple _waiting(self, int node)
    # Narrow a node's bounds and all that follows from it: 1 if anything new was proved, 0 if
    # not, -1 if it contradicts what was proved before.
    cdef int _narrow(self, int node, int lower, int upper) noexcept nogil
    cdef bint _window(self, int node, bint is_move_wanted,
                      int32_t *alpha, int32_t *beta) noexcept nogil
    cdef void _forget_judgement(self, int node) noexcept nogil

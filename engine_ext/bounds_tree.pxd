# The order-free tree of bounds: what results of a game tree's parts prove together.
#
# Every node has a value, seen by its side to move: of a leaf of the game whatever the game says,
# else the largest of its children's values negated.  The tree keeps proved bounds
# lower <= value <= upper of each node it knows.  They only narrow, by results of searches under
# any window, in any order, so that what is proved in the end depends on the game alone.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t

cdef enum:
    VALUE_MAX = 1 << 29       # every value is in -VALUE_MAX .. VALUE_MAX: negation is safe
    NONE = -1                 # no node
    CHILD_COUNT_MAX = 512     # of a node; chess has at most 218 moves, Othello 33
    RANK_MAX = 1000           # speculation rank of what is searched for nothing

ctypedef struct BoundsNode:
    int32_t lower             # proved: lower <= value
    int32_t upper             # proved: value <= upper
    int32_t estimate          # where the value is expected; only ranks depend on it
    int32_t parent            # NONE for the root
    int32_t first_child       # children are consecutive, in canonical order; NONE: not expanded
    int32_t eldest            # the child that is searched first, ...
    int32_t younger           # ... and the brother after this one; NONE: the last
    int32_t twin              # ring of the nodes of one position and depth; itself when alone
    int32_t alpha             # window in which the last sweep found it wanted
    int32_t beta
    uint32_t seen             # number of the last sweep that found it wanted
    int16_t child_count
    int16_t index             # among its brothers, canonical
    int16_t rank              # speculation rank in that sweep
    uint8_t is_busy           # a search of it is under way
    uint8_t has_estimate
    double likely             # chance, as of that sweep, that the value exceeds alpha

cdef class BoundsTree:
    # Owns fixed memory for node_max nodes.  Node 0 is the root.
    cdef BoundsNode *nodes
    cdef int32_t *busy        # the busy nodes, in no order
    cdef int32_t *found       # unexpanded nodes of a sweep that nobody searches, in its order
    cdef int32_t found_count
    cdef int32_t busy_count
    cdef uint32_t sweep_number
    cdef double spread
    cdef readonly int node_max
    cdef readonly int node_count
    cdef void *memory
    cdef int _checked(self, int node) except -1
    cdef bint _told(self, int node, int outcome) except -1
    cdef tuple _wanted(self, int node)
    cdef bint _has_twin_in_hand(self, int node) noexcept nogil
    # Narrow a node's bounds and all that follows from it: 1 if anything new was proved, 0 if
    # not, -1 if it contradicts what was proved before.
    cdef int _narrow(self, int node, int lower, int upper) noexcept nogil
    # What an unresolved node's window is for one child, seen by the child; False if resolved.
    cdef bint _child_window(self, int node, int child, bint is_first_best,
                            int32_t *alpha, int32_t *beta) noexcept nogil
    cdef bint _window(self, int node, bint is_move_wanted,
                      int32_t *alpha, int32_t *beta) noexcept nogil
    cdef double _judge(self, int node, int alpha, int beta, bint is_first_best) noexcept nogil
    cdef void _rank(self, int node, double need) noexcept nogil
    cdef int _likeliest_first(self, int node, int32_t *order) noexcept nogil

# The traversal of a tree of bounds from the root that finds all that is wanted.

from libc.stdint cimport int32_t, uint32_t
from engine_ext.search.bounds_node cimport BoundsNode, SweepEntry

# What sweeps found; the tree owns all memory, for as many of each as it may have nodes.
ctypedef struct Sweep:
    BoundsNode *nodes         # of the tree
    # What the last sweep found wanted, in the order of search, and the one before it.
    SweepEntry *entries
    SweepEntry *entries_before
    int32_t *leaves           # unexpanded nodes of a sweep, one of all twins, in its order
    int32_t *ranked           # the same by rank
    int32_t entry_count
    int32_t leaf_count
    uint32_t number           # of the last one
    bint was_move_wanted      # by it
    double spread             # how far values commonly are from their estimates

# Find all that is wanted under the root's window, which is open unless the root is resolved.
cdef void sweep_find(Sweep *sweep, bint is_open, int alpha, int beta,
                     bint is_move_wanted) noexcept nogil

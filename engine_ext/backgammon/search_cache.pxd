# A fixed-size table of the values of searched nodes, inside one search's workspace.
#
# An entry is found under everything that its value depends on, in full and never as a
# hash: a probe either misses or returns the very bits that were stored.

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState

cdef enum:
    # A power of two.  A 3-ply decision visits some 1,000 nodes of 1-ply a move; the table
    # is 560 KB and only the pages that a search touches are real.
    CACHE_ENTRY_COUNT = 4096
    CACHE_CUBES_MAX = 8       # nodes with more cube states are not kept; 3 plies meet at most 8

# Unique for (board, cube states, score, rules, table of match equities, measure, ply); all
# zero for none: the ply of a kept node is at least 1.
ctypedef struct NodeKey:
    uint64_t board_low
    uint64_t board_high
    uint64_t cubes
    uint64_t rules

ctypedef struct CacheEntry:
    NodeKey key
    double probs[5]
    double equities[8]

ctypedef struct NodeCache:
    bint is_off
    CacheEntry entries[4096]

# False where a node is not to be kept.
cdef bint cache_key(const Board *board, const CubeState *cubes, int cube_count, int ply,
                    bint is_cubeful, NodeKey *key) noexcept nogil
cdef bint cache_probe(const NodeCache *cache, const NodeKey *key, int cube_count,
                      double *probs, double *equities) noexcept nogil
cdef void cache_store(NodeCache *cache, const NodeKey *key, int cube_count,
                      const double *probs, const double *equities) noexcept nogil

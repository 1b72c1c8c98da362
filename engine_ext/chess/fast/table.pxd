# What the fast search remembers of positions: a value, how it bounds, and a move to try first.
#
# Not facts, as engine_ext/search/table.pxd keeps them: an entry stands for its depth and all lesser
# ones, and what is above a draw by repetition is kept like anything else.  Slots have 16 bytes,
# four a cache line; the key's second word is mixed with the content, so that an entry half written
# by another thread is not found.

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport ChessBoardStruct, ChessMove

cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

ctypedef struct FastEntry:
    int value                 # for the side to move; mates count from this position
    int static_value          # NO_VALUE: in check
    int depth
    int bound
    ChessMove move            # 0: none

ctypedef struct FastSlot:
    uint64_t mixed            # the key's second word ^ content
    uint64_t content

ctypedef struct FastSlots:
    FastSlot *slots
    uint64_t cluster_mask     # clusters of four slots - 1, a power of two
    int generation            # of the search that goes on, 0 .. 63

# Whether the position is kept; if so *entry is filled.
cdef bint fast_probe(const FastSlots *slots, const ChessBoardStruct *board,
                     FastEntry *entry) noexcept nogil
# Keep an entry, in place of the least worth of its cluster; a move that is kept outlives none.
cdef void fast_store(FastSlots *slots, const ChessBoardStruct *board,
                     const FastEntry *entry) noexcept nogil
# Have a position's cache line fetched before it is probed.
cdef void fast_prefetch(const FastSlots *slots, const ChessBoardStruct *board) noexcept nogil

cdef class FastTable:
    # Owns the memory.  Searches hold a reference; several threads may use it at once.
    cdef FastSlots slots
    cdef void *memory

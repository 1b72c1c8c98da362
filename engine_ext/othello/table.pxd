# A transposition table of fixed size: bounds of positions at a depth.
#
# An entry is found under the whole position, and only at exactly the depth it was stored for:
# a probe misses or returns what was stored.  Entries are facts about (position, depth), whatever
# search found them; a table must hold one kind of value only (exact endgame scores, or one
# evaluation's values), which is the owner's care.

from libc.stdint cimport int16_t, uint8_t, uint64_t

# lower <= value <= upper, seen by the side to move; moves are squares, SQUARE_NONE = unknown.
ctypedef struct TableEntry:
    int16_t lower
    int16_t upper
    uint8_t move              # best known, for ordering; SQUARE_NONE if none
    uint8_t second            # best before that one
    uint8_t depth             # of the search: the number of empty squares in an exact endgame
    uint8_t generation        # of the search that stored it last; old ones are replaced first

# 32 bytes, two a cache line.  The position's words are mixed with the content, so that an entry
# half written by another thread is not found.
ctypedef struct TableSlot:
    uint64_t player_mixed     # player ^ content
    uint64_t opponent_mixed   # opponent ^ content
    TableEntry entry          # eight bytes
    uint64_t work             # nodes that it cost, summed; dear entries stay

ctypedef struct Table:
    TableSlot *slots
    uint64_t slot_mask        # slot count - 1, a power of two; slots 2k and 2k + 1 are one pair
    uint64_t *journal         # slots stored to, the oldest first; NULL: nobody asks for news
    uint64_t journal_count    # what is above JOURNAL_MAX was not written down
    int journal_depth         # entries of less depth are no news
    uint8_t generation

# True and *entry filled if the position is kept at this depth.
cdef bint table_probe(const Table *table, uint64_t player, uint64_t opponent, int depth,
                      TableEntry *entry) noexcept nogil
# Whether an entry's bounds answer a search under (alpha, beta); if so *value is fail-soft.
cdef inline bint entry_answers(const TableEntry *entry, int alpha, int beta,
                               int *value) noexcept nogil:
    value[0] = entry.lower
    if entry.lower >= beta or entry.lower == entry.upper:
        return True
    value[0] = entry.upper
    return entry.upper <= alpha

# A move found at any depth, SQUARE_NONE if none: for ordering only.
cdef int table_move(const Table *table, uint64_t player, uint64_t opponent) noexcept nogil
# Narrow the bounds kept for (position, depth), or begin an entry.  `move` may be SQUARE_NONE.
cdef void table_store(Table *table, uint64_t player, uint64_t opponent, int depth, int lower,
                      int upper, int move, uint64_t work) noexcept nogil
# Have a position's cache line fetched before it is probed.
cdef void table_prefetch(const Table *table, uint64_t player, uint64_t opponent) noexcept nogil

cdef class HashTable:
    # Owns the memory.  Searches hold a reference; several may use it, one after the other or
    # from several threads.
    cdef Table table
    cdef void *memory

# A transposition table of fixed size: bounds of positions at a depth, of any game.
#
# An entry is found under a key of 128 bits that the game supplies, and only at exactly the depth it
# was stored for: a probe misses or returns what was stored.  Where the key is the whole position,
# as in Othello, entries are facts about (position, depth), whatever search found them.  Where it is
# a hash, as Zobrist's is in chess, two positions share a key by chance: of 2^48, a week's at half a
# billion a second, some two do with odds of 2^-33.
#
# A table must hold one kind of value only (exact endgame scores, or one evaluation's values), which
# is the owner's care.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t

# lower <= value <= upper, seen by the side to move.  Moves are for ordering, so a game that has
# moves of more bits keeps as many as tell most of them apart: chess's from, to and piece are 15.
ctypedef struct TableEntry:
    int16_t lower
    int16_t upper
    uint16_t moves            # best known, in move_bits; where two have room, the best before it
    uint8_t depth             # of the search, 1 and more
    uint8_t generation        # of the search that stored it last; old ones are replaced first

# 32 bytes, two a cache line.  The key's words are mixed with the content, so that an entry half
# written by another thread is not found.
ctypedef struct TableSlot:
    uint64_t first_mixed      # the key's first word ^ content
    uint64_t second_mixed     # its second word ^ content
    TableEntry entry          # eight bytes
    uint64_t work             # nodes that it cost, summed; dear entries stay

ctypedef struct Table:
    TableSlot *slots
    uint64_t slot_mask        # slot count - 1, a power of two; slots 2k and 2k + 1 are one pair
    uint64_t *journal         # slots stored to, the oldest first; NULL: nobody asks for news
    uint64_t journal_count    # what is above JOURNAL_MAX was not written down
    int journal_depth         # entries of less depth are no news
    int move_bits             # 8: entries have two moves; 16: one
    int no_move               # stands for none, and is more than any move
    # Whether a key can be a position; NULL: any can.
    bint (*is_key)(uint64_t first, uint64_t second) noexcept nogil
    uint8_t generation

# An entry that travels, read.
ctypedef struct UnpackedEntry:
    uint64_t first
    uint64_t second
    int depth
    int lower
    int upper
    int move
    uint64_t work

cdef UnpackedEntry entry_unpacked(const unsigned char *key, const unsigned char *content,
                                  int move_bits) noexcept nogil

# True and *entry filled if the position is kept at this depth.
cdef bint table_probe(const Table *table, uint64_t first, uint64_t second, int depth,
                      TableEntry *entry) noexcept nogil
# Whether an entry's bounds answer a search under (alpha, beta); if so *value is fail-soft.
cdef inline bint entry_answers(const TableEntry *entry, int alpha, int beta,
                               int *value) noexcept nogil:
    value[0] = entry.lower
    if entry.lower >= beta or entry.lower == entry.upper:
        return True
    value[0] = entry.upper
    return entry.upper <= alpha

# A move found at any depth, no_move if none: for ordering only.
cdef int table_move(const Table *table, uint64_t first, uint64_t second) noexcept nogil
# Narrow the bounds kept for (position, depth), or begin an entry.  `move` may be no_move.
cdef void table_store(Table *table, uint64_t first, uint64_t second, int depth, int lower,
                      int upper, int move, uint64_t work) noexcept nogil
# Have a position's cache line fetched before it is probed.
cdef void table_prefetch(const Table *table, uint64_t first, uint64_t second) noexcept nogil

cdef class KeyedTable:
    # Owns the memory; a game's subclass says what its moves and keys are.  Searches hold a
    # reference; several may use it, one after the other or from several threads.
    cdef Table table
    cdef void *memory

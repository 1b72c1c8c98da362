# Othello's transposition tables: the whole position as key, two moves by their squares.

from engine_ext.search.table cimport KeyedTable, TableEntry

# The best move kept of an entry, and the best before it; SQUARE_NONE if there is none.
cdef inline int entry_move(const TableEntry *entry) noexcept nogil:
    return entry.moves & 0xFF

cdef inline int entry_second(const TableEntry *entry) noexcept nogil:
    return entry.moves >> 8

cdef class HashTable(KeyedTable):
    pass

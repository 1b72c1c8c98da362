"""Othello's transposition tables.

Knows what is a board and a move.  Must not know what the values mean, nor which entries stay
(engine_ext/search/table.pyx).
"""

from libc.stdint cimport uint64_t

from engine_ext.othello.board cimport SQUARE_NONE, OthelloBoard, board_squares
from engine_ext.search.table cimport (
    KeyedTable, TableEntry, UnpackedEntry, entry_unpacked, table_probe, table_store)

cdef extern from *:
    int count_bits "__builtin_popcountll" (uint64_t) noexcept nogil

cdef enum:
    _MOVE_BITS = 8            # 64 squares, and none: two fit
    _KEY_BYTES = 17
    _ENTRY_BYTES = _KEY_BYTES + 13

ENTRY_BYTES = _ENTRY_BYTES


cdef bint _is_board(uint64_t player, uint64_t opponent) noexcept nogil:
    return player & opponent == 0


cdef class HashTable(KeyedTable):
    """A table of Othello boards that searches share; entries outlive a search.

    Args and errors as of KeyedTable.
    """

    def __cinit__(self, *_arguments, **_named):
        self.table.move_bits = _MOVE_BITS
        self.table.no_move = SQUARE_NONE
        self.table.is_key = _is_board

    def probe(self, OthelloBoard board not None, depth):
        """Return (lower, upper) kept for the board at this depth, or None."""
        cdef TableEntry entry
        if table_probe(&self.table, board.board.player, board.board.opponent, depth, &entry):
            return entry.lower, entry.upper
        return None

    def store(self, OthelloBoard board not None, depth, lower, upper, work=1):
        """Keep bounds of the board's value at this depth, narrowing what is kept."""
        table_store(&self.table, board.board.player, board.board.opponent, depth, lower, upper,
                    SQUARE_NONE, work)


cdef inline bint _makes_sense(const UnpackedEntry *unpacked, uint64_t squares, int depth_max,
                              int value_max) noexcept nogil:
    cdef uint64_t discs = unpacked.first | unpacked.second
    return (
        _is_board(unpacked.first, unpacked.second) and discs & ~squares == 0
        and (unpacked.depth <= depth_max if depth_max
             else unpacked.depth == count_bits(squares ^ discs))
        and -value_max <= unpacked.lower <= unpacked.upper <= value_max
        and (unpacked.move == SQUARE_NONE
             or unpacked.move < SQUARE_NONE and (squares & ~discs) >> unpacked.move & 1))


def unpack_entries(bytes packed not None, size, depth_max, value_max):
    """Return entries of which nothing is trusted: key and content of each, one after another.

    Args:
        packed: the bytes of all.
        size: squares a side of their boards.
        depth_max: no entry is deeper; 0: all are as deep as they have empty squares.
        value_max: bounds are between minus this and this.

    Returns:
        A list of (key, depth, content).

    Raises:
        ValueError: there could be no such entry.
    """
    cdef const unsigned char *at = packed
    cdef uint64_t squares = board_squares(size)
    cdef int first, deepest = depth_max, most = value_max
    cdef UnpackedEntry unpacked
    if len(packed) % _ENTRY_BYTES:
        raise ValueError(f"expected entries of {_ENTRY_BYTES} bytes, not {len(packed)} bytes")
    found = []
    for first in range(0, len(packed), _ENTRY_BYTES):
        unpacked = entry_unpacked(at + first, at + first + _KEY_BYTES, _MOVE_BITS)
        if not _makes_sense(&unpacked, squares, deepest, most):
            raise ValueError("expected entries: a board, a depth, lower <= upper and a move")
        found.append((packed[first:first + _KEY_BYTES], unpacked.depth,
                      packed[first + _KEY_BYTES:first + _ENTRY_BYTES]))
    return found

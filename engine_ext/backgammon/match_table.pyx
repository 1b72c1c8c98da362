# cython: language_level=3
"""A table of match equities as compiled code reads it: one view for each player.

Knows the layout and that both views may be one.  Must not know cubes, nor where a table is from.
"""

from libc.stdint cimport uint64_t
from engine_ext.backgammon.janowski cimport AWAY_MAX, MetTable

from engine_ext.backgammon.met import kazaross_xg2

cdef uint64_t _serials = 0       # match tables made so far; the GIL guards it


cdef class MatchTable:
    """A `met.Met`, extended to AWAY_MAX, in the form that compiled code reads.

    Args:
        met: the table.
    """

    def __init__(self, met):
        cdef int player, count = 1 if met.is_alike else 2
        self.met = met
        for player in range(count):
            _fill_table(&self.tables[player], met, player)
            self.tables[player].other = &self.tables[count - 1 - player]

    cdef const MetTable *of_player(self, int player) noexcept:
        """The table as player 0 or 1 of the file sees it; this object owns it.  GIL: needs."""
        return &self.tables[0 if self.met.is_alike else player]


cdef int _fill_table(MetTable *table, met, int player) except -1:
    """Fill in one player's view, and a new serial number.  Errors: none known."""
    global _serials
    cdef int i, j
    _serials += 1
    table.serial = _serials
    for i in range(AWAY_MAX):
        for j in range(AWAY_MAX):
            table.pre[i][j] = met.mwc(i + 1, j + 1, player=player)
        table.post[i] = met.mwc(i + 1, 1, post_crawford=True, player=player)
    return 0


cdef MatchTable _shared = None


cpdef MatchTable shared_match_table():
    """The table of `kazaross_xg2()`, made once a process.  GIL: needs."""
    global _shared
    if _shared is None:
        _shared = MatchTable(kazaross_xg2())
    return _shared

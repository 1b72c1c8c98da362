# Match equities in the form that nogil code reads.

from engine_ext.backgammon.janowski cimport MetTable

cdef class MatchTable:
    cdef MetTable tables[2]        # of player 0 and player 1; only the first where both are alike
    cdef readonly object met       # the Met it was made from
    # Borrowed: lives as long as this object.
    cdef const MetTable *of_player(self, int player) noexcept

cpdef MatchTable shared_match_table()   # of kazaross_xg2(), made once a process

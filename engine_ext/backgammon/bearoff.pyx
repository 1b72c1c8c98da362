# cython: language_level=3
"""Look-up in the exact bear-off tables.

Knows positions with every checker in the home boards.  Must not know how the tables
are made (`bearoff_generate`, which documents their layout), files (`bearoff_cache`), nets or
match play.

Every answer is bit-exact: one-sided chances are sums of integers, exact multiples of 2^-32.
"""

import hashlib

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from engine_ext.backgammon.bearoff_generate cimport (
    HEADER_WORDS, ONE_SIDED_COUNT, ONE_SIDED_SCALE, TWO_SIDED_BYTES, TWO_SIDED_COUNT, home_index,
)
from engine_ext.backgammon.board cimport Board, Position

from engine_ext.backgammon import bearoff_cache
from engine_ext.backgammon.bearoff_generate import board_index, generate_tables

cdef enum:
    TWO_SIDED_OFF_MIN = 9         # at most six of fifteen checkers left

ctypedef struct Spread:
    # The packed distribution of one board: see the module's docstring.
    const uint16_t *beyond
    int first
    int length


# ---------------------------------------------------------------- look-up

cdef inline bint _is_home(const uint8_t *slots) noexcept nogil:
    # Slots 7..25 hold nothing: three overlapping words of eight.
    cdef uint64_t words[3]
    memcpy(words, slots + 7, 16)
    memcpy(words + 2, slots + 18, 8)
    return (words[0] | words[1] | words[2]) == 0


cdef bint bearoff_is_one_sided(const Board *board) noexcept nogil:
    """Whether all checkers of both sides are at home or off.  Never fails; nogil."""
    return _is_home(board.side[0]) and _is_home(board.side[1])


cdef bint bearoff_is_two_sided(const Board *board) noexcept nogil:
    """Whether, besides, at most six checkers are left on each side.  Never fails; nogil."""
    return (board.side[0][0] >= TWO_SIDED_OFF_MIN and board.side[1][0] >= TWO_SIDED_OFF_MIN
            and bearoff_is_one_sided(board))


cdef inline Spread _spread_off(const BearoffTables *tables, int index) noexcept nogil:
    cdef const uint16_t *header = tables.one_sided + index * HEADER_WORDS
    cdef Spread spread
    spread.beyond = tables.one_sided + (header[0] | <uint32_t> header[1] << 16)
    spread.first = header[2] & 0xFF
    spread.length = header[2] >> 8
    return spread


cdef inline Spread _spread_first_off(const BearoffTables *tables, int index) noexcept nogil:
    cdef const uint16_t *header = tables.one_sided + index * HEADER_WORDS
    cdef Spread spread
    spread.beyond = tables.one_sided + (header[0] | <uint32_t> header[1] << 16) + (header[2] >> 8)
    spread.first = header[3] & 0xFF
    spread.length = header[3] >> 8
    return spread


cdef double _race(const Spread *ours, const Spread *theirs, int lead) noexcept nogil:
    # Sum over i of P(ours = i) * P(theirs > i - lead): we finish on our roll i, and
    # they have had i - lead rolls by then.  Exact integers until the last line.
    cdef uint64_t total = 0
    cdef uint32_t before = ONE_SIDED_SCALE
    cdef uint32_t now, others
    cdef int k
    cdef int at = ours.first - lead - theirs.first      # where P(theirs > i - lead) lies
    for k in range(ours.length + 1):
        now = ours.beyond[k] if k < ours.length else 0
        if at + k < 0:
            others = ONE_SIDED_SCALE
        elif at + k < theirs.length:
            others = theirs.beyond[at + k]
        else:
            break
        total += <uint64_t> (before - now) * others
        before = now
    return <double> total / 4294967296.0


cdef void bearoff_one_sided_probs(const BearoffTables *tables, const Board *board,
                                  double *probs) noexcept nogil:
    """Write the player on roll's chances as if each side played for speed alone.

    Shapes: probs: double[5], cumulative.  Errors: noexcept; the board must satisfy
    `bearoff_is_one_sided`.  GIL: none needed.  Source: the policy of gnubg's one-sided
    database.  Where the two-sided table can tell, win chances are within .0132 of optimal
    play's, .0009 on average (60,000 random pairs of boards).
    """
    cdef int mine = home_index(board.side[0])
    cdef int theirs = home_index(board.side[1])
    cdef Spread my_off = _spread_off(tables, mine)
    cdef Spread their_off = _spread_off(tables, theirs)
    cdef Spread first_off
    cdef double lose
    probs[0] = _race(&my_off, &their_off, 1)
    probs[1] = probs[2] = probs[3] = probs[4] = 0.0
    if board.side[1][0] == 0:
        first_off = _spread_first_off(tables, theirs)
        probs[1] = _race(&my_off, &first_off, 1)
        probs[1] = probs[1] if probs[1] < probs[0] else probs[0]
    if board.side[0][0] == 0:
        first_off = _spread_first_off(tables, mine)
        lose = 1.0 - probs[0]
        probs[3] = _race(&their_off, &first_off, 0)
        probs[3] = probs[3] if probs[3] < lose else lose


cdef inline const float *_two_sided_cell(const BearoffTables *tables,
                                         const Board *board) noexcept nogil:
    return tables.two_sided + (<size_t> home_index(board.side[0]) * TWO_SIDED_COUNT
                               + home_index(board.side[1])) * 4


cdef void bearoff_two_sided_no_double(const BearoffTables *tables, const Board *board,
                                      double *equities) noexcept nogil:
    """Write the four money equities of the player on roll who rolls without doubling.

    Shapes: equities: double[4], order as in the .pxd.  Units: the current cube.
    Errors: noexcept; the board must satisfy `bearoff_is_two_sided`.  GIL: none needed.
    """
    cdef const float *cell = _two_sided_cell(tables, board)
    cdef int c
    for c in range(4):
        equities[c] = cell[c]


cdef inline double _best_doubling(double no_double, double opponent_owns) noexcept nogil:
    # Before the cube decision: the doubler chooses, then the opponent.
    cdef double double_take = 2.0 * opponent_owns
    cdef double doubled = double_take if double_take < 1.0 else 1.0
    return doubled if doubled > no_double else no_double


cdef void bearoff_two_sided_equities(const BearoffTables *tables, const Board *board,
                                     double *equities) noexcept nogil:
    """Write the four money equities of the player on roll, before the cube decision.

    Shapes, Units, Errors, GIL: as `bearoff_two_sided_no_double`.
    """
    bearoff_two_sided_no_double(tables, board, equities)
    equities[1] = _best_doubling(equities[1], equities[3])
    equities[2] = _best_doubling(equities[2], equities[3])


cdef double bearoff_two_sided_win(const BearoffTables *tables, const Board *board) noexcept nogil:
    """Return the player on roll's win chance (there are no gammons).

    Errors: noexcept; as `bearoff_two_sided_no_double`.  GIL: none needed.
    """
    return (<double> _two_sided_cell(tables, board)[0] + 1.0) * 0.5


# ------------------------------------------------------------ Python face

cdef tuple _chances(Spread spread):
    cdef list chances = [0.0] * spread.first
    cdef uint32_t before = ONE_SIDED_SCALE
    cdef uint32_t now
    cdef int k
    for k in range(spread.length + 1):
        now = spread.beyond[k] if k < spread.length else 0
        chances.append((before - now) / 65536.0)
        before = now
    return tuple(chances)


cdef class Bearoff:
    """Both tables over one block of bytes.

    Owner: keeps the bytes alive, so that `tables` is valid as long as this object.
    """

    def __cinit__(self, bytes tables not None):
        """Check the layout and point into `tables`.

        Errors: ValueError if the bytes cannot be the tables (their content is the
        cache's to check).  GIL: needed.
        """
        cdef const char *start = PyBytes_AS_STRING(tables)
        cdef const uint16_t *header
        cdef size_t words, end
        cdef int index
        if len(tables) < TWO_SIDED_BYTES + ONE_SIDED_COUNT * HEADER_WORDS * 2:
            raise ValueError(f"{len(tables)} bytes are too few for bear-off tables")
        self._memory = tables
        self.tables.two_sided = <const float *> start
        self.tables.one_sided = <const uint16_t *> (start + TWO_SIDED_BYTES)
        words = (len(tables) - TWO_SIDED_BYTES) // sizeof(uint16_t)
        for index in range(ONE_SIDED_COUNT):
            header = self.tables.one_sided + index * HEADER_WORDS
            end = (header[0] | <size_t> header[1] << 16) + (header[2] >> 8) + (header[3] >> 8)
            if end > words:
                raise ValueError(f"bear-off board {index} points outside the table")
        self.digest = hashlib.sha256(tables).hexdigest()

    def off_chances(self, points):
        """Return P(all checkers are off after exactly i rolls), i = 0, 1, ...

        Shapes: points: six counts, ace-point first.  Errors: ValueError.  GIL: needed.
        """
        return _chances(_spread_off(&self.tables, board_index(points)))

    def first_off_chances(self, points):
        """Return P(the first of 15 checkers goes off with roll i exactly), i = 0, 1, ...

        Shapes, Errors, GIL: as `off_chances`; with fewer than 15 checkers on the
        board the answer is (1.0,).
        """
        return _chances(_spread_first_off(&self.tables, board_index(points)))

    def one_sided_probs(self, Position position not None):
        """Return the five cumulative chances of the player on roll, played for speed.

        Errors: ValueError unless all checkers are home.  GIL: needed.
        """
        cdef double probs[5]
        if not bearoff_is_one_sided(&position.board):
            raise ValueError("not a bear-off: a checker is outside its home board")
        bearoff_one_sided_probs(&self.tables, &position.board, probs)
        return probs[0], probs[1], probs[2], probs[3], probs[4]

    def money_equities(self, Position position not None, *, bint is_doubling_allowed=True):
        """Return (cubeless, on roll owns, centred, opponent owns), of the player on roll.

        Units: the current cube; no Jacoby rule.  With `is_doubling_allowed` false, the
        player on roll does not double this turn.
        Errors: ValueError unless both sides have at most six checkers left, all home.
        GIL: needed.
        """
        cdef double equities[4]
        if not bearoff_is_two_sided(&position.board):
            raise ValueError("not in the two-sided table: more than six checkers, or not home")
        if is_doubling_allowed:
            bearoff_two_sided_equities(&self.tables, &position.board, equities)
        else:
            bearoff_two_sided_no_double(&self.tables, &position.board, equities)
        return equities[0], equities[1], equities[2], equities[3]


cdef Bearoff _shared = None


cpdef Bearoff shared_bearoff():
    """Return the process's tables, loaded from the cache or generated on first use.

    Errors: MemoryError only: a cache that cannot be read or written is done without.
    GIL: needed; released while generating.  Owner: the module.
    """
    global _shared
    cdef Bearoff made
    if _shared is None:
        # Another thread may do the same meanwhile; the first to finish is kept.
        made = Bearoff(bearoff_cache.load_tables(generate_tables))
        if _shared is None:
            _shared = made
    return _shared

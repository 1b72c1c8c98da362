"""Transposition tables: fixed memory, whole positions as keys.

Knows entries and which to keep.  Must not know what the values mean.  An entry is bounds of one
(position, depth); a probe asks for exactly that depth ("tables without lies").

Of the two slots of a pair the dearer one stays unless an earlier search left it.

Entries travel to other tables as (key, content): key is player and opponent, 64 bits each, and the
depth in a byte; content is lower and upper, 16 bits each, the best move in a byte and the work in
64 bits; all little-endian.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine_ext.othello.board cimport SQUARE_NONE, OthelloBoard, board_hash, board_squares

cdef extern from *:
    """
    #include <stdint.h>
    #include <sys/mman.h>
    #define prefetch_line(p) __builtin_prefetch((p), 1, 3)
    #define count_one(p) __atomic_fetch_add((p), 1, __ATOMIC_RELAXED)
    #define count_anew(p) __atomic_exchange_n((p), 0, __ATOMIC_RELAXED)
    /* Probes go all over a table: with large pages fewer of them wait for a page's address.
     * A system that has none goes on as before. */
    static void ask_for_large_pages(void *memory, uint64_t size)
    {
    #ifdef MADV_HUGEPAGE
        const uintptr_t large = 1 << 21, begin = ((uintptr_t)memory + large - 1) & -large;
        const uintptr_t end = ((uintptr_t)memory + size) & -large;
        if (begin < end)
            (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    #else
        (void)memory, (void)size;
    #endif
    }
    """
    void ask_for_large_pages(void *memory, uint64_t size) noexcept nogil
    void prefetch_line(const void *address) noexcept nogil
    uint64_t count_one(uint64_t *count) noexcept nogil
    uint64_t count_anew(uint64_t *count) noexcept nogil
    int count_bits "__builtin_popcountll" (uint64_t) noexcept nogil

# 64 GiB: more would be a slip of the keyboard.
BYTES_MAX = 1 << 36
BYTES_MIN = 1 << 12

# News between two looks; what is more is not told.  A thread stores 4,000 to 8,000 in a tenth of a
# second (FFO #43: 46,000 in 28 million nodes), of which seven in ten are leaves'.
JOURNAL_MAX = 1 << 14
cdef uint64_t _JOURNAL_MAX = JOURNAL_MAX

cdef enum:
    _KEY_BYTES = 17
    _CONTENT_BYTES = 13
    _ENTRY_BYTES = _KEY_BYTES + _CONTENT_BYTES

ENTRY_BYTES = _ENTRY_BYTES

cdef enum:
    FILL_SAMPLE = 4096        # slots: a percent is exact enough


# An entry that travels, read.
ctypedef struct Told:
    uint64_t player
    uint64_t opponent
    int depth
    int lower
    int upper
    int move
    uint64_t work


cdef inline uint64_t _content(const TableEntry *entry) noexcept nogil:
    cdef uint64_t content
    memcpy(&content, entry, sizeof(content))
    return content


cdef inline TableSlot *_pair(const Table *table, uint64_t player,
                             uint64_t opponent) noexcept nogil:
    return &table.slots[board_hash(player, opponent) >> 13 & table.slot_mask & ~<uint64_t>1]


cdef inline bint _read(const TableSlot *slot, uint64_t player, uint64_t opponent,
                       TableEntry *entry) noexcept nogil:
    """Copy a slot's entry; whether it is this position's.

    The copy is what is checked, and what counts: another thread may write to the slot meanwhile.
    """
    entry[0] = slot.entry
    cdef uint64_t content = _content(entry)
    return slot.player_mixed == player ^ content and slot.opponent_mixed == opponent ^ content


cdef bint table_probe(const Table *table, uint64_t player, uint64_t opponent, int depth,
                      TableEntry *entry) noexcept nogil:
    """Read the entry of (position, depth); whether there is one.

    Errors: never fails.  GIL: nogil.
    """
    cdef const TableSlot *pair = _pair(table, player, opponent)
    cdef int i
    for i in range(2):
        if _read(&pair[i], player, opponent, entry) and entry.depth == depth:
            return True
    return False


cdef int table_move(const Table *table, uint64_t player, uint64_t opponent) noexcept nogil:
    """Read the best known move of a position at any depth.  Never fails.  GIL: nogil."""
    cdef const TableSlot *pair = _pair(table, player, opponent)
    cdef TableEntry entry
    cdef int i
    for i in range(2):
        if _read(&pair[i], player, opponent, &entry):
            return entry.move
    return SQUARE_NONE


cdef void table_prefetch(const Table *table, uint64_t player, uint64_t opponent) noexcept nogil:
    """Have the line of a position fetched.  Never fails.  GIL: nogil."""
    prefetch_line(_pair(table, player, opponent))


cdef inline void _narrow(TableEntry *entry, int lower, int upper, int move) noexcept nogil:
    if lower > entry.lower:
        entry.lower = <int16_t>lower
    if upper < entry.upper:
        entry.upper = <int16_t>upper
    if move != SQUARE_NONE and move != entry.move:
        entry.second = entry.move
        entry.move = <uint8_t>move


cdef inline int _slot_to_use(const Table *table, const TableSlot *pair, uint64_t player,
                             uint64_t opponent, int depth, TableEntry *entry,
                             bint *is_known) noexcept nogil:
    """The slot of this very entry, which is copied; else an old one, else the cheaper one."""
    cdef int i
    for i in range(2):
        if _read(&pair[i], player, opponent, entry) and entry.depth == depth:
            is_known[0] = True
            return i
    is_known[0] = False
    for i in range(2):
        if pair[i].entry.generation != table.generation:
            return i
    return 0 if pair[0].work < pair[1].work else 1


cdef void table_store(Table *table, uint64_t player, uint64_t opponent, int depth, int lower,
                      int upper, int move, uint64_t work) noexcept nogil:
    """Keep bounds of (position, depth), narrowing those already kept.

    Errors: never fails; another entry may be lost.  GIL: nogil.
    """
    cdef uint64_t place, slot = _store(
        table, player, opponent, depth, lower, upper, move, work)
    if table.journal is not NULL and depth >= table.journal_depth:
        place = count_one(&table.journal_count)
        if place < _JOURNAL_MAX:
            table.journal[place] = slot


cdef inline uint64_t _store(Table *table, uint64_t player, uint64_t opponent, int depth,
                            int lower, int upper, int move, uint64_t work) noexcept nogil:
    """As table_store, and no news; return the number of the slot."""
    cdef TableSlot *pair = _pair(table, player, opponent)
    cdef bint is_known
    cdef TableEntry entry
    cdef TableSlot *slot = &pair[
        _slot_to_use(table, pair, player, opponent, depth, &entry, &is_known)]
    if is_known:
        _narrow(&entry, lower, upper, move)
        slot.work += work
    else:
        entry.lower = <int16_t>lower
        entry.upper = <int16_t>upper
        entry.move = <uint8_t>move
        entry.second = SQUARE_NONE
        entry.depth = <uint8_t>depth
        slot.work = work
    entry.generation = table.generation
    slot.player_mixed = player ^ _content(&entry)
    slot.opponent_mixed = opponent ^ _content(&entry)
    slot.entry = entry
    return slot - table.slots


cdef inline bint _is_used(const Table *table, const TableSlot *slot) noexcept nogil:
    return slot.entry.depth > 0 and slot.entry.generation == table.generation


cdef void _take(Table *table, const Table *other) noexcept nogil:
    """Copy the entries of the other's latest search to a larger and empty table.

    Errors: never fails.  There is room: what shares two slots here did so there.  GIL: nogil.
    """
    cdef uint64_t i, content
    cdef TableSlot copy
    cdef TableSlot *slot
    table.generation = other.generation
    for i in range(other.slot_mask + 1):
        copy = other.slots[i]
        if _is_used(other, &copy) and _is_whole(other, i, &copy):
            content = _content(&copy.entry)
            slot = _pair(table, copy.player_mixed ^ content, copy.opponent_mixed ^ content)
            slot[slot.entry.depth > 0] = copy


cdef class HashTable:
    """A table of fixed size that searches share; entries outlive a search.

    Args:
        byte_count: memory to take at most; the largest power of two within is used.

    Raises:
        ValueError: the size is out of range.
        MemoryError: there is not so much memory.
    """

    def __cinit__(self, byte_count=1 << 24):
        if not BYTES_MIN <= byte_count <= BYTES_MAX:
            raise ValueError(f"a table has {BYTES_MIN} to {BYTES_MAX} bytes, not {byte_count}")
        cdef uint64_t count = <uint64_t>1 << (byte_count.bit_length() - 1)
        count //= sizeof(TableSlot)
        self.memory = calloc(count + 2, sizeof(TableSlot))
        if self.memory is NULL:
            raise MemoryError
        ask_for_large_pages(self.memory, (count + 2) * sizeof(TableSlot))
        self.table.slots = <TableSlot *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        self.table.slot_mask = count - 1

    def __dealloc__(self):
        free(self.memory)
        free(self.table.journal)

    @property
    def byte_count(self):
        """Memory of the entries, in bytes."""
        return (self.table.slot_mask + 1) * sizeof(TableSlot)

    def clear(self):
        """Forget everything; no search may be running."""
        memset(self.table.slots, 0, (self.table.slot_mask + 1) * sizeof(TableSlot))
        self.table.generation = 0

    def begin_search(self):
        """Let the entries of earlier searches be replaced first; they are still found."""
        self.table.generation += 1

    @property
    def fill(self):
        """About which share of the slots has entries of the latest search: 0 to 1."""
        cdef uint64_t i, used = 0, count = min(self.table.slot_mask + 1, FILL_SAMPLE)
        for i in range(count):
            used += _is_used(&self.table, &self.table.slots[i])
        return used / count

    def grown(self, byte_count):
        """Return a larger table that has all entries of the latest search, and no journal.

        Raises:
            ValueError: it is not larger, or too large.
            MemoryError: there is not so much memory.
        """
        cdef HashTable larger = HashTable(byte_count)
        if larger.table.slot_mask <= self.table.slot_mask:
            raise ValueError(f"expected more than {self.byte_count} bytes, not {byte_count}")
        with nogil:
            _take(&larger.table, &self.table)
        return larger

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

    def news(self, depth_min):
        """Return entries of at least this depth that were stored since the last call.

        The first call returns none: it begins the journal.  A thread that stores meanwhile may
        have an entry left out or told twice.  Entries that were learned are no news.

        Returns:
            A list of (key, depth, content), in the order of their first storing.

        Raises:
            MemoryError: there is no memory for the journal.
        """
        cdef TableSlot copy
        if self.table.journal is NULL:
            self.table.journal = <uint64_t *>calloc(_JOURNAL_MAX, sizeof(uint64_t))
            if self.table.journal is NULL:
                raise MemoryError
        # At once: other threads write to the journal from its beginning again.
        cdef uint64_t count = min(count_anew(&self.table.journal_count), _JOURNAL_MAX)
        cdef bytes journal = (<const char *>self.table.journal)[:count * sizeof(uint64_t)]
        self.table.journal_depth = depth_min
        found = []
        for slot in dict.fromkeys(memoryview(journal).cast("Q")):
            copy = self.table.slots[<uint64_t>slot]
            if copy.entry.depth >= depth_min and _is_whole(&self.table, slot, &copy):
                found.append(_told(&copy))
        return found

    def learn(self, entries):
        """Keep entries that another table of the same kind told: (key, depth, content) of each.

        Raises:
            ValueError: this is no entry.
        """
        cdef Told told
        for key, _, content in entries:
            if len(key) != _KEY_BYTES or len(content) != _CONTENT_BYTES:
                raise ValueError(
                    f"an entry has {_KEY_BYTES} and {_CONTENT_BYTES} bytes, not {len(key)} and "
                    f"{len(content)}")
            told = _unpacked(key, content)
            if told.player & told.opponent or told.lower > told.upper or told.move > SQUARE_NONE:
                raise ValueError("expected an entry: a position, lower <= upper and a move")
            _store(&self.table, told.player, told.opponent, told.depth, told.lower, told.upper,
                   told.move, told.work)


cdef bint _is_whole(const Table *table, uint64_t number, const TableSlot *slot) noexcept nogil:
    """Whether a copied slot holds a position, and one that belongs there.

    What another thread has half written is the position with some discs turned: it may look like a
    position, but hardly ever belongs to these two slots.
    """
    cdef uint64_t content = _content(&slot.entry)
    cdef uint64_t player = slot.player_mixed ^ content, opponent = slot.opponent_mixed ^ content
    return player & opponent == 0 and (
        _pair(table, player, opponent) == &table.slots[number & ~<uint64_t>1])


# ---- entries as they travel ---------------------------------------------------------------


cdef inline void _put(unsigned char *to, uint64_t number, int size) noexcept nogil:
    cdef int i
    for i in range(size):
        to[i] = <unsigned char>(number >> 8 * i)


cdef inline uint64_t _number(const unsigned char *at, int size) noexcept nogil:
    cdef uint64_t number = 0
    cdef int i
    for i in range(size):
        number |= <uint64_t>at[i] << 8 * i
    return number


cdef tuple _told(const TableSlot *slot):
    """A slot's entry as it travels."""
    cdef uint64_t mix = _content(&slot.entry)
    cdef unsigned char packed[_ENTRY_BYTES]
    _put(packed, slot.player_mixed ^ mix, 8)
    _put(packed + 8, slot.opponent_mixed ^ mix, 8)
    packed[16] = slot.entry.depth
    _put(packed + 17, <uint16_t>slot.entry.lower, 2)
    _put(packed + 19, <uint16_t>slot.entry.upper, 2)
    packed[21] = slot.entry.move
    _put(packed + 22, slot.work, 8)
    return packed[:_KEY_BYTES], slot.entry.depth, packed[_KEY_BYTES:_ENTRY_BYTES]


cdef inline Told _unpacked(const unsigned char *key, const unsigned char *content) noexcept nogil:
    cdef Told told
    told.player = _number(key, 8)
    told.opponent = _number(key + 8, 8)
    told.depth = key[16]
    told.lower = <int16_t>_number(content, 2)
    told.upper = <int16_t>_number(content + 2, 2)
    told.move = content[4]
    told.work = _number(content + 5, 8)
    return told


cdef inline bint _makes_sense(const Told *told, uint64_t squares, int depth_max,
                              int value_max) noexcept nogil:
    cdef uint64_t discs = told.player | told.opponent
    return (
        told.player & told.opponent == 0 and discs & ~squares == 0
        and (told.depth <= depth_max if depth_max else told.depth == count_bits(squares ^ discs))
        and -value_max <= told.lower <= told.upper <= value_max
        and (told.move == SQUARE_NONE
             or told.move < SQUARE_NONE and (squares & ~discs) >> told.move & 1))


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
    cdef Told told
    if len(packed) % _ENTRY_BYTES:
        raise ValueError(f"expected entries of {_ENTRY_BYTES} bytes, not {len(packed)} bytes")
    found = []
    for first in range(0, len(packed), _ENTRY_BYTES):
        told = _unpacked(at + first, at + first + _KEY_BYTES)
        if not _makes_sense(&told, squares, deepest, most):
            raise ValueError("expected entries: a board, a depth, lower <= upper and a move")
        found.append((packed[first:first + _KEY_BYTES], told.depth,
                      packed[first + _KEY_BYTES:first + _ENTRY_BYTES]))
    return found

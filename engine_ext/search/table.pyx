"""Transposition tables: fixed memory, keys of 128 bits.

Knows entries and which to keep.  Must not know the game, nor what its values mean.  An entry is
bounds of one (position, depth); a probe asks for exactly that depth ("tables without lies").

Of the two slots of a pair the dearer one stays unless an earlier search left it.

Entries travel to other tables as (key, content): key is the position's, two words of 64 bits, and
the depth in a byte; content is lower and upper, 16 bits each, the best move in as many as it has
and the work in 64 bits; all little-endian.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from engine_ext.search.large_pages cimport ask_for_large_pages

cdef extern from *:
    """
    #include <stdint.h>
    #define prefetch_line(p) __builtin_prefetch((p), 1, 3)
    #define count_one(p) __atomic_fetch_add((p), 1, __ATOMIC_RELAXED)
    #define count_anew(p) __atomic_exchange_n((p), 0, __ATOMIC_RELAXED)
    """
    void prefetch_line(const void *address) noexcept nogil
    uint64_t count_one(uint64_t *count) noexcept nogil
    uint64_t count_anew(uint64_t *count) noexcept nogil

# 64 GiB: more would be a slip of the keyboard.
BYTES_MAX = 1 << 36
BYTES_MIN = 1 << 12

# News between two looks; what is more is not told.  A thread stores 4,000 to 8,000 in a tenth of a
# second (FFO #43: 46,000 in 28 million nodes), of which seven in ten are leaves'.
JOURNAL_MAX = 1 << 14
cdef uint64_t _JOURNAL_MAX = JOURNAL_MAX

cdef enum:
    _KEY_BYTES = 17
    _CONTENT_BYTES = 12       # without the move
    _ENTRY_BYTES_MAX = 31
    _NO_MOVE = 0xFFFF

KEY_BYTES = _KEY_BYTES

cdef enum:
    FILL_SAMPLE = 4096        # slots: a percent is exact enough


cdef inline uint64_t _content(const TableEntry *entry) noexcept nogil:
    cdef uint64_t content
    memcpy(&content, entry, sizeof(content))
    return content


cdef inline uint64_t _hash(uint64_t first, uint64_t second) noexcept nogil:
    """Mix both words, each bit of them into the high bits; equal on every machine."""
    # Odd constants with evenly mixed bits (splitmix64's); any will do.
    cdef uint64_t mixed = first * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 32 ^ second) * <uint64_t>0xBF58476D1CE4E5B9
    return (mixed ^ mixed >> 29) * <uint64_t>0x94D049BB133111EB


cdef inline TableSlot *_pair(const Table *table, uint64_t first, uint64_t second) noexcept nogil:
    return &table.slots[_hash(first, second) >> 13 & table.slot_mask & ~<uint64_t>1]


cdef inline int _best(const Table *table, const TableEntry *entry) noexcept nogil:
    return entry.moves & (1 << table.move_bits) - 1


cdef inline bint _read(const TableSlot *slot, uint64_t first, uint64_t second,
                       TableEntry *entry) noexcept nogil:
    """Copy a slot's entry; whether it is this position's.

    The copy is what is checked, and what counts: another thread may write to the slot meanwhile.
    """
    entry[0] = slot.entry
    cdef uint64_t content = _content(entry)
    return slot.first_mixed == first ^ content and slot.second_mixed == second ^ content


cdef bint table_probe(const Table *table, uint64_t first, uint64_t second, int depth,
                      TableEntry *entry) noexcept nogil:
    """Read the entry of (position, depth); whether there is one.

    Errors: never fails.  GIL: nogil.
    """
    cdef const TableSlot *pair = _pair(table, first, second)
    cdef int i
    for i in range(2):
        if _read(&pair[i], first, second, entry) and entry.depth == depth:
            return True
    return False


cdef int table_move(const Table *table, uint64_t first, uint64_t second) noexcept nogil:
    """Read the best known move of a position at any depth.  Never fails.  GIL: nogil."""
    cdef const TableSlot *pair = _pair(table, first, second)
    cdef TableEntry entry
    cdef int i
    for i in range(2):
        if _read(&pair[i], first, second, &entry):
            return _best(table, &entry)
    return table.no_move


cdef void table_prefetch(const Table *table, uint64_t first, uint64_t second) noexcept nogil:
    """Have the line of a position fetched.  Never fails.  GIL: nogil."""
    prefetch_line(_pair(table, first, second))


cdef inline void _narrow(const Table *table, TableEntry *entry, int lower, int upper,
                         int move) noexcept nogil:
    if lower > entry.lower:
        entry.lower = <int16_t>lower
    if upper < entry.upper:
        entry.upper = <int16_t>upper
    if move != table.no_move and move != _best(table, entry):
        entry.moves = <uint16_t>(entry.moves << table.move_bits | move)


cdef inline int _slot_to_use(const Table *table, const TableSlot *pair, uint64_t first,
                             uint64_t second, int depth, TableEntry *entry,
                             bint *is_known) noexcept nogil:
    """The slot of this very entry, which is copied; else an old one, else the cheaper one."""
    cdef int i
    for i in range(2):
        if _read(&pair[i], first, second, entry) and entry.depth == depth:
            is_known[0] = True
            return i
    is_known[0] = False
    for i in range(2):
        if pair[i].entry.generation != table.generation:
            return i
    return 0 if pair[0].work < pair[1].work else 1


cdef void table_store(Table *table, uint64_t first, uint64_t second, int depth, int lower,
                      int upper, int move, uint64_t work) noexcept nogil:
    """Keep bounds of (position, depth), narrowing those already kept.

    Errors: never fails; another entry may be lost.  GIL: nogil.
    """
    cdef uint64_t place, slot = _store(
        table, first, second, depth, lower, upper, move, work)
    if table.journal is not NULL and depth >= table.journal_depth:
        place = count_one(&table.journal_count)
        if place < _JOURNAL_MAX:
            table.journal[place] = slot


cdef inline uint64_t _store(Table *table, uint64_t first, uint64_t second, int depth,
                            int lower, int upper, int move, uint64_t work) noexcept nogil:
    """As table_store, and no news; return the number of the slot."""
    cdef TableSlot *pair = _pair(table, first, second)
    cdef bint is_known
    cdef TableEntry entry
    cdef TableSlot *slot = &pair[
        _slot_to_use(table, pair, first, second, depth, &entry, &is_known)]
    if is_known:
        _narrow(table, &entry, lower, upper, move)
        slot.work += work
    else:
        entry.lower = <int16_t>lower
        entry.upper = <int16_t>upper
        entry.moves = <uint16_t>(table.no_move << table.move_bits | move)
        entry.depth = <uint8_t>depth
        slot.work = work
    entry.generation = table.generation
    slot.first_mixed = first ^ _content(&entry)
    slot.second_mixed = second ^ _content(&entry)
    slot.entry = entry
    return slot - table.slots


cdef inline bint _is_used(const Table *table, const TableSlot *slot) noexcept nogil:
    return slot.entry.depth > 0 and slot.entry.generation == table.generation


cdef void _copy_latest(Table *table, const Table *other) noexcept nogil:
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
            slot = _pair(table, copy.first_mixed ^ content, copy.second_mixed ^ content)
            slot[slot.entry.depth > 0] = copy


cdef class KeyedTable:
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
        self.table.move_bits = 16
        self.table.no_move = _NO_MOVE

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
        cdef KeyedTable larger = type(self)(byte_count)
        if larger.table.slot_mask <= self.table.slot_mask:
            raise ValueError(f"expected more than {self.byte_count} bytes, not {byte_count}")
        with nogil:
            _copy_latest(&larger.table, &self.table)
        return larger

    @property
    def entry_bytes(self):
        """Of an entry that travels."""
        return _KEY_BYTES + _CONTENT_BYTES + self.table.move_bits // 8

    def probe_key(self, first, second, depth):
        """Return (lower, upper, best move) kept for a key's two words at this depth, or None.

        The move is None if none is known.
        """
        cdef TableEntry entry
        if not table_probe(&self.table, first, second, depth, &entry):
            return None
        move = _best(&self.table, &entry)
        return entry.lower, entry.upper, None if move == self.table.no_move else move

    def store_key(self, first, second, depth, lower, upper, move=None, work=1):
        """Keep bounds of a position's value at this depth, narrowing what is kept.

        Raises:
            ValueError: there is no such key or move.
        """
        cdef int best = self.table.no_move if move is None else move
        if move is not None and not 0 <= best < self.table.no_move:
            raise ValueError(f"a move is 0 to {self.table.no_move - 1}, not {move}")
        if not _may_be_key(&self.table, first, second):
            raise ValueError(f"no position has the key {first}, {second}")
        table_store(&self.table, first, second, depth, lower, upper, best, work)

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
                found.append(_packed_entry(&self.table, &copy))
        return found

    def learn(self, entries):
        """Keep entries that another table of the same kind told: (key, depth, content) of each.

        Raises:
            ValueError: this is no entry.
        """
        cdef UnpackedEntry unpacked
        cdef int content_bytes = _CONTENT_BYTES + self.table.move_bits // 8
        for key, _, content in entries:
            if len(key) != _KEY_BYTES or len(content) != content_bytes:
                raise ValueError(
                    f"an entry has {_KEY_BYTES} and {content_bytes} bytes, not {len(key)} and "
                    f"{len(content)}")
            unpacked = entry_unpacked(key, content, self.table.move_bits)
            if (not _may_be_key(&self.table, unpacked.first, unpacked.second)
                    or unpacked.lower > unpacked.upper or unpacked.move > self.table.no_move):
                raise ValueError("expected an entry: a position, lower <= upper and a move")
            _store(&self.table, unpacked.first, unpacked.second, unpacked.depth, unpacked.lower,
                   unpacked.upper, unpacked.move, unpacked.work)


cdef inline bint _may_be_key(const Table *table, uint64_t first, uint64_t second) noexcept nogil:
    return table.is_key is NULL or table.is_key(first, second)


cdef bint _is_whole(const Table *table, uint64_t number, const TableSlot *slot) noexcept nogil:
    """Whether a copied slot holds a position, and one that belongs there.

    What another thread has half written is the key with some bits turned: it may look like a
    position's, but hardly ever belongs to these two slots.
    """
    cdef uint64_t content = _content(&slot.entry)
    cdef uint64_t first = slot.first_mixed ^ content, second = slot.second_mixed ^ content
    return _may_be_key(table, first, second) and (
        _pair(table, first, second) == &table.slots[number & ~<uint64_t>1])


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


cdef tuple _packed_entry(const Table *table, const TableSlot *slot):
    """A slot's entry as it travels."""
    cdef uint64_t mix = _content(&slot.entry)
    cdef int move_bytes = table.move_bits // 8
    cdef unsigned char packed[_ENTRY_BYTES_MAX]
    _put(packed, slot.first_mixed ^ mix, 8)
    _put(packed + 8, slot.second_mixed ^ mix, 8)
    packed[16] = slot.entry.depth
    _put(packed + 17, <uint16_t>slot.entry.lower, 2)
    _put(packed + 19, <uint16_t>slot.entry.upper, 2)
    _put(packed + 21, slot.entry.moves, move_bytes)
    _put(packed + 21 + move_bytes, slot.work, 8)
    return (packed[:_KEY_BYTES], slot.entry.depth,
            packed[_KEY_BYTES:_KEY_BYTES + _CONTENT_BYTES + move_bytes])


cdef UnpackedEntry entry_unpacked(const unsigned char *key, const unsigned char *content,
                                  int move_bits) noexcept nogil:
    """Read an entry's 17 bytes of key, and its content.  Never fails.  GIL: nogil."""
    cdef UnpackedEntry unpacked
    cdef int move_bytes = move_bits // 8
    unpacked.first = _number(key, 8)
    unpacked.second = _number(key + 8, 8)
    unpacked.depth = key[16]
    unpacked.lower = <int16_t>_number(content, 2)
    unpacked.upper = <int16_t>_number(content + 2, 2)
    unpacked.move = <int>_number(content + 4, move_bytes)
    unpacked.work = _number(content + 4 + move_bytes, 8)
    return unpacked

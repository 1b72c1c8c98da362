"""The fast search's table: fixed memory, shared by threads without locks.

Knows entries and which to keep.  Must not know how they were found.
"""

from libc.stdint cimport int16_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from engine_ext.chess.board cimport ChessBoardStruct, ChessMove
from engine_ext.search.large_pages cimport ask_for_large_pages

cdef extern from *:
    """
    #define fetch_line(p) __builtin_prefetch((p), 0, 3)
    """
    void fetch_line(const void *address) noexcept nogil

# 64 GiB: more would be a slip of the keyboard.
BYTES_MAX = 1 << 36
BYTES_MIN = 1 << 12

cdef enum:
    CLUSTER = 4               # slots of a cache line
    GENERATIONS = 64          # six bits
    AGE_COST = 6              # plies of depth that an entry is worth less for each search since
    DEPTH_TO_KEEP = 4         # so much deeper an entry of this search is not given for a bound
    FILL_SAMPLE = 1024        # clusters: a percent is exact enough


cdef inline FastSlot *_cluster(const FastSlots *slots,
                               const ChessBoardStruct *board) noexcept nogil:
    return &slots.slots[(board.key[0] & slots.cluster_mask) * CLUSTER]


cdef inline uint64_t _packed(const FastEntry *entry, int generation) noexcept nogil:
    """Pack: move, value, static value 16 bits each, depth 8, generation 6, bound 2."""
    return (<uint64_t>entry.move
            | <uint64_t>(entry.value & 0xFFFF) << 16
            | <uint64_t>(entry.static_value & 0xFFFF) << 32
            | <uint64_t>(entry.depth & 0xFF) << 48
            | <uint64_t>(generation << 2 | entry.bound) << 56)


cdef inline int _depth(uint64_t content) noexcept nogil:
    return content >> 48 & 0xFF


cdef inline int _bound(uint64_t content) noexcept nogil:
    return content >> 56 & 3


cdef inline int _age(const FastSlots *slots, uint64_t content) noexcept nogil:
    return (slots.generation - <int>(content >> 58)) & (GENERATIONS - 1)


cdef bint fast_probe(const FastSlots *slots, const ChessBoardStruct *board,
                     FastEntry *entry) noexcept nogil:
    """Read a position's entry; whether there is one.  Errors: never fails.  GIL: nogil."""
    cdef const FastSlot *cluster = _cluster(slots, board)
    cdef uint64_t content
    cdef int i
    for i in range(CLUSTER):
        content = cluster[i].content
        if content and cluster[i].mixed == board.key[1] ^ content:
            entry.move = <ChessMove>(content & 0xFFFF)
            entry.value = <int16_t>(content >> 16 & 0xFFFF)
            entry.static_value = <int16_t>(content >> 32 & 0xFFFF)
            entry.depth = _depth(content)
            entry.bound = _bound(content)
            return True
    return False


cdef void fast_store(FastSlots *slots, const ChessBoardStruct *board,
                     const FastEntry *entry) noexcept nogil:
    """Keep an entry.

    The position's own slot is taken if it has one, else that of the least depth and the greatest
    age.  A move known from before is kept where the entry has none, and a much deeper value where
    the entry is a bound.  Errors: never fails; another entry may be lost.  GIL: nogil.
    """
    cdef FastSlot *cluster = _cluster(slots, board)
    cdef FastSlot *slot = cluster
    cdef FastEntry kept = entry[0]
    cdef uint64_t content
    cdef int i, worth
    cdef int least = 1 << 20
    for i in range(CLUSTER):
        content = cluster[i].content
        if content and cluster[i].mixed == board.key[1] ^ content:
            slot = &cluster[i]
            if kept.move == 0:
                kept.move = <ChessMove>(content & 0xFFFF)
            if (kept.bound != BOUND_EXACT and _age(slots, content) == 0
                    and kept.depth + DEPTH_TO_KEEP < _depth(content)):
                return
            break
        worth = _depth(content) - AGE_COST * _age(slots, content) if content else -(1 << 20)
        if worth < least:
            least = worth
            slot = &cluster[i]
    content = _packed(&kept, slots.generation)
    slot.mixed = board.key[1] ^ content
    slot.content = content


cdef void fast_prefetch(const FastSlots *slots, const ChessBoardStruct *board) noexcept nogil:
    """Have the line of a position fetched.  Never fails.  GIL: nogil."""
    fetch_line(_cluster(slots, board))


cdef class FastTable:
    """A table of fixed size that fast searches share; entries outlive a search.

    Args:
        byte_count: memory to take at most; the largest power of two within is used.

    Raises:
        ValueError: the size is out of range.
        MemoryError: there is not so much memory.
    """

    def __cinit__(self, byte_count=1 << 24):
        if not BYTES_MIN <= byte_count <= BYTES_MAX:
            raise ValueError(f"a table has {BYTES_MIN} to {BYTES_MAX} bytes, not {byte_count}")
        cdef uint64_t size = <uint64_t>1 << (byte_count.bit_length() - 1)
        self.memory = calloc(size + 64, 1)
        if self.memory is NULL:
            raise MemoryError
        ask_for_large_pages(self.memory, size + 64)
        self.slots.slots = <FastSlot *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        self.slots.cluster_mask = size // (CLUSTER * sizeof(FastSlot)) - 1

    def __dealloc__(self):
        free(self.memory)

    @property
    def byte_count(self):
        """Memory of the entries, in bytes."""
        return (self.slots.cluster_mask + 1) * CLUSTER * sizeof(FastSlot)

    @property
    def fill(self):
        """About which share of the slots has entries of the latest search: 0 to 1."""
        cdef uint64_t i, used = 0
        cdef uint64_t count = min(self.slots.cluster_mask + 1, FILL_SAMPLE) * CLUSTER
        cdef uint64_t content
        for i in range(count):
            content = self.slots.slots[i].content
            used += content != 0 and _age(&self.slots, content) == 0
        return used / count

    def clear(self):
        """Forget everything; no search may be running."""
        memset(self.slots.slots, 0, self.byte_count)
        self.slots.generation = 0

    def begin_search(self):
        """Let the entries of earlier searches be replaced first; they are still found."""
        self.slots.generation = (self.slots.generation + 1) % GENERATIONS

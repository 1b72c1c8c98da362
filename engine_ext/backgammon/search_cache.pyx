# cython: language_level=3
"""A table of searched nodes: the same question is answered once.

Knows what a node's value depends on.  Must not know how it is computed.

In 2-ply decisions a fifth of the 1-ply nodes come again under another move of the root, and
a rollout's cube decision asks for the node that the move before it was chosen by.  A probe
counts only at equal ply and an equal key, all of it, so answers are the same bits with the
table and without.  The newest node of an entry replaces the one before.

Positions' static values are not kept: half of a 2-ply decision's come again, but a look-up in
a table that holds them costs as much as the half that it would save.
"""

from libc.stdint cimport uint64_t
from engine_ext.backgammon.board cimport Board, BoardKey, board_key
from engine_ext.backgammon.cube cimport CubeState

cdef extern from *:
    int _ctz "__builtin_ctz" (unsigned int) noexcept nogil


cdef inline uint64_t _packed_cubes(const CubeState *cubes, int cube_count) noexcept nogil:
    """Six bits a state, value (a power of two up to 2^12) and owner, above their count."""
    cdef uint64_t packed = 0
    cdef int i
    for i in range(cube_count):
        packed = packed << 6 | <uint64_t>(_ctz(<unsigned int>cubes[i].cube_value) << 2
                                          | (cubes[i].cube_owner + 1))
    return packed << 4 | <uint64_t>cube_count


cdef inline uint64_t _packed_rules(const CubeState *cube, int ply,
                                   bint is_cubeful) noexcept nogil:
    """What all states of a node share."""
    cdef uint64_t packed = 0
    if cube.match_length > 0:
        # away is at most 64, and a serial number counts the tables made in a process.
        packed = (cube.met.serial << 14 | <uint64_t>cube.away[0] << 7
                  | <uint64_t>cube.away[1]) << 1 | 1
    return (packed << 6 | <uint64_t>(cube.beavers != 0) << 5 | <uint64_t>(cube.jacoby != 0) << 4
            | <uint64_t>(cube.crawford != 0) << 3 | <uint64_t>(is_cubeful != 0) << 2
            | <uint64_t>ply)


cdef bint cache_key(const Board *board, const CubeState *cubes, int cube_count, int ply,
                    bint is_cubeful, NodeKey *key) noexcept nogil:
    """Fill a node's key; False where it has too many cube states.

    Args: ply is 1 to 3.  GIL: nogil.  Errors: never fails.
    """
    cdef BoardKey position
    if cube_count > CACHE_CUBES_MAX:
        return False
    position = board_key(board)
    key.board_low = position.low
    key.board_high = position.high
    key.cubes = _packed_cubes(cubes, cube_count)
    key.rules = _packed_rules(&cubes[0], ply, is_cubeful)
    return True


cdef inline int _place(const NodeKey *key) noexcept nogil:
    # Odd constants of large order (the golden ratio's and two of splitmix64's): any will do.
    cdef uint64_t mixed = key.board_low * <uint64_t>0x9E3779B97F4A7C15
    mixed = (mixed ^ mixed >> 29 ^ key.board_high) * <uint64_t>0xBF58476D1CE4E5B9
    mixed = (mixed ^ mixed >> 32 ^ key.cubes ^ key.rules << 11) * <uint64_t>0x94D049BB133111EB
    return <int>(mixed >> 40) & (CACHE_ENTRY_COUNT - 1)


cdef inline bint _is_same(const NodeKey *a, const NodeKey *b) noexcept nogil:
    return (a.board_low == b.board_low and a.board_high == b.board_high
            and a.cubes == b.cubes and a.rules == b.rules)


cdef bint cache_probe(const NodeCache *cache, const NodeKey *key, int cube_count,
                      double *probs, double *equities) noexcept nogil:
    """Read a node's value if it is kept; whether it was.

    Shapes: probs: double[5]; equities: double[cube_count].  GIL: nogil.  Never fails.
    """
    cdef const CacheEntry *entry = &cache.entries[_place(key)]
    cdef int i
    if cache.is_off or not _is_same(&entry.key, key):
        return False
    for i in range(5):
        probs[i] = entry.probs[i]
    for i in range(cube_count):
        equities[i] = entry.equities[i]
    return True


cdef void cache_store(NodeCache *cache, const NodeKey *key, int cube_count,
                      const double *probs, const double *equities) noexcept nogil:
    """Keep a node's value in place of whatever its entry holds.  As cache_probe."""
    cdef CacheEntry *entry = &cache.entries[_place(key)]
    cdef int i
    if cache.is_off:
        return
    entry.key = key[0]
    for i in range(5):
        entry.probs[i] = probs[i]
    for i in range(cube_count):
        entry.equities[i] = equities[i]

"""Table entries of the reproducible search as they travel.

Knows how entries look.  Must not know how they travel, nor which of them stay
(engine_ext/search/table.pyx).
"""

from engine_ext.chess.exact.node cimport DEPTH_MAX, VALUE_MAX
from engine_ext.search.table cimport UnpackedEntry, entry_unpacked

cdef enum:
    _MOVE_BITS = 16
    _KEY_BYTES = 17
    _ENTRY_BYTES = _KEY_BYTES + 14

ENTRY_BYTES = _ENTRY_BYTES


def unpack_entries(bytes packed not None):
    """Return entries of which nothing is trusted: key and content of each, one after another.

    A move is not looked at: searches take it for a hint, and only if it is legal.

    Returns:
        A list of (key, depth, content).

    Raises:
        ValueError: there could be no such entry.
    """
    cdef const unsigned char *at = packed
    cdef int first
    cdef UnpackedEntry unpacked
    if len(packed) % _ENTRY_BYTES:
        raise ValueError(f"expected entries of {_ENTRY_BYTES} bytes, not {len(packed)} bytes")
    found = []
    for first in range(0, len(packed), _ENTRY_BYTES):
        unpacked = entry_unpacked(at + first, at + first + _KEY_BYTES, _MOVE_BITS)
        if not (1 <= unpacked.depth <= DEPTH_MAX
                and -VALUE_MAX <= unpacked.lower <= unpacked.upper <= VALUE_MAX):
            raise ValueError("expected entries: a key, a depth and lower <= upper")
        found.append((packed[first:first + _KEY_BYTES], unpacked.depth,
                      packed[first + _KEY_BYTES:first + _ENTRY_BYTES]))
    return found

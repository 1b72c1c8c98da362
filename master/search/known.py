"""Known bounds: those that an earlier run of a search has proved, and their packed form."""

import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

EARLIER = -1
"""Instead of an analyser's number: the source of known bounds that strangers may have sent."""

KNOWN_MAX = 1 << 16
"""Bounds kept of one search, those nearest to the root: some 2 MB, packed in 20 ms."""

REGROWN_MAX = 1024
"""Positions that are split at once because they were, some 100 ms; others are split when hot."""

_BOUNDS = struct.Struct("<ii")
_KEY_BYTES_MAX = 255


@dataclass(frozen=True)
class KnownBounds:
    """Bounds by the keys that name positions and depths (SearchRules.entry_key).

    Args:
        bounds: (lower, upper), seen by the side to move.
        is_confirmed: none of them depends on strangers alone.
    """

    bounds: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    is_confirmed: bool = True

    def with_more(self, more: "KnownBounds") -> "KnownBounds":
        """Return these and more; newer ones count, and too many lose the last of the older.

        Bounds are in the order in which positions were split: the last are furthest from a root.
        """
        merged = {**self.bounds, **more.bounds}
        surplus = len(merged) - KNOWN_MAX
        for key in reversed(self.bounds) if surplus > 0 else ():
            if key not in more.bounds:
                del merged[key]
                surplus -= 1
                if surplus == 0:
                    break
        return KnownBounds(merged, self.is_confirmed and more.is_confirmed)


NOTHING_KNOWN = KnownBounds()


def pack_bounds(bounds: Mapping[bytes, tuple[int, int]]) -> bytes:
    """Return bounds as they are stored; of none nothing."""
    assert all(len(key) <= _KEY_BYTES_MAX for key in bounds), "keys are short"
    pieces = (
        bytes((len(key),)) + key + _BOUNDS.pack(*narrowed) for key, narrowed in bounds.items()
    )
    content = b"".join(pieces)
    return zlib.compress(content, 1) if content else b""


def unpack_bounds(packed: bytes) -> dict[bytes, tuple[int, int]]:
    """Return the bounds that `pack_bounds` packed; ValueError for anything else."""
    try:
        content = zlib.decompress(packed) if packed else b""
    except zlib.error as error:
        raise ValueError(f"no packed bounds: {error}") from None
    found: dict[bytes, tuple[int, int]] = {}
    place = 0
    while place < len(content):
        begin = place + 1
        end = begin + content[place]
        place = end + _BOUNDS.size
        if place > len(content):
            raise ValueError("no packed bounds: they are cut off")
        lower, upper = _BOUNDS.unpack_from(content, end)
        found[content[begin:end]] = (lower, upper)
    return found

"""Entries that travel are looked through."""

import struct

import pytest

from engine_ext.chess.exact.search import LARGEST_VALUE
from engine_ext.chess.parts.entries import ENTRY_BYTES, unpack_entries


def packed(depth: int = 5, lower: int = -3, upper: int = 8) -> bytes:
    return struct.pack("<QQBhhHQ", 1, 2, depth, lower, upper, 7, 99)


def test_entries_are_unpacked_in_their_order() -> None:
    found = unpack_entries(packed() + packed(6))
    assert [depth for _, depth, _ in found] == [5, 6]
    assert b"".join(key + content for key, _, content in found) == packed() + packed(6)
    assert len(packed()) == ENTRY_BYTES


@pytest.mark.parametrize(
    "wrong",
    [
        packed(0),
        packed(41),
        packed(lower=9),
        packed(upper=LARGEST_VALUE + 1),
        packed(lower=-LARGEST_VALUE - 1),
        packed()[:-1],
    ],
)
def test_what_could_be_no_entry_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match="expected entries"):
        unpack_entries(packed() + wrong)

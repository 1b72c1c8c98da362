"""The weight file: round trip, and every way it can be wrong."""

from __future__ import annotations

import lzma
import struct
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.pattern_file import (
    WEIGHTS_MAX,
    PatternFileError,
    weights_from_bytes,
    weights_to_bytes,
)

CONTENT = weights_to_bytes(array("h", range(-500, 500)))


@pytest.mark.slow
@given(st.lists(st.integers(-32768, 32767), max_size=50))
def test_weights_round_trip(numbers: list[int]) -> None:
    _, weights = weights_from_bytes(weights_to_bytes(array("h", numbers), preset=0))
    assert list(weights) == numbers


def test_digest_is_of_the_weights_and_not_of_their_packing() -> None:
    easy = weights_to_bytes(array("h", range(-500, 500)), preset=0)
    assert weights_from_bytes(easy)[0] == weights_from_bytes(CONTENT)[0]
    assert weights_from_bytes(weights_to_bytes(array("h", [1])))[0] != weights_from_bytes(easy)[0]


@pytest.mark.parametrize("size", [0, 5, 47, len(CONTENT) - 1])
def test_file_cut_short_is_refused(size: int) -> None:
    with pytest.raises(PatternFileError):
        weights_from_bytes(CONTENT[:size])


@given(st.integers(48, len(CONTENT) - 1), st.integers(1, 255))
def test_changed_byte_is_found(at: int, change: int) -> None:
    damaged = CONTENT[:at] + bytes([CONTENT[at] ^ change]) + CONTENT[at + 1 :]
    with pytest.raises(PatternFileError, match=r"damaged|bytes"):
        weights_from_bytes(damaged)


def test_other_files_versions_and_sizes_are_refused() -> None:
    with pytest.raises(PatternFileError, match="expected a file of Othello"):
        weights_from_bytes(b"GIF89a" + bytes(100))
    with pytest.raises(PatternFileError, match="version 1, not 7"):
        weights_from_bytes(CONTENT[:8] + struct.pack("<I", 7) + CONTENT[12:])
    with pytest.raises(PatternFileError, match=f"at most {WEIGHTS_MAX}"):
        weights_from_bytes(CONTENT[:12] + struct.pack("<I", WEIGHTS_MAX + 1) + CONTENT[16:])


@pytest.mark.slow
def test_packed_bomb_is_not_unpacked() -> None:
    bomb = CONTENT[:12] + struct.pack("<I", 10) + CONTENT[16:48] + lzma.compress(bytes(10**7))
    with pytest.raises(PatternFileError, match="21 bytes, expected 20"):
        weights_from_bytes(bomb)

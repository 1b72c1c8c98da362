import struct
import sys
from array import array

import pytest

from engine_ext.byte_order import little_endian

NUMBERS = array("h", [1, -2, 300])


def test_numbers_are_written_with_the_least_significant_byte_first() -> None:
    assert little_endian(NUMBERS).tobytes() == struct.pack("<3h", *NUMBERS)


def test_other_hosts_swap_the_bytes_of_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    before = NUMBERS.tobytes()
    monkeypatch.setattr(sys, "byteorder", "big")
    swapped = little_endian(NUMBERS)
    assert swapped.tobytes() == b"".join(before[i : i + 2][::-1] for i in range(0, 6, 2))
    assert little_endian(swapped) == NUMBERS
    assert NUMBERS.tobytes() == before

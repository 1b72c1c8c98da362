"""Random numbers, means and bytes are the same numbers on every machine."""

import struct
import sys
from array import array
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.byte_order import little_endian
from engine_ext.exact_means import mean, std_error
from engine_ext.rng import philox_block

MASK = 0xFFFFFFFF


def philox_reference(key: int, counter: int) -> tuple[int, ...]:
    """Plain Python Philox4x32-10."""
    x = [(counter >> (32 * i)) & MASK for i in range(4)]
    k0, k1 = key & MASK, key >> 32
    for _ in range(10):
        a, b = x[0] * 0xD2511F53, x[2] * 0xCD9E8D57
        x = [(b >> 32) ^ x[1] ^ k0, b & MASK, (a >> 32) ^ x[3] ^ k1, a & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return tuple(x)


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        (0, 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (2**64 - 1, 2**128 - 1, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            0x299F31D0A4093822,
            0x0370734413198A2E85A308D3243F6A88,
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_known_answers(key: int, counter: int, words: tuple[int, ...]) -> None:
    assert philox_block(key, counter) == words


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**128 - 1))
def test_kernel_equals_the_plain_python_reference(key: int, counter: int) -> None:
    assert philox_block(key, counter) == philox_reference(key, counter)


def test_key_or_counter_out_of_range_is_an_error() -> None:
    with pytest.raises(ValueError, match="key must fit 64"):
        philox_block(2**64, 0)
    with pytest.raises(ValueError, match="counter must fit 128"):
        philox_block(0, -1)


def test_mean_is_the_correctly_rounded_quotient() -> None:
    assert mean(10**30 + 1, 3) == float(Fraction(10**30 + 1, 3 << 32))


def test_error_of_equal_values_is_nought() -> None:
    assert std_error(5 * 7, 5 * 49, 5) == 0.0


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

"""The known answers were published with the generator's paper (Random123, kat_vectors)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

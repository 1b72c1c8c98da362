"""The net file: round trip, and every way it can be wrong."""

from __future__ import annotations

import struct
from array import array
from dataclasses import replace

import pytest

from engine_ext.backgammon.net_file import NetArrays, NetError, net_from_bytes, net_to_bytes


def arrays_of(width: int) -> NetArrays:
    return NetArrays(
        width=width,
        rows=array("h", [i % 99 - 49 for i in range(780 * width)]),
        accumulator_bias=array("h", range(width)),
        hidden1=array("b", [i % 255 - 127 for i in range(width // 2 * 32)]),
        hidden1_bias=array("i", range(-16, 16)),
        hidden2=array("h", range(1024)),
        hidden2_bias=array("i", range(32)),
        output=array("h", range(160)),
        output_bias=array("i", range(5)),
        table=array("i", range(1025)),
    )


@pytest.fixture(scope="module")
def content() -> bytes:
    return net_to_bytes(arrays_of(256))


def test_file_round_trips(content: bytes) -> None:
    assert net_from_bytes(content) == arrays_of(256)


@pytest.mark.parametrize("size", [0, 10, 67, 5000])
def test_file_cut_short_is_refused(content: bytes, size: int) -> None:
    with pytest.raises(NetError, match="bytes"):
        net_from_bytes(content[:size])


def test_trailing_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(NetError, match="should have"):
        net_from_bytes(content + b"x")


def test_other_file_is_refused(content: bytes) -> None:
    with pytest.raises(NetError, match="magic"):
        net_from_bytes(b"GIF89a" + content)


@pytest.mark.parametrize("place", [100, 4000, -1])
def test_flipped_bit_is_noticed(content: bytes, place: int) -> None:
    damaged = bytearray(content)
    damaged[place] ^= 16
    with pytest.raises(NetError, match="digest does not match"):
        net_from_bytes(bytes(damaged))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [(0, 1, "version 1"), (1, 300, "width 300"), (1, 1 << 20, "width"), (2, 781, "shape")],
)
def test_header_of_another_kind_is_refused(
    content: bytes, field: int, value: int, message: str
) -> None:
    changed = bytearray(content)
    struct.pack_into("<I", changed, 8 + 4 * field, value)
    with pytest.raises(NetError, match=message):
        net_from_bytes(bytes(changed))


def test_section_of_wrong_length_is_not_written() -> None:
    with pytest.raises(NetError, match="section output must hold 160"):
        net_to_bytes(replace(arrays_of(256), output=array("h", [1])))


def test_weight_that_could_saturate_is_refused() -> None:
    hidden1 = arrays_of(256).hidden1
    hidden1[3] = -128
    with pytest.raises(NetError, match="-128"):
        net_from_bytes(net_to_bytes(replace(arrays_of(256), hidden1=hidden1)))

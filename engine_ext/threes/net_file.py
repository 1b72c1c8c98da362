"""The shipped weights of Threes!: one file, a byte a weight, compressed.

Knows the file's form: a line that says what it is, then the codes of engine_ext.threes.value,
compressed with xz.  Must not know what weights mean.
"""

from __future__ import annotations

import lzma
import re
from functools import cache
from pathlib import Path

from engine_ext.threes.value import WEIGHT_COUNT, NetWeights, packed_weights, unpacked_weights

SHIPPED = Path(__file__).parent / "data" / "value.net"

_HEAD = re.compile(rb"manyply threes net 1 unit=([0-9]{1,8}\.[0-9]{1,12})\n")


class NetFileError(ValueError):
    """A file that holds no weights; the text says why in one line."""


def write_net(path: Path, weights: bytes, unit: float) -> None:
    """Write weights of 16 bits, rounded to the codes of the file; ValueError: an odd unit."""
    codes = lzma.compress(packed_weights(weights), preset=9)
    path.write_bytes(f"manyply threes net 1 unit={_digits(unit)}\n".encode("ascii") + codes)


def _digits(unit: float) -> str:
    """Return a unit without an exponent; ValueError for one that the head has no room for."""
    text = f"{unit:.12f}".rstrip("0")
    text += "0" if text.endswith(".") else ""
    if float(text) != unit:
        raise ValueError(f"a unit of at most twelve decimals is expected, not {unit!r}")
    return text


def read_net(path: Path) -> NetWeights:
    """Return the weights of a file.

    Raises:
        NetFileError: it is damaged, or something else.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NetFileError(f"cannot read {path}: {error.strerror}") from None
    head = _HEAD.match(content)
    if head is None:
        raise NetFileError(f"{path} is no net of Threes!")
    try:
        codes = lzma.decompress(content[head.end() :])
    except lzma.LZMAError as error:
        raise NetFileError(f"{path} is damaged: {error}") from None
    if len(codes) != WEIGHT_COUNT:
        raise NetFileError(f"{path} is damaged: {len(codes)} weights, expected {WEIGHT_COUNT}")
    return NetWeights(unpacked_weights(codes), float(head[1]))


@cache
def shipped_net() -> NetWeights:
    """Return the shipped weights, one for all threads of this process."""
    return read_net(SHIPPED)

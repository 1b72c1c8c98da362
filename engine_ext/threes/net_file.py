"""The shipped weights of Threes!: one file, a byte a weight, compressed.

The file has a line that names its format, then the codes of engine_ext.threes.value, compressed
with zlib.  Each player process unpacks it at the start: xz needs five times as long, to save 8 %.
"""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path

from engine_ext.threes.value import WEIGHT_COUNT, NetWeights, packed_weights, unpacked_weights

SHIPPED = Path(__file__).parent / "data" / "value.net"

_HEAD = re.compile(rb"manyply threes net 2 unit=([0-9]{1,8}\.[0-9]{1,12})\n")


class NetFileError(ValueError):
    """A file that holds no weights; the text says why in one line."""


def write_net(path: Path, weights: bytes, unit: float) -> None:
    """Write weights of 16 bits, rounded to the codes of the file; ValueError: an odd unit."""
    packer = zlib.compressobj(9, strategy=zlib.Z_RLE)  # the smallest
    codes = packer.compress(packed_weights(weights)) + packer.flush()
    path.write_bytes(f"manyply threes net 2 unit={_digits(unit)}\n".encode("ascii") + codes)


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
    unpacker = zlib.decompressobj()
    try:
        codes = unpacker.decompress(content[head.end() :], WEIGHT_COUNT + 1)
    except zlib.error as error:
        raise NetFileError(f"{path} is damaged: {error}") from None
    if unpacker.unused_data or not (unpacker.eof or unpacker.unconsumed_tail):
        raise NetFileError(f"{path} is damaged: it does not end where it should")
    if len(codes) != WEIGHT_COUNT:
        raise NetFileError(f"{path} is damaged: {len(codes)} weights, expected {WEIGHT_COUNT}")
    return NetWeights(unpacked_weights(codes), float(head[1]))


@cache
def shipped_net() -> NetWeights:
    """Return the shipped weights, one for all threads of this process."""
    return read_net(SHIPPED)

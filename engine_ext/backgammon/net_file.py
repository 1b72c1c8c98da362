"""The file of a shipped evaluation net.

See net_kernel.h for the arithmetic and net.pyx for the kernels' memory layout.  Layout of the
file, little-endian, no padding:

    magic            8 bytes  b"mplynet\\0"
    version, width, inputs, hidden1, hidden2, outputs, table entries   7 x uint32
    rows             int16 [inputs][width]        255 = 1.0
    accumulator bias int16 [width]
    hidden1 weights  int8  [width/2][32]          128 = 1.0
    hidden1 bias     int32 [32]
    hidden2 weights  int16 [32][32]              1024 = 1.0
    hidden2 bias     int32 [32]
    output weights   int16 [32][5]               1024 = 1.0
    output bias      int32 [5]
    table            int32 [1025]               65536 = 1.0
    digest           32 bytes, SHA-256 of everything before it
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from dataclasses import dataclass

from engine_ext.byte_order import little_endian

MAGIC = b"mplynet\0"
VERSION = 2
INPUTS = 780
HIDDEN = 32
OUTPUTS = 5
TABLE_ENTRIES = 1025
WIDTH_STEP = 256
WIDTH_MAX = 2048

_HEADER = struct.Struct("<8s7I")
_DIGEST_BYTES = 32


class NetError(ValueError):
    """A net file cannot be used; the text says why."""


@dataclass(frozen=True)
class NetArrays:
    """The numbers of one net, in the order and the types of the file."""

    width: int
    rows: array[int]
    accumulator_bias: array[int]
    hidden1: array[int]
    hidden1_bias: array[int]
    hidden2: array[int]
    hidden2_bias: array[int]
    output: array[int]
    output_bias: array[int]
    table: array[int]


def _sections(width: int) -> tuple[tuple[str, str, int], ...]:
    """Name, array type code and length of each section of a net `width` wide."""
    return (
        ("rows", "h", INPUTS * width),
        ("accumulator_bias", "h", width),
        ("hidden1", "b", width // 2 * HIDDEN),
        ("hidden1_bias", "i", HIDDEN),
        ("hidden2", "h", HIDDEN * HIDDEN),
        ("hidden2_bias", "i", HIDDEN),
        ("output", "h", HIDDEN * OUTPUTS),
        ("output_bias", "i", OUTPUTS),
        ("table", "i", TABLE_ENTRIES),
    )


def net_to_bytes(arrays: NetArrays) -> bytes:
    """Write a net; the digest is added."""
    header = _HEADER.pack(
        MAGIC, VERSION, arrays.width, INPUTS, HIDDEN, HIDDEN, OUTPUTS, TABLE_ENTRIES
    )
    parts = [header]
    for name, code, length in _sections(arrays.width):
        numbers: array[int] = getattr(arrays, name)
        if numbers.typecode != code or len(numbers) != length:
            raise NetError(f"section {name} must hold {length} numbers of type {code!r}")
        parts.append(little_endian(numbers).tobytes())
    body = b"".join(parts)
    return body + hashlib.sha256(body).digest()


def _read_header(content: bytes) -> int:
    """Check the header; returns the width."""
    if len(content) < _HEADER.size + _DIGEST_BYTES:
        raise NetError(f"not a net file: only {len(content)} bytes")
    magic, version, width, *shape = _HEADER.unpack_from(content)
    if magic != MAGIC:
        raise NetError("not a net file: it does not begin with the magic bytes")
    if version != VERSION:
        raise NetError(f"net file version {version} is not supported, only {VERSION}")
    if shape != [INPUTS, HIDDEN, HIDDEN, OUTPUTS, TABLE_ENTRIES]:
        raise NetError(f"net of shape {shape} is not supported")
    if width % WIDTH_STEP or not WIDTH_STEP <= width <= WIDTH_MAX:
        raise NetError(f"net width {width} is not a multiple of {WIDTH_STEP} up to {WIDTH_MAX}")
    return int(width)


def net_from_bytes(content: bytes) -> NetArrays:
    """Read a net file.

    Raises:
        NetError: it is no net file, of another version, cut short, or damaged.
    """
    width = _read_header(content)
    sections = _sections(width)
    size = _HEADER.size + sum(array(code).itemsize * length for _, code, length in sections)
    if len(content) != size + _DIGEST_BYTES:
        raise NetError(f"net file of {len(content)} bytes should have {size + _DIGEST_BYTES}")
    if hashlib.sha256(content[:size]).digest() != content[size:]:
        raise NetError("net file is damaged: its digest does not match")
    arrays: dict[str, array[int]] = {}
    start = _HEADER.size
    for name, code, length in sections:
        numbers: array[int] = array(code)
        end = start + numbers.itemsize * length
        numbers.frombytes(content[start:end])
        arrays[name] = little_endian(numbers)
        start = end
    if min(arrays["hidden1"]) < -127:
        raise NetError("a hidden1 weight is -128; kernels allow -127 to 127")
    return NetArrays(width=width, **arrays)

"""The file of the shipped pattern weights; see patterns.pyx for their meaning.

Layout:

    magic       8 bytes  b"mplyoth\\0"
    version, number of weights      2 x uint32, little-endian
    digest      32 bytes, SHA-256 of the weights, int16 little-endian
    weights     xz: all low bytes, then all high bytes, which packs far better than in turn
"""

from __future__ import annotations

import hashlib
import lzma
import struct
from array import array

from engine_ext.byte_order import little_endian

MAGIC = b"mplyoth\0"
VERSION = 1
_HEADER = struct.Struct("<8sII32s")

WEIGHTS_MAX = 1 << 24
"""Thirty-two megabytes: four times the shipped weights, a limit against decompression bombs."""

MEMORY_MAX = 1 << 28
"""Bytes of memory for unpacking: four times as many as xz needs at its highest setting."""


class PatternFileError(ValueError):
    """A weight file cannot be used; the text says why."""


def weights_to_bytes(weights: array[int], preset: int = 9 | lzma.PRESET_EXTREME) -> bytes:
    """Write a weight file; `weights` are int16 (type code h), `preset` is xz's effort."""
    plain = little_endian(weights).tobytes()
    packed = lzma.compress(plain[0::2] + plain[1::2], preset=preset)
    digest = hashlib.sha256(plain).digest()
    return _HEADER.pack(MAGIC, VERSION, len(weights), digest) + packed


def weights_from_bytes(content: bytes) -> tuple[str, array[int]]:
    """Return the digest, in hexadecimal, and the weights of a file.

    Raises:
        PatternFileError: it is no weight file, or damaged.
    """
    if len(content) < _HEADER.size or not content.startswith(MAGIC):
        raise PatternFileError("expected a file of Othello pattern weights")
    _, version, count, digest = _HEADER.unpack_from(content)
    if version != VERSION:
        raise PatternFileError(f"expected pattern weights of version {VERSION}, not {version}")
    if count > WEIGHTS_MAX:
        raise PatternFileError(f"a weight file has at most {WEIGHTS_MAX} weights, not {count}")
    planes = _unpacked(content[_HEADER.size :], 2 * count)
    plain = bytearray(2 * count)
    plain[0::2], plain[1::2] = planes[:count], planes[count:]
    if hashlib.sha256(plain).digest() != digest:
        raise PatternFileError("the pattern weights are damaged: their digest differs")
    return digest.hex(), little_endian(array("h", bytes(plain)))


def _unpacked(packed: bytes, size: int) -> bytes:
    unpacker = lzma.LZMADecompressor(memlimit=MEMORY_MAX)
    try:
        planes = unpacker.decompress(packed, max_length=size + 1)
    except lzma.LZMAError as error:
        raise PatternFileError(f"the pattern weights are damaged: {error}") from error
    if len(planes) != size:
        raise PatternFileError(f"the pattern weights are {len(planes)} bytes, expected {size}")
    if not unpacker.eof or unpacker.unused_data:
        raise PatternFileError("the pattern weights are damaged: they do not end where they should")
    return planes

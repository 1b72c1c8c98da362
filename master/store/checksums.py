"""Checksums of rows: a bit that a disk or memory flipped is found before it becomes a result.

A checksum covers every column of a row, its key included: a row read in another's place is found
too. It is no defence against deceit: a process that can write the file can write checksums.
"""

import hashlib
import struct
from typing import TypeAlias

Column: TypeAlias = int | float | str | bytes | None

CHECKSUM_BYTES = 8
"""64 bits: one damaged row in 2**64 passes."""


def checksum(*columns: Column) -> bytes:
    """Return the checksum of a row's columns, in order; equal only for equal types and bits."""
    total = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
    for column in columns:
        kind, content = _to_bytes(column)
        total.update(b"%s%d:" % (kind, len(content)))
        total.update(content)
    return total.digest()


def _to_bytes(column: Column) -> tuple[bytes, bytes]:
    """Return a column's type, one letter, and its content."""
    if column is None:
        return b"n", b""
    if isinstance(column, int):
        return b"i", b"%d" % column
    if isinstance(column, float):
        return b"f", struct.pack("<d", column)
    if isinstance(column, str):
        return b"t", to_stored_bytes(column)
    return b"b", column


def to_stored_bytes(text: str) -> bytes:
    """Return a text as the file holds it, be it UTF-8 or, damaged, something else."""
    return text.encode("utf-8", "surrogateescape")


def from_stored_bytes(content: bytes) -> str:
    """Return the text of some bytes; bytes that are no UTF-8 are kept, for the checksum to find."""
    return content.decode("utf-8", "surrogateescape")

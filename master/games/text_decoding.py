"""Texts from bytes: files of unknown encoding, and lines of bounded length from a stream."""

from __future__ import annotations

import codecs


class LineSplitter:
    """Cuts a stream into lines; of a line that is too long, only a byte more than it may have."""

    def __init__(self, line_bytes_max: int) -> None:
        self._line_bytes_max = line_bytes_max
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> list[str]:
        """Take bytes; return the lines that they end."""
        *ends, rest = chunk.split(b"\n")
        lines = []
        for end in ends:
            self._keep(end)
            lines.append(self._kept.decode("utf-8", "replace").rstrip("\r"))
            self._kept.clear()
        self._keep(rest)
        return lines

    def _keep(self, part: bytes) -> None:
        """Keep at most one byte more than the maximum: it shows that a line is too long."""
        self._kept += part[: self._line_bytes_max + 1 - len(self._kept)]


UTF8_BYTES_MAX = 4
"""Bytes of a character in UTF-8, at most."""


def is_utf16(content: bytes) -> bool:
    """Whether a text begins with the byte order mark of UTF-16."""
    return content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r")

HEAD_BYTES = 65_536
"""The part of a file that shows whether it is a text."""


def is_binary(content: bytes) -> bool:
    """Whether a content is no text."""
    return not is_utf16(content) and bool(CONTROLS.intersection(content[:HEAD_BYTES]))


def kind_words(content: bytes) -> str:
    """Return a description of a content that no reader recognises."""
    if not content.strip():
        return "an empty file"
    return "binary data" if is_binary(content) else "text of another kind"


def decode_text(content: bytes) -> str:
    """Decode a text of unknown encoding, never failing.

    UTF-16 is recognised by its byte order mark.  A text that is not valid UTF-8 is read in Windows
    code page 1252 or, if that fails too, in Latin-1, which has a character for every byte.
    """
    if is_utf16(content):
        return content.decode("utf-16", errors="replace")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")

"""Decoding texts of unknown encoding."""

from __future__ import annotations

import codecs

UTF8_BYTES_MAX = 4
"""Bytes of a character in UTF-8, at most."""


def is_utf16(content: bytes) -> bool:
    """Whether a text begins with the byte order mark of UTF-16."""
    return content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


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

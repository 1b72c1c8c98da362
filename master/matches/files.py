"""The front door for recorded matches: reads a file of any format, known by its content.

Knows how each format begins and how text is encoded.  Must not know what a format says (see mat,
sgf, id_list, foreign).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from master.matches.analysed import AnalysedMatch
from master.matches.mat import read_mat
from master.matches.record import RecordError
from master.matches.replay import canonical
from master.matches.sgf import read_sgf
from master.matches.sgf_tree import decode_sgf

FILE_BYTES_MAX = 1 << 26
"""Largest file read, 64 MiB: a long match with every move analysed in full takes under 5."""

HEAD_CHARACTERS = 65536
"""Where a text's kind shows; comments before the first game are far shorter."""

_MAT = re.compile(
    r"^[ \t]*(?:;[ \t]*\[|\d{1,9}[ \t]+points?[ \t]+match\b|Game[ \t]+\d{1,9}[ \t]*\r?$)",
    re.IGNORECASE | re.MULTILINE,
)
_SGF = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*\(\s*;")
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r")

KNOWN = "a match in .mat or .sgf"


def read_match_file(path: Path) -> AnalysedMatch:
    """Read a match, with the analysis that the file has of it.

    Its content decides which format it is, not its name.  What is read replays, and the steps of
    each play are in the engine's order.

    Raises:
        RecordError: it cannot be read; the text names the file, the line where there is one, and
            what was expected.
    """
    content = _read_bytes(path)
    if not content.strip():
        raise RecordError(f"{path.name}: expected {KNOWN}, found an empty file")
    for recognise, read in _FORMATS:
        if recognise(content):
            return _checked(read(content, path.name), path.name)
    kind = "binary data" if _is_binary(content) else "text of another kind"
    raise RecordError(f"{path.name}: expected {KNOWN}, found {kind}")


def _checked(analysed: AnalysedMatch, name: str) -> AnalysedMatch:
    """Whatever comes through this door has been played so, and is written in one way."""
    try:
        return replace(analysed, match=canonical(analysed.match))
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None


def _read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    if len(content) > FILE_BYTES_MAX:
        raise RecordError(f"{path.name}: a match file has at most {FILE_BYTES_MAX} bytes")
    return content


def _is_binary(content: bytes) -> bool:
    return not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and bool(
        _CONTROLS.intersection(content[:HEAD_CHARACTERS])
    )


def decode_text(content: bytes) -> str:
    """Decode a text of unknown encoding, never failing.

    UTF-16 has a byte order mark; what is no UTF-8 was written on Windows before it, in code page
    1252, or else in Latin-1, which has a character for every byte.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _is_mat(content: bytes) -> bool:
    if _is_binary(content):
        return False
    head = decode_text(content[: 4 * HEAD_CHARACTERS])[:HEAD_CHARACTERS]
    return _MAT.search(head) is not None


def _read_mat(content: bytes, name: str) -> AnalysedMatch:
    return AnalysedMatch(read_mat(decode_text(content), name))


def _is_sgf(content: bytes) -> bool:
    return _SGF.match(content) is not None


def _read_sgf(content: bytes, name: str) -> AnalysedMatch:
    return read_sgf(decode_sgf(content, name), name)


_FORMATS: tuple[
    tuple[Callable[[bytes], bool], Callable[[bytes, str], AnalysedMatch]],
    ...,
] = ((_is_sgf, _read_sgf), (_is_mat, _read_mat))
"""How each format is known, and how it is read; the first that fits."""

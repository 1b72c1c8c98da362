"""Reads recorded matches from a file of any format, recognised by its content.

The formats are in mat, sgf, id_list and foreign.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from master.games.backgammon.matches.foreign import is_foreign, read_foreign
from master.games.backgammon.matches.id_list import (
    ListedDecision,
    has_ids,
    is_board_text,
    is_id_list,
    read_id_list,
)
from master.games.backgammon.matches.mat_lines import MATCHES_MAX, split_matches
from master.games.backgammon.matches.mat_read import read_mat_warned
from master.games.backgammon.matches.record import AnalysedMatch, plain_name
from master.games.backgammon.matches.replay import canonical
from master.games.errors import RecordError
from master.games.text_decoding import decode_text, is_binary, kind_words
from protocol.guards.bounded_file import read_bounded

if TYPE_CHECKING:
    from master.games.backgammon.matches.sgf_tree import Tree

MatchReader: TypeAlias = Callable[[bytes, str], AnalysedMatch]

FILE_BYTES_MAX = 1 << 26
"""Largest file read, 64 MiB: a long match with every move analysed in full takes under 5."""

INFLATED_BYTES_MAX = 1 << 23
"""Largest content of a compressed file, 8 MiB: more than any match has, and bounded in memory."""

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 16 + zlib.MAX_WBITS

NAME_CHARACTERS_MAX = 1_000
"""Of a player's name: it appears in every title, heading and list."""

HEAD_CHARACTERS = 65536
"""The part of a text that shows its kind; comments before the first game are far shorter."""

_MAT = re.compile(
    r"^[ \t]*(?:;[ \t]*\[|\d{1,9}[ \t]+points?[ \t]+match\b|Game[ \t]+\d{1,9}[ \t]*\r?$)",
    re.IGNORECASE | re.MULTILINE,
)
_SGF = re.compile(rb"(?:\xef\xbb\xbf)?\s*+\(\s*+;")
"""Possessive: blanks are read once."""

_SGF_FIRST_GAME = b"[game:0]"
"""The start of each match; a file that contains it once is one match, and is not parsed here."""

KNOWN = "a match of backgammon (.mat, .sgf, .xg, ...) or a list of IDs"


def read_match_file(path: Path) -> AnalysedMatch:
    """Read a match, with the analysis in the file.

    Its content decides the format, not its name.  The match replays, and the steps of each play
    are in the engine's order.  A list of one decision is a match of one action at most.

    Raises:
        RecordError: it cannot be read, or is a list of several decisions; the text names the file,
            the line if there is one, and the expected text.
    """
    return read_match(_read_bytes(path), path.name)


def read_match(content: bytes, name: str) -> AnalysedMatch:
    """Return the match in a file's content, as read_match_file does.

    Args:
        content: of the file.
        name: of the file, for errors.

    Raises:
        RecordError: likewise; the text begins with the name.
    """
    content = _inflated(content, name)
    read = _reader_of(content)
    if read is not None:
        return _checked(read(content, name), name)
    raise RecordError(f"{name}: expected {KNOWN}, found {kind_words(content)}")


class MatchPart(NamedTuple):
    """A match in a file: its name, and the function that reads it."""

    name: str
    reader: Callable[[], AnalysedMatch]

    def read(self) -> AnalysedMatch:
        """Return the match; RecordError as `read_match`."""
        return self.reader()


def parts_of(path: Path) -> list[MatchPart]:
    """Return the matches of a file: a .mat or .sgf may have several, named `club.mat#1` and on.

    Raises:
        RecordError: it cannot be read, or has too many.
    """
    content = _read_bytes(path)
    readers = _readers_of(content, path.name)
    if len(readers) <= 1:
        return [MatchPart(path.name, partial(read_match, content, path.name))]
    if len(readers) > MATCHES_MAX:
        raise RecordError(f"{path.name}: a file has at most {MATCHES_MAX} matches")
    names = [f"{path.name}#{number}" for number in range(1, len(readers) + 1)]
    return [
        MatchPart(name, partial(reader, name)) for name, reader in zip(names, readers, strict=True)
    ]


def _readers_of(content: bytes, name: str) -> list[Callable[[str], AnalysedMatch]]:
    """Return the readers of a file's matches, if it may contain several."""
    read = _reader_of(content)
    if read is _read_mat:
        return [
            partial(_read_mat_part, text, line)
            for line, text in split_matches(decode_text(content))
        ]
    if read is _read_sgf and content.count(_SGF_FIRST_GAME) > 1:
        return [partial(_read_sgf_part, trees) for trees in _sgf_matches(content, name)]
    return []


def _read_mat_part(text: str, line: int, name: str) -> AnalysedMatch:
    return _checked(read_mat_warned(text, name, line), name)


def _read_sgf_part(trees: tuple[Tree, ...], name: str) -> AnalysedMatch:
    from master.games.backgammon.matches.sgf_read import read_trees  # noqa: PLC0415

    return _checked(read_trees(trees, name), name)


def read_decisions(path: Path, faults: list[str]) -> list[ListedDecision] | None:
    """Read a list of IDs; None if the file is of another kind.

    Args:
        path: of the file.
        faults: receives a message for each line that cannot be read.

    Raises:
        RecordError: it cannot be read, or begins as a list and is none.
    """
    content = _read_bytes(path)
    if _reader_of(content) is not _read_one_decision:
        return None
    decisions = read_id_list(decode_text(content), path.name, faults)
    if not decisions:
        raise RecordError(faults[0])
    return decisions


def holds_positions(content: bytes, name: str) -> bool:
    """Whether a file of this content is a list of IDs, or boards drawn with their IDs.

    Raises:
        RecordError: it is compressed, and damaged or too large.
    """
    return _reader_of(_inflated(content, name)) is _read_one_decision


def is_record(head: bytes) -> bool:
    """Whether a file that begins so is a match, or a list of IDs."""
    return _reader_of(head) is not None


def _reader_of(content: bytes) -> MatchReader | None:
    return next((read for recognise, read in _FORMATS if recognise(content)), None)


def _checked(analysed: AnalysedMatch, name: str) -> AnalysedMatch:
    """Return the match, replayed, in one canonical form: also names with single blanks."""
    match = analysed.match
    players = (plain_name(match.players[0]), plain_name(match.players[1]))
    if any(len(player) > NAME_CHARACTERS_MAX for player in players):
        raise RecordError(f"{name}: a player's name has at most {NAME_CHARACTERS_MAX:,} characters")
    try:
        return replace(analysed, match=replace(canonical(match), players=players))
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None


def _read_bytes(path: Path) -> bytes:
    try:
        content, _ = read_bounded(path, FILE_BYTES_MAX)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror or error}") from None
    if len(content) > FILE_BYTES_MAX:
        raise RecordError(f"{path.name}: a match file has at most {FILE_BYTES_MAX} bytes")
    return _inflated(content, path.name)


def _inflated(content: bytes, name: str) -> bytes:
    """Return the content of a file, decompressed if it is a gzip file."""
    if not content.startswith(_GZIP):
        return content
    unpacker = zlib.decompressobj(_GZIP_WINDOW)
    try:
        inflated = unpacker.decompress(content, INFLATED_BYTES_MAX + 1)
    except zlib.error as error:
        raise RecordError(f"{name}: expected a file that gzip compressed: {error}") from None
    if len(inflated) > INFLATED_BYTES_MAX:
        raise RecordError(f"{name}: a compressed match has at most {INFLATED_BYTES_MAX} bytes")
    if not unpacker.eof:
        raise RecordError(f"{name}: expected a whole file that gzip compressed, found a part")
    return inflated


def _head(content: bytes) -> str:
    """The beginning of a text; empty for binary data."""
    if is_binary(content):
        return ""
    return decode_text(content[: 4 * HEAD_CHARACTERS])[:HEAD_CHARACTERS]


def _is_sgf(content: bytes) -> bool:
    return _SGF.match(content) is not None


def _is_mat(content: bytes) -> bool:
    return _MAT.search(_head(content)) is not None


def _is_id_list(content: bytes) -> bool:
    return is_id_list(_head(content))


def _is_drawn(content: bytes) -> bool:
    return is_board_text(_head(content))


def _is_about_ids(content: bytes) -> bool:
    return has_ids(_head(content))


def _read_sgf(content: bytes, name: str) -> AnalysedMatch:
    # Loading the reader takes as long as reading a match of another format.
    from master.games.backgammon.matches.sgf_read import read_trees  # noqa: PLC0415

    found = _sgf_matches(content, name)
    _check_one(name, len(found))
    return read_trees(found[0], name)


def _sgf_matches(content: bytes, name: str) -> list[tuple[Tree, ...]]:
    from master.games.backgammon.matches.sgf_header import split_trees  # noqa: PLC0415
    from master.games.backgammon.matches.sgf_tree import decode_sgf, parse_sgf  # noqa: PLC0415

    return split_trees(parse_sgf(decode_sgf(content, name), name))


def _read_mat(content: bytes, name: str) -> AnalysedMatch:
    text = decode_text(content)
    _check_one(name, len(split_matches(text)))
    return read_mat_warned(text, name)


def _check_one(name: str, count: int) -> None:
    if count > 1:
        raise RecordError(f"{name}: expected one match, found {count}: give each a file of its own")


def _read_one_decision(content: bytes, name: str) -> AnalysedMatch:
    decisions = read_id_list(decode_text(content), name)
    if len(decisions) != 1:
        raise RecordError(f"{name}: expected one match, found a list of {len(decisions)} decisions")
    return AnalysedMatch(decisions[0].match())


_FORMATS: tuple[tuple[Callable[[bytes], bool], MatchReader], ...] = (
    (is_foreign, read_foreign),
    (_is_sgf, _read_sgf),
    (_is_drawn, _read_one_decision),
    (_is_mat, _read_mat),
    (_is_id_list, _read_one_decision),
    (_is_about_ids, _read_one_decision),
)
"""For each format a test of the content, and a reader; the first that fits is used."""

"""Splits a PGN file into games; reads no moves.

It takes lines, and holds no more than one game.

A game begins with a tag after moves, with a tag that it has already after an empty line, with a
second tag Event, or with moves after a result that ends a line.  In a comment nothing begins.  A
comment that is never closed ends with its first line: its game has a fault, and those behind are
found.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

GAME_BYTES_MAX = 1 << 20
"""A hundred times a game with clock times and values; the largest study known has a tenth."""

LINE_BYTES_MAX = GAME_BYTES_MAX
"""Read at once; longer lines are read in pieces, and belong to a game that is too long."""

COMMENT_BYTES_MAX = 1 << 17
"""A chapter of a book; more is a comment that was never closed."""

_NAME = rb"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,254}"
_BLANK = rb"(?:\s|\xc2\xa0)"
_ONE_TAG = re.compile(rb"\[(" + _NAME + rb')[ \t]*"[^"\\\r\n]*"[ \t]*\]\s*')
_TAG = re.compile(
    rb"\[" + _BLANK + rb"*(" + _NAME + rb")" + _BLANK + rb'*"'
    rb'(?:[^"\\\r\n]|\\.|"(?!' + _BLANK + rb'*\]))*"' + _BLANK + rb"*\]"
)  # fmt: skip
_TAG_BEGINS = re.compile(rb"\s*\[" + _BLANK + rb"*(" + _NAME + rb")" + _BLANK + rb'*"')
_SPECIAL = re.compile(rb"[\[{;()]")
_COMMENTS = re.compile(rb"\{[^}]*\}|;.*")
_TOKEN = re.compile(
    rb"(?P<tag>\[" + _BLANK + rb"*" + _NAME + _BLANK + rb'*")'
    rb"|(?P<closed>\{[^}]*\})|(?P<opened>\{)|(?P<rest>;.*)"
    rb"|(?P<in>\()|(?P<out>\))",
    re.DOTALL,
)  # fmt: skip
_UNSEEN = (
    rb"(?:\xc2[\xa0\xad]|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]"
    rb"|\xe3\x80\x80|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|[\xa0\xad])"
)
"""Blanks of other widths, and invisible characters, in UTF-8 or in Windows' encoding."""

_UNSEEN_BEGIN = re.compile(rb"(?:[ \t]*" + _UNSEEN + rb")+")
_UNSEEN_END = re.compile(_UNSEEN + rb"+\Z")
_TO = rb"[ \t]*(?:[-:\x96\x97]|\xe2\x80[\x90-\x95]|\xe2\x88\x92)[ \t]*"
_HALF = rb"(?:1(?:/|\xe2\x81\x84)2|\xc2?\xbd|0[.,]5)"
_RESULT = re.compile(
    rb"(?:\*|(?<![-:/0-9])(?:1" + _TO + rb"0|0" + _TO + rb"1|" + _HALF + _TO + _HALF + rb"))\s*\Z"
)
"""At the end of a text, in UTF-8 or in Windows' encoding."""

_LIKE_PGN = re.compile(
    rb"\[" + _BLANK + rb"*" + _NAME + _BLANK + rb'*"'
    rb"|(?:\A|[\s.])(?:[KQRBN]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=[QRBN])?|[O0]-[O0](?:-[O0])?)"
    rb"(?=[\s+#!?{(;*]|\Z)"
)  # fmt: skip
_RESULT_ENDS = (b"0", b"1", b"2", b"5", b"*", b"\xbd")
_RESULT_BYTES = 40
"""Of the end of a text, in which a result is searched."""


@dataclass(frozen=True, slots=True)
class GameText:
    """The text of a game in its file.

    Args:
        number: from 1.
        line: on which it begins, from 1.
        content: its bytes; empty if they were not wanted.
        fault: the reason why it cannot be read, apart from its moves; empty: none is known.
    """

    number: int
    line: int
    content: bytes
    fault: str = ""


def split_games(
    lines: Iterable[bytes], is_wanted: Callable[[int], bool] = lambda _: True
) -> Iterator[GameText]:
    """Yield the games of a file, one after the other.

    Args:
        lines: with their ends, each of at most LINE_BYTES_MAX.
        is_wanted: whether the content of a game of that number is of use.
    """
    return _Splitter(lines, is_wanted).games()


class _Splitter:
    """Reads lines once; those of an open comment are kept until it is closed.

    Further pieces of a line that is too long are kept with its game, and begin nothing.
    """

    def __init__(self, lines: Iterable[bytes], is_wanted: Callable[[int], bool]) -> None:
        self._lines = iter(lines)
        self._again: deque[bytes] = deque()
        self._is_wanted = is_wanted
        self._line = 0
        self._is_line_begun = self._is_piece = False
        self._number = 0
        self._ended: list[GameText] = []
        self._forget()

    def _forget(self) -> None:
        """Reset to the state before a game."""
        self._first = 0
        self._parts: list[bytes] = []
        self._size = 0
        self._fault = ""
        self._names: set[bytes] = set()
        self._has_moves = self._is_apart = self._is_over = False
        self._depth = 0
        self._is_kept = False

    def games(self) -> Iterator[GameText]:
        """Yield the games."""
        while (line := self._next()) is not None:
            if self._is_piece:
                self._keep(line)
            else:
                self._take(line)
            if self._ended:
                yield from self._ended
                self._ended.clear()
        self._end_game()
        yield from self._ended

    def _next(self) -> bytes | None:
        line = self._again.popleft() if self._again else next(self._lines, None)
        if line is None:
            return None
        self._is_piece = self._is_line_begun
        if not self._is_piece:
            self._line += 1
        self._is_line_begun = line[-1:] not in (b"\n", b"\r")
        return line

    def _take(self, line: bytes) -> None:
        """Take a line that begins outside of comments; most are one tag, or moves alone."""
        begins = line[:1]
        if not line:
            return
        if begins == b"[" and (found := _ONE_TAG.fullmatch(line)):
            self._tag(found[1])
            self._keep(line)
        elif line.isspace():
            self._is_apart = True
            self._keep(line)
        elif begins == b"%":
            self._keep(b"\n")  # the lines behind it keep their numbers
        elif not line.isascii() and (found := _UNSEEN_BEGIN.match(line)):
            self._take(line[found.end() :])
        elif not _SPECIAL.search(line):
            self._plain_moves(line)
        else:
            self._take_mixed(line)

    def _plain_moves(self, line: bytes) -> None:
        """Take moves without anything else."""
        if self._is_over:
            self._end_game()
        self._has_moves = True
        self._is_over = _is_ended(line) and not self._depth
        self._keep(line)

    def _take_mixed(self, line: bytes) -> None:
        """Take a line of moves with comments or variations, or of anything else."""
        bare = line if line[:1] == b"[" else _COMMENTS.sub(b" ", line)
        if b"[" in bare or b"{" in bare:
            self._take_slowly(line)
        elif bare.isspace():
            self._keep(line)
        else:
            self._moves(bare, line)

    def _take_slowly(self, line: bytes) -> None:
        """Take a line token by token: tags among moves, and a comment that goes on."""
        at = done = 0
        while found := _TOKEN.search(line, at):
            at = found.end()
            if found.lastgroup == "tag":
                self._moves(line[done : found.start()])
                tag = _TAG.match(line, found.start())
                self._tag(_named(found[0]))
                at = done = tag.end() if tag else len(line)
                self._keep(line[found.start() : at])
            elif found.lastgroup == "opened":
                self._moves(line[done : found.start()])
                self._comment(line[found.start() :])
                return
        rest = line[done:]
        self._moves(_COMMENTS.sub(b" ", rest), rest)

    def _comment(self, opened: bytes) -> None:
        """Take lines until a comment ends; if it never ends, only its first line is the comment."""
        begun, first, rest = self._line, self._is_line_begun, opened
        taken, size, has_tag = list[bytes](), 0, False
        while True:
            line = self._next()
            size += 0 if line is None else len(line)
            if line is not None:
                taken.append(line)
            has_tag = has_tag or (line is not None and bool(_TAG_BEGINS.match(line)))
            closed = -1 if line is None else line.find(b"}")
            is_lost = has_tag and line is not None and b"{" in line[: closed % (len(line) + 1)]
            if line is None or size > COMMENT_BYTES_MAX or is_lost:
                self._again.extendleft(reversed(taken))
                self._line, self._is_line_begun = begun, first
                self._keep(rest)
                self._fault = self._fault or f"line {begun}: a comment is never closed with }}"
                return
            if closed >= 0:
                break
        more = line[closed + 1 :].strip()
        for each in (rest, *taken[:-1], line[: closed + 1] + (b" " if more else b"\n")):
            self._keep(each)
        if more:
            self._take_mixed(more + b"\n")

    def _tag(self, name: bytes) -> None:
        """Record a tag, with which another game may begin; capitals in names do not matter."""
        name = name.lower()
        is_again = name in self._names and (self._is_apart or name == b"event")
        if self._has_moves or is_again:
            self._end_game()
        self._names.add(name)
        self._is_apart = False

    def _moves(self, bare: bytes, line: bytes | None = None) -> None:
        """Take moves; after a result at the end of a line they are of another game.

        Args:
            bare: the text without its comments.
            line: the text, if it is another one.
        """
        text = bare.strip()
        if text:
            if self._is_over:
                self._end_game()
            self._has_moves = True
            self._depth = max(0, self._depth + text.count(b"(") - text.count(b")"))
            self._is_over = self._depth == 0 and _is_ended(text)
        self._keep(bare if line is None else line)

    def _keep(self, content: bytes) -> None:
        """Add bytes to the game, which begins with the first that are no blanks."""
        if not self._first:
            if not content or content.isspace():
                return
            self._number += 1
            self._first = self._line
            self._is_kept = self._is_wanted(self._number)
        if not self._is_kept:
            return
        self._size += len(content)
        if self._size > GAME_BYTES_MAX:
            self._fault = self._fault or f"it has more than {GAME_BYTES_MAX:,} bytes"
            self._parts.clear()
        else:
            self._parts.append(content)

    def _end_game(self) -> None:
        if self._first and (self._names or self._has_moves or self._fault):
            content = b"".join(self._parts)
            self._ended.append(GameText(self._number, self._first, content, self._fault))
        elif self._first:
            self._number -= 1
        self._forget()


def is_like_pgn(content: bytes) -> bool:
    """Whether a text has a tag, or a word that is like a move."""
    return _LIKE_PGN.search(content) is not None


def _is_ended(text: bytes) -> bool:
    """Whether a text ends with a result."""
    end = text[-_RESULT_BYTES:].rstrip()
    if not end.isascii():
        end = _UNSEEN_END.sub(b"", end).rstrip()
    return end.endswith(_RESULT_ENDS) and _RESULT.search(end) is not None


def _named(tag: bytes) -> bytes:
    match = _TAG_BEGINS.match(tag)
    assert match is not None, "a tag begins so"
    return match[1]

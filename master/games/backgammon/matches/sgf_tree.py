"""Smart Game Format for any game: collections of trees of nodes of properties.

The grammar is that of FF[4] (https://www.red-bean.com/sgf/sgf4.html): brackets, escapes, soft line
breaks, composed values, character sets.  Only one property is interpreted: CA, the character set.

Values are kept as written between their brackets; `to_text`, `to_simple_text` and `split_composed`
read them, `from_text` and `compose` write them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from master.games.backgammon.matches.record import GAMES_MAX
from master.games.errors import RecordError

CHARACTERS_MAX = 1 << 26
"""Longest collection read: a game with every move analysed takes under 200,000 characters."""

DEPTH_MAX = 64
"""Deepest variation in variations: more than any annotated game has; keeps recursion short."""

VALUE_CHARACTERS_MAX = 1 << 16
"""Longest value, as written: comments of several pages, and analyses, are far shorter."""

NODES_MAX = 200_000
"""Most nodes of a collection: 2,000 games of 100 decisions.  A node takes 500 bytes."""

VALUES_MAX = 600_000
"""Most values of a collection: as many as a file of the longest size has that gnubg analysed."""

DEFAULT_CHARACTER_SET = "ISO-8859-1"
"""FF[4]'s, if no CA property names another."""

_BLANKS = re.compile(r"[ \t\r\n\v\f]*")
_TOKEN = re.compile(
    r"(?P<mark>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>[^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL
)
"""Possessive: a long value takes no memory for ways back."""

_LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_OTHER_BLANK = re.compile(r"[\t\v\f]")
_UNESCAPED_COLON = re.compile(r"((?:[^\\:]|\\.)*):", re.DOTALL)
_CHARACTER_SET = re.compile(rb"CA[ \t\r\n]*\[([^\]]{0,40})\]")
_HEAD_BYTES = 4096
"""CA is in the first node."""

_NO_CHARACTER_SETS = frozenset(
    ("idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined", "mbcs", "oem")
)
"""Python's codecs that are no character sets of files; some take a time that grows with the square
of the length."""


@dataclass(frozen=True)
class Node:
    """Properties in order, each with its values as written; `line` is where the node starts."""

    properties: tuple[tuple[str, tuple[str, ...]], ...]
    line: int = field(default=0, compare=False)

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values of a property, or () if the node has none of that name."""
        return next((values for found, values in self.properties if found == name), ())

    def value(self, name: str) -> str | None:
        """Return the first value of a property, or None if the node has none of that name."""
        values = self.values(name)
        return values[0] if values else None


@dataclass(frozen=True)
class Tree:
    """One node or more in sequence, then the variations that follow, the main one first."""

    nodes: tuple[Node, ...]
    variations: tuple[Tree, ...] = ()

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line."""
        tree: Tree | None = self
        while tree is not None:
            yield from tree.nodes
            tree = tree.variations[0] if tree.variations else None


def parse_sgf(text: str, name: str) -> tuple[Tree, ...]:
    """Read a collection.

    Args:
        text: all of it.
        name: of the file, for errors.

    Raises:
        RecordError: not a collection; the message names file, line and expected text.
    """
    return _Parser(text.removeprefix("\ufeff"), name).collection()


class _Parser:
    """The parser of a text, with its current place."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name
        self._start = 0  # of the current token
        self._end = 0
        self._line_number, self._counted = 1, 0  # line breaks are counted up to there
        self._node_count = 0
        self._value_count = 0
        self._token = self._next()

    def collection(self) -> tuple[Tree, ...]:
        if len(self._text) > CHARACTERS_MAX:
            raise RecordError(f"{self._name}: an SGF file has at most {CHARACTERS_MAX} characters")
        trees: list[Tree] = []
        while self._token is not None:
            if len(trees) == GAMES_MAX:
                raise self._expected(f"at most {GAMES_MAX:,} games")
            trees.append(self._tree(1))
        if not trees:
            raise self._expected("'(' and a game")
        return tuple(trees)

    def _tree(self, depth: int) -> Tree:
        self._read_mark("(", "'(' and a game")
        if depth > DEPTH_MAX:
            raise self._expected(f"variations at most {DEPTH_MAX} deep")
        nodes = [self._node()]
        while self._is_mark(";"):
            nodes.append(self._node())
        variations = []
        while self._is_mark("("):
            variations.append(self._tree(depth + 1))
        self._read_mark(")", "';', '(' or ')'")
        return Tree(tuple(nodes), tuple(variations))

    def _node(self) -> Node:
        line = self._line()
        self._read_mark(";", "';' and a node")
        self._node_count += 1
        if self._node_count > NODES_MAX:
            raise self._expected(f"at most {NODES_MAX:,} nodes")
        properties: dict[str, tuple[str, ...]] = {}
        while self._token is not None and self._token["name"] is not None:
            name = "".join(filter(str.isupper, self._token["name"]))
            if not name or name in properties:
                raise self._expected("a property's name in capitals, each once a node")
            self._token = self._next()
            properties[name] = self._values()
        return Node(tuple(properties.items()), line)

    def _values(self) -> tuple[str, ...]:
        values = []
        while self._token is not None and self._token["value"] is not None:
            values.append(self._token["value"])
            if len(values[-1]) > VALUE_CHARACTERS_MAX:
                raise self._expected(f"a value of at most {VALUE_CHARACTERS_MAX:,} characters")
            self._value_count += 1
            if self._value_count > VALUES_MAX:
                raise self._expected(f"at most {VALUES_MAX:,} values")
            self._token = self._next()
        if not values:
            raise self._expected("a value in square brackets")
        return tuple(values)

    def _next(self) -> re.Match[str] | None:
        blanks = _BLANKS.match(self._text, self._end)
        self._start = blanks.end() if blanks else self._end
        token = _TOKEN.match(self._text, self._start)
        if token is not None:
            self._end = token.end()
        elif self._start < len(self._text):
            raise self._expected("a property, a value in brackets, or one of ( ) ;")
        return token

    def _is_mark(self, mark: str) -> bool:
        return self._token is not None and self._token["mark"] == mark

    def _read_mark(self, mark: str, expected: str) -> None:
        if not self._is_mark(mark):
            raise self._expected(expected)
        self._token = self._next()

    def _line(self) -> int:
        """Return the line number of the current token; it only moves forward."""
        breaks = _LINE_BREAK.finditer(self._text, self._counted, self._start)
        self._line_number += sum(1 for _ in breaks)
        self._counted = self._start
        return self._line_number

    def _expected(self, what: str) -> RecordError:
        return RecordError(f"{self._name}:{self._line()}: expected {what}")


def write_sgf_trees(trees: Sequence[Tree]) -> str:
    """Write a collection: each node on a line of its own, each tree ending in a line break."""
    return "".join(f"{_tree_text(tree)}\n" for tree in trees)


def _tree_text(tree: Tree) -> str:
    nodes = "\n".join(_node_text(node) for node in tree.nodes)
    variations = "".join(f"\n{_tree_text(variation)}" for variation in tree.variations)
    return f"({nodes}{variations})"


def _node_text(node: Node) -> str:
    return ";" + "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in node.properties
    )


def to_text(value: str) -> str:
    """Read a value of type Text: line breaks are kept as LF, other white space becomes blanks."""
    value = _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
    return _OTHER_BLANK.sub(" ", _LINE_BREAK.sub("\n", value))


def to_simple_text(value: str) -> str:
    """Read a value of type SimpleText: line breaks become blanks as well."""
    return to_text(value).replace("\n", " ")


def from_text(text: str) -> str:
    """Write a value of type Text or SimpleText."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def compose(*parts: str) -> str:
    """Write a composed value: parts between colons."""
    return ":".join(from_text(part).replace(":", "\\:") for part in parts)


def split_composed(value: str) -> tuple[str, ...]:
    """Split a composed value at its colons; without one it is a single part."""
    parts, position = [], 0
    while (match := _UNESCAPED_COLON.match(value, position)) is not None:
        parts.append(to_simple_text(match[1]))
        position = match.end()
    return (*parts, to_simple_text(value[position:]))


def decode_sgf(content: bytes, name: str) -> str:
    """Decode a file in the character set that its first CA property names.

    A byte order mark means UTF-8.

    Raises:
        RecordError: a character set that does not exist, or bytes that are none of it.
    """
    if content.startswith(codecs.BOM_UTF8):
        return _decode(content[len(codecs.BOM_UTF8) :], "UTF-8", name)
    found = _CHARACTER_SET.search(content[:_HEAD_BYTES])
    character_set = found[1].decode("ascii", "replace").strip() if found else ""
    return _decode(content, character_set or DEFAULT_CHARACTER_SET, name)


def _decode(content: bytes, character_set: str, name: str) -> str:
    try:
        if codecs.lookup(character_set).name.replace("_", "-") in _NO_CHARACTER_SETS:
            raise LookupError(character_set)
        return content.decode(character_set)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise RecordError(
            f"{name}:{line}: expected text in {character_set}, as CA says, "
            f"not the byte {content[error.start]:#04x}"
        ) from None
    except (LookupError, ValueError):
        raise RecordError(f"{name}: there is no character set {character_set!r}") from None

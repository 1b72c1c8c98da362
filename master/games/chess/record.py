"""Games of chess as texts: PGN, the format that chess programs share.

Knows tags and moves; what a text has besides them, comments and variations, is passed over.  Must
not know files.  After the PGN standard of 1994 (sections 8.1 to 8.2, and 9.7 for other starts).
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from engine_ext.chess.fen import START, is_chess960, read_fen, write_fen
from master.games.chess.game import ChessGame, game_from
from master.games.chess.san import numbered

GAME_CHARACTERS_MAX = 200_000
"""The longest tournament games have some thousands; annotated ones ten times as many."""

LINE_COLUMNS = 79

_FIRST = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""Of the seven tags those that stand before the players, and what is written for want of them."""

_OURS = {"White", "Black", "Result", "SetUp", "FEN", "Variant"}
_TAG = re.compile(r'\[\s*([A-Za-z0-9_+#=:-]+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_WORD = re.compile(
    r"(?P<comment>\{[^}]*\}|;[^\n]*|^%[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<glyph>\$[0-9]+)"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)|(?P<number>[0-9]+\.+|\.+|[0-9]+(?=\s|$))"
    r"|(?P<move>[^\s{}();$\[\].*]+)|(?P<other>\S)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class ChessRecord:
    """A game and who plays it.

    Args:
        game: as far as it went.
        white: the name of the player; empty if it is not known.
        black: likewise.
        tags: the other tags, kept as they are; what the game itself says is not among them.
    """

    game: ChessGame
    white: str = ""
    black: str = ""
    tags: tuple[tuple[str, str], ...] = ()


def write_pgn(record: ChessRecord) -> str:
    """Write a game in PGN, with the seven tags and what other start it has."""
    game = record.game
    tags = _FIRST | dict(record.tags)
    first = {name: tags.pop(name) for name in _FIRST}
    players = {"White": record.white or "?", "Black": record.black or "?", "Result": game.result}
    all_tags = first | players | tags | _start_tags(game)
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in all_tags.items()]
    start = game.start
    moves = numbered(game.sans, start.move_number, is_black=start.is_black)
    text = f"{moves} {game.result}".strip()
    return "\n".join([*lines, "", *textwrap.wrap(text, LINE_COLUMNS, break_on_hyphens=False), ""])


def _start_tags(game: ChessGame) -> dict[str, str]:
    fen = write_fen(game.start, is_chess960(game.start))
    if fen == START:
        return {}
    variant = {"Variant": "Chess960"} if is_chess960(game.start) else {}
    return {"SetUp": "1", "FEN": fen} | variant


def _escaped(text: str) -> str:
    bare = "".join(each if each.isprintable() else "?" for each in text)
    return bare.replace("\\", "\\\\").replace('"', '\\"')


def read_pgn(text: str) -> tuple[ChessRecord, bool]:
    """Return the game of a text, and whether it was all that the text held.

    Comments, variations and results that the moves do not tell are what a record has no place for.

    Raises:
        ValueError: it is no game, or several; the text says what was expected.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    tags: dict[str, str] = {}
    at = _blank(text, 0)
    while found := _TAG.match(text, at):
        tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        at = _blank(text, found.end())
    words, result, is_whole = _words(text[at:])
    if not tags and not words:
        raise ValueError('expected a game in PGN: tags such as [White "Ann"], then moves')
    game = game_from(read_fen(tags.get("FEN", START)), words)
    others = tuple((name, value) for name, value in tags.items() if name not in _OURS)
    white, black = (_known(tags.get(name, "")) for name in ("White", "Black"))
    told = {result, tags.get("Result", game.result)} - {""}
    return ChessRecord(game, white, black, others), is_whole and told <= {game.result}


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _known(name: str) -> str:
    return "" if name == "?" else name


def _words(text: str) -> tuple[list[str], str, bool]:
    """Return the moves of a text, its result, and whether it held nothing else."""
    words, result, depth, is_whole = list[str](), "", 0, True
    for found in _WORD.finditer(text):
        kind = found.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind in ("comment", "open", "close", "glyph"):
            is_whole = False
        elif kind == "number" or depth > 0:
            continue
        elif kind == "other" or result or depth < 0:
            raise ValueError(f"expected a move or the end of the game, not {found[0][:20]!r}")
        elif kind == "result":
            result = found[0]
        else:
            words.append(found[0])
    if depth:
        raise ValueError("a variation ends with ), one was expected")
    return words, result, is_whole

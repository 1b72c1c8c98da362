"""Recorded games of chess, and their text in PGN, the format that chess programs share.

pgn/reading.py reads such texts.  Source: the PGN standard of 1994 (sections 8.1 to 8.2, and 9.7 for
other starts).
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from engine_ext.chess.fen import START, is_chess960, write_fen
from master.games.chess.game import ChessGame
from master.games.chess.san import numbered

GAME_CHARACTERS_MAX = 200_000
"""The longest tournament games have some thousands; annotated ones ten times as many."""

LINE_COLUMNS = 79

_FIRST = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""The tags before the players among the seven standard ones, and their texts if unknown."""


@dataclass(frozen=True, slots=True)
class ChessRecord:
    """A game and its players.

    Args:
        game: up to its last recorded move.
        white: the name of the player; empty if it is unknown.
        black: likewise.
        tags: the other tags, unchanged, without those that follow from the game.
        recorded: the recorded result; empty: the result on the board.
        notes: glyphs, comments and variations before the first move, behind it, and so on, in PGN;
            empty: there are none.
    """

    game: ChessGame
    white: str = ""
    black: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    recorded: str = ""
    notes: tuple[tuple[str, ...], ...] = ()

    @property
    def result(self) -> str:
        """The result in PGN's form: the recorded one, else the board's."""
        return self.recorded or self.game.result


def write_pgn(record: ChessRecord) -> str:
    """Write a game in PGN, with the seven tags and its start if that is not the usual one."""
    game = record.game
    tags = _FIRST | dict(record.tags)
    first = {name: tags.pop(name) for name in _FIRST}
    players = {"White": record.white or "?", "Black": record.black or "?", "Result": record.result}
    all_tags = first | players | tags | _start_tags(game)
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in all_tags.items()]
    start = game.start
    moves = numbered(game.sans, start.move_number, is_black=start.is_black)
    text = f"{moves} {record.result}".strip()
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

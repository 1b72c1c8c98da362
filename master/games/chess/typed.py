"""Reads chess positions from people and from programs: FEN, also incomplete or slightly wrong."""

from __future__ import annotations

import re

from engine_ext.chess.board import CLOCK_MAX, ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.errors import OtherTextError

POSITION_PREFIX = "chess:"
"""Before a FEN where a position of any game is expected."""

NO_COUNTS = ("0", "1")
"""Half-move clock and move number, where an EPD leaves them out."""

UCI_START_WORDS = ("startpos", "position startpos")
"""UCI's words for the position before the first move."""

START_WORDS = ("start", *UCI_START_WORDS)
"""All words for it."""

_RANK = "[PNBRQKpnbrqk1-8]{1,8}"
_FEN = re.compile(
    rf"(?<![\w/])((?:{_RANK}/){{7}}{_RANK} [wb] (?:-|[A-HKQa-hkq]{{1,4}}) (?:-|[a-h][1-8]))"
    r"(?: ([0-9]{1,5} [0-9]{1,5}))?(?![\w/]| [0-9])"
)

LEFT_OUT = ("-", "-", *NO_COUNTS)
"""The words that replace all missing ones behind the pieces and the side to move."""


def read_typed_fen(text: str) -> ChessBoard:
    """Return the position of a FEN, an EPD's first four words, or `startpos`; else ValueError."""
    words = text.split()
    if " ".join(words).lower() in START_WORDS:
        return read_fen(START)
    whole = " ".join((*words, *NO_COUNTS) if len(words) == 4 else words)
    return read_fen(whole if _FEN.fullmatch(whole) else _fen_within(text) or whole)


def _fen_within(text: str) -> str | None:
    """Return the only FEN within a text such as a tag of PGN; None: there is none."""
    found = {" ".join((match[1], match[2] or "0 1")) for match in _FEN.finditer(text)}
    if len(found) > 1:
        first, second = sorted(found)[:2]
        raise ValueError(f"the text has different FENs, {first} and {second}: expected one")
    return next(iter(found), None)


def read_shown(text: str) -> ChessBoard:
    """Return the position of the FEN in a text, or of the text after `chess:`; else ValueError.

    `startpos` alone is UCI's word; `start` may mean another game's.
    """
    if " ".join(text.split()).lower() in UCI_START_WORDS:
        return read_fen(START)
    if not text.startswith(POSITION_PREFIX):
        if (fen := _fen_within(text)) is not None:
            return read_fen(fen)
        raise OtherTextError(f"expected {POSITION_PREFIX} and a FEN, in quotes")
    return read_typed_fen(text.removeprefix(POSITION_PREFIX) or START)


def read_loose_fen(text: str) -> tuple[ChessBoard, tuple[str, ...]]:
    """Return the position of a FEN as Stockfish reads it, and a line for each part left out.

    Words behind the side to move may be missing.  Left out are castling rights without king and
    rook on their squares, an en passant square behind no pawn, and invalid counts.

    Raises:
        ValueError: men and side to move are no legal position; the text names the expected form.
    """
    words = text.split()[:6]
    men, side, castling, square, clock, number = (*words, *LEFT_OUT[len(words) - 2 :])[:6] if (
        len(words) >= 2
    ) else (text, "", *LEFT_OUT)  # fmt: skip
    read_fen(" ".join((men, side, *LEFT_OUT)))
    left_out = []
    fitting = "".join(
        letter for letter in dict.fromkeys(castling) if _is_position(men, side, letter, "-")
    )
    if fitting not in ("", "-") and not _is_position(men, side, fitting, "-"):
        fitting = ""
    if lost := "".join(letter for letter in castling if letter not in f"{fitting}-"):
        left_out.append(f"castling {lost[:20]!r}: a king or a rook is not at home")
    if not _is_position(men, side, "-", square):
        left_out.append(f"en passant {square[:20]!r}: no pawn has just passed there")
        square = "-"
    counts = []
    for name, word, least in (("clock", clock, 0), ("move number", number, 1)):
        is_count = re.fullmatch("[0-9]{1,5}", word) and least <= int(word) <= CLOCK_MAX
        if not is_count and (name, word) != ("move number", "0"):
            left_out.append(f"{name} {word[:20]!r}: it is no number of moves")
        counts.append(str(int(word)) if is_count else str(least))
    return read_fen(" ".join((men, side, fitting or "-", square, *counts))), tuple(left_out)


def _is_position(men: str, side: str, castling: str, square: str) -> bool:
    try:
        read_fen(" ".join((men, side, castling, square, *NO_COUNTS)))
    except ValueError:
        return False
    return True

"""Positions as FEN, the text that chess programs share; castling also as Chess960 writes it.

Users' input is read by a library that names every mistake.  This module reads the strict form:
masters and analysers exchange it, and tests use it.
"""

from __future__ import annotations

import re

from engine_ext.chess.board import ChessBoard, square_name

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

FEN_CHARACTERS_MAX = 128
"""The longest has about ninety."""

_SHAPE = "pieces, side to move, castling, en passant, and optionally two counters"
_RANK = re.compile("[PNBRQKpnbrqk1-8]+")
_NUMBER = re.compile("0|[1-9][0-9]{0,4}")
_FILES = "abcdefgh"


def read_fen(text: str) -> ChessBoard:
    """Return a position.

    Raises:
        ValueError: it is no FEN, or no position of a game; one line that names the expected form.
    """
    words = text.split(" ")
    if len(text) > FEN_CHARACTERS_MAX or len(words) != 6:
        raise ValueError(f"a FEN is: {_SHAPE}")
    men, side, castling, en_passant, clock, number = words
    if side not in ("w", "b"):
        raise ValueError(f"the side to move is w or b, not {side!r}")
    for count in (clock, number):
        if not _NUMBER.fullmatch(count):
            raise ValueError(f"{count!r} is no number of moves")
    signs = _signs(men)
    rooks = _castling_rooks(castling, signs)
    square = _en_passant(en_passant)
    return ChessBoard(signs, side == "b", rooks, square, int(clock), int(number))


def write_fen(board: ChessBoard, is_chess960: bool = False) -> str:
    """Return the FEN of a position.

    Args:
        board: the position.
        is_chess960: whether castling names files, such as HAha, rather than sides.
    """
    ranks = (board.signs[start : start + 8] for start in range(56, -1, -8))
    men = "/".join(re.sub("-+", lambda run: str(len(run[0])), rank) for rank in ranks)
    square = "-" if board.en_passant is None else square_name(board.en_passant)
    castling = _write_castling(board, is_chess960)
    side = "b" if board.is_black else "w"
    return f"{men} {side} {castling} {square} {board.clock} {board.move_number}"


def is_chess960(board: ChessBoard) -> bool:
    """Return whether castling needs the words of Chess960: a king or a rook began elsewhere."""
    homes = {"K": (4, 0x81), "k": (60, 0x81 << 56)}
    for king, (square, corners) in homes.items():
        rights = board.castling & (0xFF << square // 8 * 8)
        if rights & ~corners or (rights and board.signs[square] != king):
            return True
    return False


def _signs(men: str) -> str:
    ranks = men.split("/")
    if len(ranks) != 8:
        raise ValueError(f"a FEN has eight ranks, not {len(ranks)}")
    found = []
    for number, rank in zip(range(8, 0, -1), ranks, strict=True):
        signs = re.sub("[1-8]", lambda digit: "-" * int(digit[0]), rank)
        if not _RANK.fullmatch(rank) or len(signs) != 8:
            raise ValueError(f"rank {number}, {rank!r}, is not eight squares of PNBRQKpnbrqk1-8")
        found.append(signs)
    return "".join(reversed(found))


def _castling_rooks(castling: str, signs: str) -> int:
    if castling == "-":
        return 0
    if not castling or len(castling) > 4 or len(set(castling)) != len(castling):
        raise ValueError(f"castling is -, letters of KQkq, or files, not {castling!r}")
    rooks = 0
    for letter in castling:
        rooks |= 1 << _castling_rook(letter, signs)
    return rooks


def _castling_rook(letter: str, signs: str) -> int:
    """Return the square of the rook that a letter means: the outermost, or of a file."""
    first = 0 if letter.isupper() else 56
    rook, king = ("R", "K") if letter.isupper() else ("r", "k")
    home = signs[first : first + 8]
    sides = {"k": home.rfind(rook), "q": home.find(rook)}
    file = sides.get(letter.lower(), _FILES.find(letter.lower()))
    at = home.find(king)
    is_there = file >= 0 and at >= 0 and home[file] == rook
    is_right = {"k": file > at, "q": file < at}.get(letter.lower(), True)
    if not is_there or not is_right:
        raise ValueError(f"castling {letter!r}: no such rook beside its king on their first rank")
    return first + file


def _en_passant(text: str) -> int | None:
    if text == "-":
        return None
    if not re.fullmatch("[a-h][36]", text):
        raise ValueError(f"en passant is - or a square of rank 3 or 6, not {text!r}")
    return _FILES.index(text[0]) + 8 * (int(text[1]) - 1)


def _write_castling(board: ChessBoard, is_chess960: bool) -> str:
    signs, letters = board.signs, []
    for first, king in ((0, "K"), (56, "k")):
        home = signs[first : first + 8]
        rook = "R" if king == "K" else "r"
        for file in reversed(range(8)):
            if board.castling >> first + file & 1:
                letters.append(_letter(home, rook, file, home.find(king), is_chess960))
    return "".join(letters) or "-"


def _letter(home: str, rook: str, file: int, king: int, is_chess960: bool) -> str:
    """Return the letter of a rook: its side's if it is the outermost, else its file's."""
    outermost = home.rfind(rook) if file > king else home.find(rook)
    letter = ("k" if file > king else "q") if file == outermost else _FILES[file]
    letter = _FILES[file] if is_chess960 else letter
    return letter.upper() if rook == "R" else letter

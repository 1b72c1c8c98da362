"""Converts moves between SAN (such as Nf3) and UCI's notation.

Castling is read in both of UCI's forms, to the king's target square (e1g1) or to its rook's square
(e1h1).  A text that also fits a king's step means the step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from engine_ext.chess.board import ChessBoard

MOVE_CHARACTERS_MAX = 12
"""Of a move as typed, `Qa1xb2=Q+!?` and a blank; more is no move."""

NULL_MOVE = "0000"
"""In UCI's notation; records of lessons contain it, but no real game does."""

NAMES = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}

_FILES = "abcdefgh"
_FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP")
_UCI = re.compile("([a-h][1-8])[x:-]?([a-h][1-8])[=/]?([qrbn]?)", re.IGNORECASE)
_CASTLING = {"O-O": True, "O-O-O": False}
_REST = (
    "(?P<file>[a-h])?(?P<rank>[1-8])?[x:-]?(?P<to>[a-h][1-8])(?:[=/]?(?P<promotion>[QRBNqrbn]))?"
)
_READINGS = (re.compile(f"(?P<man>){_REST}"), re.compile(f"(?P<man>[PNBRQKpnbrqk]){_REST}"))
"""A pawn first: bc4 is a bishop's move only if no pawn can take there."""

_MARKS = re.compile(r"(?:e\.?p\.?)?[+#!?]*$")


# Writing.


def write_san(board: ChessBoard, name: str) -> str:
    """Convert a legal move from UCI's notation to SAN.

    Raises:
        ValueError: it is not legal here.
    """
    if name == NULL_MOVE:
        return "--"
    name = _by_rook(board, name)
    return _written(board, name) + _sign_after(board.play(name))


def by_king(board: ChessBoard, name: str) -> str:
    """Return a legal move with castling by the king's squares, as on a board."""
    if not _is_castling(board.signs, name):
        return name
    return f"{name[:2]}{'g' if name[2] > name[0] else 'c'}{name[1]}"


def line_san(board: ChessBoard, names: Iterable[str]) -> list[str]:
    """Return the SAN of moves that follow each other from a board on."""
    written = []
    for name in names:
        written.append(write_san(board, name))
        board = after(board, name)
    return written


def after(board: ChessBoard, name: str) -> ChessBoard:
    """Return the board after a move in UCI's notation, NULL_MOVE included.

    Raises:
        ValueError: it is not legal here; a null move is illegal in check or without a legal move.
    """
    if name == NULL_MOVE and not board.move_count:
        raise ValueError("a side without a legal move cannot pass")
    return board.passed() if name == NULL_MOVE else board.play(name)


def numbered(moves: Iterable[str], move_number: int, *, is_black: bool) -> str:
    """Return written moves with their numbers: `3. Nf3 Nc6 4. Bb5`, `3... Nc6 4. Bb5`.

    Args:
        moves: as written.
        move_number: of the first one.
        is_black: whether black makes that.
    """
    words: list[str] = []
    for index, move in enumerate(moves, is_black):
        if index % 2 == 0:
            words.append(f"{move_number + index // 2}.")
        elif not words:
            words.append(f"{move_number}...")
        words.append(move)
    return " ".join(words)


def _written(board: ChessBoard, name: str) -> str:
    """Write a move, with castling by the rook's square, without the sign of check or mate."""
    start, to = _square(name[:2]), _square(name[2:4])
    signs = board.signs
    man = signs[start].upper()
    if _is_castling(signs, name):
        return "O-O" if to > start else "O-O-O"
    is_capture = signs[to] != "-" or (man == "P" and name[0] != name[2])
    taking = "x" if is_capture else ""
    if man == "P":
        promotion = f"={name[4].upper()}" if name[4:] else ""
        return f"{name[0] if is_capture else ''}{taking}{name[2:4]}{promotion}"
    return f"{man}{_origin(board, name)}{taking}{name[2:4]}"


def _origin(board: ChessBoard, name: str) -> str:
    """Return the text that tells a man from others of its kind that could go there: a file, ..."""
    signs = board.signs
    man = signs[_square(name[:2])]
    others = [
        move[:2]
        for move in board.moves(is_chess960=True)
        if move[2:4] == name[2:4] and signs[_square(move[:2])] == man and move[:2] != name[:2]
    ]
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    return name[1] if all(other[1] != name[1] for other in others) else name[:2]


def _sign_after(board: ChessBoard) -> str:
    if not board.is_check:
        return ""
    return "+" if board.move_count else "#"


def _by_rook(board: ChessBoard, name: str) -> str:
    """Return a legal move with castling by the rook's square; ValueError if it is none."""
    legal = board.moves(is_chess960=True)
    if name in legal:
        return name
    if name in board.moves():
        for move in legal:
            is_there = move[:2] == name[:2] and (move[2] > move[0]) == (name[2] == "g")
            if is_there and _is_castling(board.signs, move):
                return move
    raise ValueError(f"{name!r} is no legal move here")


def _is_castling(signs: str, name: str) -> bool:
    man, target = signs[_square(name[:2])], signs[_square(name[2:4])]
    return (man, target) in (("K", "R"), ("k", "r"))


def _square(name: str) -> int:
    return _FILES.index(name[0]) + 8 * (int(name[1]) - 1)


# Reading.


def read_move(board: ChessBoard, text: str) -> str:
    """Return the move of a text in UCI's notation, castling by the rook's square.

    Accepted are SAN, with or without `x`, `=`, `+`, `#`, and with more of the origin than needed;
    figurines; UCI's notation; `0-0` for `O-O`; a man's small letter if no pawn fits.

    Raises:
        ValueError: it means no legal move, or several; one line that lists the legal ones.
    """
    typed = text.strip()
    if len(typed) > MOVE_CHARACTERS_MAX:
        raise ValueError(f"{typed[:MOVE_CHARACTERS_MAX]!r}... is no move such as {_such(board)}")
    bare = _MARKS.sub("", typed.translate(_FIGURINES))
    if side := _castling_side(bare):
        return _castled(board, side)
    if found := _UCI.fullmatch(bare):
        if bare[0] == "B":  # a bishop and its rank, B5g3, if there is such a move
            with suppress(ValueError):
                return _described(board, bare, typed)
        return _between(board, "".join(found.groups()).lower(), found[3])
    return _described(board, bare, typed)


def _castling_side(bare: str) -> str:
    written = bare.upper().replace("0", "O")
    return written if written in _CASTLING else ""


def _castled(board: ChessBoard, side: str) -> str:
    signs = board.signs
    for move in board.moves(is_chess960=True):
        if _is_castling(signs, move) and (move[2] > move[0]) == _CASTLING[side]:
            return move
    raise ValueError(f"{side} is not legal here; {_legal_of(board, 'K')}")


def _between(board: ChessBoard, name: str, promotion: str) -> str:
    """Return the move of a start and a target."""
    sign = board.signs[_square(name[:2])]
    try:
        return _by_rook(board, name)
    except ValueError:
        if sign == "-":
            raise ValueError(f"{name[:2]} is empty; {_legal(board)}") from None
        if sign.islower() != board.is_black:
            raise ValueError(f"{name[:2]} has none of your men; {_legal(board)}") from None
    if not promotion and name + "q" in board.moves():
        raise ValueError(f"{name} promotes: expected {', '.join(name + man for man in 'qrbn')}")
    raise ValueError(f"{name} is not legal here; {_legal_of(board, sign.upper(), name[:2])}")


def _described(board: ChessBoard, bare: str, typed: str) -> str:
    """Return the move that a man, maybe its origin, and a target describe."""
    readings = [found for pattern in _READINGS if (found := pattern.fullmatch(bare))]
    if not readings:
        raise ValueError(f"{typed!r} is no move such as {_such(board)}")
    for reading in readings:
        fitting = list(_fitting(board, reading))
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            names = [write_san(board, move) for move in fitting]
            if len({move[:4] for move in fitting}) == 1:
                raise ValueError(f"{typed} promotes: expected {_or(names)}")
            raise ValueError(f"{typed} may be {_or(names)}")
    man = (readings[-1]["man"] or "P").upper()
    raise ValueError(f"{typed} is not legal here; {_legal_of(board, man)}")


def _fitting(board: ChessBoard, reading: re.Match[str]) -> Iterator[str]:
    """Yield the legal moves that a reading describes, castling left out."""
    man, to, signs = (reading["man"] or "P").upper(), reading["to"], board.signs
    for move in board.moves(is_chess960=True):
        if (
            move[2:4] == to
            and signs[_square(move[:2])].upper() == man
            and move[0] == (reading["file"] or move[0])
            and move[1] == (reading["rank"] or move[1])
            and move[4:] == (reading["promotion"] or move[4:]).lower()
            and not _is_castling(signs, move)
        ):
            yield move


def _such(board: ChessBoard) -> str:
    """Return a legal move in both forms, as an example for people."""
    legal = board.moves()
    return f"{write_san(board, legal[0])} or {legal[0]}" if legal else "Nf3"


def _legal(board: ChessBoard) -> str:
    return _listed(board, board.moves(is_chess960=True), "you may play")


def _legal_of(board: ChessBoard, man: str, origin: str = "") -> str:
    """Return the legal moves of a kind of man as text, or that none of them can move."""
    signs = board.signs
    moves = [
        move
        for move in board.moves(is_chess960=True)
        if signs[_square(move[:2])].upper() == man and move.startswith(origin)
    ]
    where = f" on {origin}" if origin else ""
    if not moves:
        return f"no {NAMES[man]}{where} can move"
    return _listed(board, moves, f"a {NAMES[man]}{where} may play")


def _listed(board: ChessBoard, moves: Iterable[str], saying: str) -> str:
    return f"{saying} {' '.join(sorted(write_san(board, move) for move in moves))}"


def _or(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"

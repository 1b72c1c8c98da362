"""WTHOR files: the French Othello federation's games, players and tournaments.

The legality of moves is not checked.  The format is the Fédération Française d'Othello's, as other
programs read it; their files from 1977 on are written back byte for byte.  All numbers are
little-endian.

* Every file begins with 16 bytes: century, year, month and day it was made; N1, four bytes: games;
  N2, two bytes: players or tournaments; the year of the games, two bytes; the board's size (0 is
  8), the type (1: solitaires), the depth of the theoretical score (0 is 22), a byte of nothing.
* `.wtb`: games of 68 bytes: numbers of the tournament, of black and of white, two bytes each;
  black's discs at the end, and with best play from the depth on, a byte each; 60 moves, a byte
  each: ten times the row plus the column, from 11 for a1 to 88 for h8; 0 where there is none.
  Passes are not written.
* `.jou`: names of players, 20 bytes each; `.trn`: names of tournaments, 26 bytes each; both end
  with a zero byte, and are in Latin 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

GAMES_MAX = 100_000
"""Of one file; the largest year has some five thousand."""

YEAR_MAX = 9999

MOVES = 60
GAME_BYTES = 68
PLAYER_BYTES = 20
TOURNAMENT_BYTES = 26

_HEADER = struct.Struct("<4BIHHBBBx")
_GAME = struct.Struct(f"<HHHBB{MOVES}s")
_SIZES = (0, 8)

FILE_BYTES_MAX = _HEADER.size + GAMES_MAX * GAME_BYTES


@dataclass(frozen=True, slots=True)
class WthorGame:
    """A game.

    Args:
        tournament: its number, an index into the names of a `.trn` file.
        black, white: numbers of the players, indices into the names of a `.jou` file.
        score: black's discs at the end, empty squares counted for the winner.
        theoretical: the same with best play from the file's depth on.
        moves: such as "f5"; passes are left out.
    """

    tournament: int
    black: int
    white: int
    score: int
    theoretical: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WthorGames:
    """A `.wtb` file.

    Args:
        year: in which the games were played.
        depth: empty squares from which on theoretical scores are played; 0 is unknown.
        games: in the file's order.
    """

    year: int
    depth: int
    games: tuple[WthorGame, ...]


def read_wthor(content: bytes) -> WthorGames:
    """Read a `.wtb` file.

    Raises:
        ValueError: it is none, or is malformed; the text names the place and the expected content.
    """
    year, depth = _file(content)
    games: list[WthorGame] = []
    for number, found in enumerate(wthor_games(content), start=1):
        if isinstance(found, ValueError):
            raise ValueError(f"game {number}: {found}")
        games.append(found)
    return WthorGames(year, depth, tuple(games))


def wthor_year(content: bytes) -> int:
    """Return the year of a `.wtb` file's games; ValueError: it is none, as a whole."""
    return _file(content)[0]


def wthor_games(content: bytes) -> Iterator[WthorGame | ValueError]:
    """Yield the games of a `.wtb` file, and an error for each malformed one.

    Raises:
        ValueError: it is none, as a whole.
    """
    _file(content)
    for fields in _GAME.iter_unpack(content[_HEADER.size :]):
        try:
            yield _read_game(fields)
        except ValueError as error:
            yield error


def _file(content: bytes) -> tuple[int, int]:
    """Check a file as a whole; return the year of its games, and the theoretical depth."""
    *_, count, name_count, year, size, kind, depth = _header(content)
    if name_count and not count:
        raise ValueError("names of players or tournaments: expected games, a .wtb file")
    if kind != 0:
        raise ValueError(f"a file of type {kind}: expected games, type 0, of a .wtb file")
    if size not in _SIZES:
        raise ValueError(f"games on a board of size {size}: expected 8")
    if year > YEAR_MAX:
        raise ValueError(f"games of the year {year}: expected {YEAR_MAX} at most")
    if count > GAMES_MAX:
        raise ValueError(f"{count:,} games: expected {GAMES_MAX:,} at most")
    _check_length(content, count, GAME_BYTES, "games")
    return year, depth


def read_names(content: bytes, name_bytes: int) -> tuple[str, ...]:
    """Read the names of a `.jou` file, PLAYER_BYTES each, or of a `.trn` file, TOURNAMENT_BYTES.

    Raises:
        ValueError: it is none; the text names the expected content.
    """
    count = _header(content)[5]
    _check_length(content, count, name_bytes, "names")
    places = range(_HEADER.size, len(content), name_bytes)
    return tuple(_name(content[place : place + name_bytes]) for place in places)


def write_wthor(file: WthorGames) -> bytes:
    """Write a `.wtb` file, which was made on the first day of the year of its games."""
    century, year = divmod(file.year, 100)
    header = _HEADER.pack(century, year, 1, 1, len(file.games), 0, file.year, 8, 0, file.depth)
    return header + b"".join(map(_write_game, file.games))


def write_names(names: Sequence[str], name_bytes: int) -> bytes:
    """Write the names of a `.jou` or `.trn` file, cut to size; signs outside Latin 1 become `?`."""
    header = _HEADER.pack(20, 0, 1, 1, 0, len(names), 0, 0, 0, 0)
    texts = (name.encode("latin-1", "replace")[: name_bytes - 1] for name in names)
    return header + b"".join(text.ljust(name_bytes, b"\0") for text in texts)


def _header(content: bytes) -> tuple[int, ...]:
    if len(content) < _HEADER.size:
        raise ValueError(f"{len(content)} bytes: expected the {_HEADER.size} of a WTHOR header")
    return _HEADER.unpack_from(content)


def _check_length(content: bytes, count: int, each: int, what: str) -> None:
    wanted = _HEADER.size + count * each
    if len(content) != wanted:
        raise ValueError(f"{len(content):,} bytes: expected {wanted:,} for {count:,} {what}")


def _read_game(fields: tuple[int, int, int, int, int, bytes]) -> WthorGame:
    *_, squares = fields
    length = squares.find(0) if 0 in squares else MOVES
    if any(squares[length:]):
        raise ValueError("a move follows after the last one")
    return WthorGame(*fields[:5], tuple(map(_square, squares[:length])))


def _square(code: int) -> str:
    row, column = divmod(code, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise ValueError(f"{code} is no square: expected 11 for a1 to 88 for h8")
    return "abcdefgh"[column - 1] + str(row)


def _write_game(game: WthorGame) -> bytes:
    squares = bytes(10 * int(move[1]) + "abcdefgh".index(move[0]) + 1 for move in game.moves)
    return _GAME.pack(
        game.tournament, game.black, game.white, game.score, game.theoretical, squares
    )


def _name(content: bytes) -> str:
    return content.partition(b"\0")[0].decode("latin-1").strip()

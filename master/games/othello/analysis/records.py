"""Files of recorded games: WTHOR's, GGF, or transcripts, one a line.

Recognises the format of a file.  The names for a WTHOR file come from the `.jou` and `.trn` files
beside it, if there is only one of each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, games_of
from master.games.errors import RecordError
from master.games.othello.analysis.wthor import (
    FILE_BYTES_MAX,
    PLAYER_BYTES,
    TOURNAMENT_BYTES,
    WthorGame,
    read_names,
    wthor_games,
    wthor_year,
)
from master.games.othello.analysis.wthor import GAMES_MAX as FILE_GAMES_MAX
from master.games.othello.game import Turn, game_from
from master.games.othello.record import OthelloRecord, read_record, record_from_ggf
from master.games.skipped import GameNumbers, SkippedGame, game_place
from master.games.text_decoding import decode_text, is_utf16
from protocol.guards.bounded_file import read_bounded

GAMES_MAX = 1_000
"""Analysed at a time: a day of one core."""

COMMENT = "#"


@dataclass(frozen=True, slots=True)
class GameReader:
    """A game that is read on demand.

    Args:
        read: may raise ValueError.
        line: of the file, from 1, at which it begins; None: there are no lines.
    """

    read: Callable[[], OthelloRecord]
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ChosenGames:
    """Games of a file with their numbers from 1, and the skipped ones, which are malformed."""

    records: list[tuple[int, OthelloRecord]]
    skipped: list[SkippedGame]


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file's games, each read on demand.

    Args:
        name: of the file.
        readers: of the games, in order.
    """

    name: str
    readers: tuple[GameReader, ...]

    def chosen(self, numbers: GameNumbers | None) -> ChosenGames:
        """Return games, all of them unless some are named.

        Raises:
            RecordError: there is none of that number, all are malformed, or they are too many.
        """
        count = len(self.readers)
        missing = None if numbers is None else numbers.first_beyond(count)
        if missing is not None:
            raise RecordError(f"{self.name} has {count:,} games: there is no game {missing}")
        wanted = [n for n in range(1, count + 1) if numbers is None or n in numbers]
        if len(wanted) > GAMES_MAX:
            raise RecordError(
                f"{self.name} has {count:,} games: name {GAMES_MAX:,} at most, such as --games 1-20"
            )
        found = ChosenGames([], [])
        for number in wanted:
            reader = self.readers[number - 1]
            try:
                found.records.append((number, reader.read()))
            except ValueError as error:
                found.skipped.append(SkippedGame(number, str(error), reader.line))
        if found.skipped and not found.records:
            first = found.skipped[0]
            raise RecordError(f"{game_place(self.name, first.number, first.line)}: {first.reason}")
        return found


def read_record_file(path: Path) -> RecordFile:
    """Return a file's games.

    Raises:
        RecordError: it cannot be read, or contains something else; names the expected content.
    """
    return record_file_of(_content(path), path.name, path)


def record_file_of(content: bytes, name: str, path: Path | None = None) -> RecordFile:
    """Return the games of a file's content; RecordError likewise.

    Args:
        content: of the file.
        name: of the file.
        path: of the file; None: it has none, and there are no files beside it.
    """
    try:
        readers = _readers(name, content, path)
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"{name}: {error}") from None
    if not readers:
        raise RecordError(f"{name} has no games: expected GGF, transcripts or a .wtb file")
    return RecordFile(name, tuple(readers))


def _content(path: Path) -> bytes:
    try:
        content, _ = read_bounded(path, FILE_BYTES_MAX)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or error}") from None
    if len(content) > FILE_BYTES_MAX:
        raise RecordError(f"{path.name} has more than {FILE_BYTES_MAX:,} bytes")
    return content


def _readers(name: str, content: bytes, path: Path | None) -> list[GameReader]:
    if not is_utf16(content) and (name.lower().endswith(".wtb") or b"\0" in content):
        return _wthor_readers(path, content)
    text = decode_text(content)
    if "(;" in text:
        return _ggf_readers(text)
    return _transcript_readers(text)


def _ggf_readers(text: str) -> list[GameReader]:
    found: list[GameReader] = []
    for at, game in games_of(text):
        _check_count(found)
        found.append(GameReader(partial(_of_ggf, game), at.line))
    return found


def _transcript_readers(text: str) -> list[GameReader]:
    found: list[GameReader] = []
    for number, line in enumerate(StringIO(text, newline=None), start=1):
        said = line.strip()
        if not said or said.startswith(COMMENT):
            continue
        _check_count(found)
        found.append(GameReader(partial(_read_line, said), number))
    return found


def _check_count(found: Sequence[GameReader]) -> None:
    if len(found) == FILE_GAMES_MAX:
        raise ValueError(f"expected at most {FILE_GAMES_MAX:,} games")


def _of_ggf(game: GgfGame | ValueError) -> OthelloRecord:
    if isinstance(game, ValueError):
        raise game
    return record_from_ggf(game)


def _read_line(line: str) -> OthelloRecord:
    return read_record(line)[0]


def _wthor_readers(path: Path | None, content: bytes) -> list[GameReader]:
    year = wthor_year(content)
    players = _names_beside(path, ".jou", PLAYER_BYTES)
    tournaments = _names_beside(path, ".trn", TOURNAMENT_BYTES)

    def read(game: WthorGame | ValueError) -> OthelloRecord:
        if isinstance(game, ValueError):
            raise game
        turns = map(Turn, game.moves)
        tags = [("EV", _named(tournaments, game.tournament))] if tournaments else []
        return OthelloRecord(
            game_from(OthelloBoard.start(), turns), _named(players, game.black),
            _named(players, game.white), (*tags, ("DT", str(year))),
        )  # fmt: skip

    return [GameReader(partial(read, game)) for game in wthor_games(content)]


def _named(names: tuple[str, ...], number: int) -> str:
    """Return a name; empty if it is unknown."""
    return names[number] if number < len(names) else ""


def _names_beside(path: Path | None, suffix: str, name_bytes: int) -> tuple[str, ...]:
    """Return the names in the only such file of a folder; none if there is none, or several."""
    if path is None:
        return ()
    try:
        found = [each for each in path.absolute().parent.iterdir() if each.suffix.lower() == suffix]
    except OSError as error:
        raise RecordError(f"cannot look for {suffix} beside {path}: {error.strerror}") from None
    if len(found) != 1:
        return ()
    try:
        return read_names(_content(found[0]), name_bytes)
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"{found[0].name}: {error}") from None

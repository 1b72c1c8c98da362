"""Files of chess games: master.cli.chess.play_files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from master.cli.chess.play_files import CHESS_FORMATS, read_game_file
from master.cli.playing.game_file import GameFile
from master.games.chess.game import ChessGame
from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, write_pgn
from master.games.errors import RecordError
from tests.master.games.chess.games import games, random_game

RECORD = ChessRecord(random_game(1, 6), "Ann", "Bob")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games)
@pytest.mark.when_changed
def test_what_is_saved_is_loaded_again(tmp_path: Path, game: ChessGame) -> None:
    path = tmp_path / "game.pgn"
    GameFile(CHESS_FORMATS).save(ChessRecord(game, "Ann", "Bob"), path)
    record, ending = read_game_file(path)
    assert (record.game, record.white, record.black, ending) == (game, "Ann", "Bob", ".pgn")


def test_a_game_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(write_pgn(RECORD))
    kept = GameFile(CHESS_FORMATS)
    assert kept.save(kept.load(path)) == path


@pytest.mark.parametrize("comment", ["1. e4 {best} *", "1. e4 (1. d4) *", "1. e4 1-0"])
def test_what_would_be_lost_is_left_alone(tmp_path: Path, state_dir: Path, comment: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(comment)
    kept = GameFile(CHESS_FORMATS)
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == comment


def test_what_does_not_fit_a_position_is_said_and_the_file_left_alone(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.pgn"
    text = '[FEN "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"]\n\n1. O-O *\n'
    path.write_text(text)
    kept = GameFile(CHESS_FORMATS)
    record = kept.load(path)
    expected = "castling KQ does not fit the position: read as K"
    assert capsys.readouterr().err == f"manyply: game.pgn: {expected}\n"
    assert kept.save(record).parent == state_dir / "matches"
    assert path.read_text() == text
    path.write_text("1. e4 \x1b[2Jbad\x1b *".replace("[", ""))
    read_game_file(path)
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_game_is_read_in_every_marked_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "game.pgn"
    path.write_text(write_pgn(RECORD), encoding=encoding)
    assert read_game_file(path)[0].game == RECORD.game


@pytest.mark.parametrize("content", [b"\x7fELF\0\0", b"$ ls\n", b'{"a": [1]}', b"\0\0a"])
def test_a_file_of_no_pgn_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"game\.pgn: expected PGN: tags such as"):
        read_game_file(path)


def test_a_file_of_several_games_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    for text, count in ((write_pgn(RECORD), 6), ("1. e4 e5 *\n", 2), ("1. Ke5 *\n", 3)):
        path.write_text(text * count)
        with pytest.raises(RecordError, match=rf"games\.pgn has {count} games, expected one"):
            read_game_file(path)


def test_what_is_no_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match=r"game\.pgn: expected PGN: tags such as"):
        read_game_file(path)
    path.write_text(" " * (GAME_CHARACTERS_MAX + 1))
    with pytest.raises(RecordError, match="200000 characters at most"):
        read_game_file(path)
    with pytest.raises(RecordError, match=r"expected a name that ends with \.pgn"):
        GameFile(CHESS_FORMATS).save(RECORD, tmp_path / "game.txt")

"""What files of Othello games hold: master.cli.othello.play_files."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from master.cli.othello.play_files import OTHELLO_FORMATS, read_game_file
from master.cli.playing.game_file import GameFile
from master.games.errors import RecordError
from master.games.othello.game import game_from
from master.games.othello.record import OthelloRecord, write_ggf
from tests.master.games.othello.games import random_game

RECORD = OthelloRecord(random_game(3, 12), "Ann", "manyply depth 8")


def new_file() -> GameFile[OthelloRecord]:
    return GameFile(OTHELLO_FORMATS)


@pytest.mark.parametrize("name", ["game.ggf", "game.GGF", "game.txt"])
def test_a_game_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = new_file().save(RECORD, tmp_path / name)
    assert read_game_file(path)[0].game.boards == RECORD.game.boards
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["game.ggf", "game.txt"])
def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path, name: str) -> None:
    path = new_file().save(RECORD, tmp_path / name)
    kept = new_file()
    before = kept.load(path).game.undo()
    assert before is not None
    assert kept.save(OthelloRecord(before)) == path
    assert read_game_file(path)[0].game.boards == before.boards


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("F5 D6\r\n c3 ", newline="")
    kept = new_file()
    assert kept.save(kept.load(path)) == path
    assert path.read_bytes() == b"F5 D6\r\n c3 "


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("board.txt", OthelloBoard.start(6).to_text()),
        ("board.ggf", OthelloBoard.start().to_text()),
        ("game.txt", write_ggf(RECORD)),
        ("game.ggf", "f5d6"),
        ("game.wtb", write_ggf(RECORD)),
    ],
)
def test_a_file_that_cannot_hold_the_game_is_left_and_it_goes_on_in_a_new_one(
    tmp_path: Path, state_dir: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    kept = new_file()
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == text


def test_what_is_too_long_for_a_game_or_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text("f5" * GAME_CHARACTERS_MAX)
    with pytest.raises(RecordError, match="100000 characters at most"):
        read_game_file(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="a transcript is"):
        read_game_file(path)
    with pytest.raises(RecordError, match="Is a directory"):
        read_game_file(tmp_path)


def test_a_name_or_a_game_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with \.ggf or \.txt"):
        new_file().save(RECORD, tmp_path / "game.doc")
    small = OthelloRecord(game_from(OthelloBoard.start(6)))
    with pytest.raises(RecordError, match=r"game\.txt: a transcript begins from the usual"):
        new_file().save(small, tmp_path / "game.txt")
    assert list(tmp_path.iterdir()) == []

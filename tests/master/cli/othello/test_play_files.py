"""Where games of Othello are kept: master.cli.othello.play_files."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from master.cli.othello.play_files import OthelloFile, read_game_file
from master.games.errors import RecordError
from master.games.othello.game import game_from
from master.games.othello.record import OthelloRecord, write_ggf
from tests.master.games.othello.games import random_game

RECORD = OthelloRecord(random_game(3, 12), "Ann", "manyply depth 8")


def loaded(path: Path) -> OthelloRecord:
    return read_game_file(path)[0]


@pytest.mark.parametrize("name", ["game.ggf", "game.GGF", "game.txt"])
def test_a_game_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = OthelloFile().save(RECORD, tmp_path / name)
    assert loaded(path).game.boards == RECORD.game.boards
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_new_game_is_kept_in_the_state_directory_and_the_next_in_another_file(
    state_dir: Path,
) -> None:
    kept = OthelloFile()
    first = kept.save(RECORD)
    assert (first.parent, first.suffix) == (state_dir / "matches", ".ggf")
    kept.begin()
    assert kept.save(RECORD) != first
    assert loaded(first) == RECORD


@pytest.mark.parametrize("name", ["game.ggf", "game.txt"])
def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path, name: str) -> None:
    path = OthelloFile().save(RECORD, tmp_path / name)
    kept = OthelloFile()
    before = kept.load(path).game.undo()
    assert before is not None
    assert kept.save(OthelloRecord(before)) == path
    assert loaded(path).game.boards == before.boards


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("F5 D6\r\n c3 ", newline="")
    kept = OthelloFile()
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
    kept = OthelloFile()
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == text


def test_a_game_that_cannot_be_read_leaves_the_file_of_the_one_at_the_table(
    tmp_path: Path,
) -> None:
    kept = OthelloFile()
    path = kept.save(RECORD)
    (tmp_path / "bad.ggf").write_text("(;GM[Othello];)")
    for bad in ("none.ggf", "bad.ggf"):
        with pytest.raises(RecordError, match=bad):
            kept.load(tmp_path / bad)
    assert kept.save(RECORD) == path


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
        OthelloFile().save(RECORD, tmp_path / "game.doc")
    small = OthelloRecord(game_from(OthelloBoard.start(6)))
    with pytest.raises(RecordError, match=r"game\.txt: a transcript begins from the usual"):
        OthelloFile().save(small, tmp_path / "game.txt")
    assert list(tmp_path.iterdir()) == []

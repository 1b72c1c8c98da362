"""What files of games of Threes! hold: master.cli.threes.playing.play_files."""

from __future__ import annotations

from pathlib import Path

import pytest

from master.cli.playing.game_file import GameFile
from master.cli.threes.playing.play_files import THREES_FORMATS, read_game_file
from master.games.errors import RecordError
from master.games.threes.record import RECORD_CHARACTERS_MAX, ThreesRecord

RECORD = ThreesRecord(3).played("u").played("l").played("d")


def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.threes")
    assert path.read_text() == "threes 1 seed=3\nuld\n"
    kept = GameFile(THREES_FORMATS)
    record = kept.load(path)
    assert record == RECORD
    before = record.undo()
    assert before is not None
    assert kept.save(before) == path
    assert read_game_file(path) == (ThreesRecord(3, "ul"), ".threes")


def test_only_files_of_that_ending_are_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"game.txt: expected a name that ends with .threes"):
        GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a first line such as threes 1 seed=7"),
        (b"\xff\x00\n", "expected a first line"),
        (b"threes 1 seed=3\nu?", "move 2 is '[?]'"),
        (b"threes 1 seed=3\n" + b"\n" * RECORD_CHARACTERS_MAX, "expected one game"),
    ],
)
def test_a_faulty_file_is_named_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "game.threes"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"^{path}: {message}") as refused:
        read_game_file(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_game_file(tmp_path / "none.threes")

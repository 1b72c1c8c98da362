import os
from pathlib import Path

import pytest

from master.cli.backgammon.analysing import analyse_many
from master.cli.backgammon.analysing.analyse_many import match_files
from master.cli.errors import CommandError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Matches at two levels, and what is none."""
    folder = tmp_path / "matches"
    (folder / "2026").mkdir(parents=True)
    for name in ("b.mat", "a.SGF", "letter.txt", ".hidden.mat", "2026/c.xg"):
        (folder / name).write_text("?")
    return folder


def names(files: list[Path]) -> list[str]:
    return [file.name for file in files]


def test_folder_is_its_matches_in_order_and_then_its_folders(folder: Path) -> None:
    files, bad = match_files([folder])
    assert names(files) == ["a.SGF", "b.mat", "c.xg"]
    assert bad == []


def test_file_that_is_named_may_be_called_anything(folder: Path) -> None:
    assert names(match_files([folder / "letter.txt", folder / "none.mat"])[0]) == [
        "letter.txt",
        "none.mat",
    ]


def test_file_named_twice_is_one(folder: Path) -> None:
    (folder / "link.mat").symlink_to(folder / "b.mat")
    files, _ = match_files([folder / "b.mat", folder, folder / "2026", folder / "link.mat"])
    assert names(files) == ["b.mat", "a.SGF", "c.xg"]


def test_what_is_no_file_is_left_alone(folder: Path) -> None:
    os.mkfifo(folder / "pipe.mat")
    (folder / "folder.mat").mkdir()
    (folder / "dangling.mat").symlink_to(folder / "gone.mat")
    assert names(match_files([folder])[0]) == ["a.SGF", "b.mat", "c.xg"]


def test_folder_without_matches_is_said(tmp_path: Path) -> None:
    files, (bad,) = match_files([tmp_path])
    assert files == []
    assert bad.file == str(tmp_path)
    assert bad.why.startswith("no match in this folder: expected files .mat")


def test_there_is_an_end_to_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_many, "FILES_MAX", 2)
    with pytest.raises(CommandError, match="more than 2 matches"):
        match_files([folder])

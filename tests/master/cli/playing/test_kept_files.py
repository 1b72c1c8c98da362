"""Where what is played is kept, and how it is written: master.cli.playing.kept_files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from master.cli.playing import kept_files
from master.cli.playing.kept_files import claim, default_path, read_text, write_whole
from master.games.errors import RecordError


def test_a_new_game_is_named_by_the_time_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = default_path(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), ".ggf")
    assert path == tmp_path / "manyply" / "matches" / "2026-01-02-030405.ggf"


def test_names_that_are_used_up_are_said(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "NAMESAKES_MAX", 3)
    path = state_dir / "game.ggf"
    assert [claim(path).name for _ in range(2)] == ["game.ggf", "game-2.ggf"]
    with pytest.raises(RecordError, match=r"cannot write .*: 3 files have that name"):
        claim(path)


def test_a_directory_that_cannot_be_made_is_said(state_dir: Path) -> None:
    state_dir.write_text("a file")
    with pytest.raises(RecordError, match="cannot write"):
        claim(state_dir / "matches" / "game.ggf")


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "game.ggf", tmp_path / "link.ggf"
    write_whole("one", path)
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole("two", link)
    assert link.is_symlink()
    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_way_through_links_that_end_nowhere_is_said(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(RecordError, match="cannot write"):
        write_whole("text", loop / "game.ggf")


def test_a_new_file_is_as_readable_as_any_other_of_the_user(tmp_path: Path) -> None:
    write_whole("text", tmp_path / "game.ggf")
    (tmp_path / "other").touch()
    modes = {each.stat().st_mode for each in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_text_in_utf_16_is_known_by_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes("f5\r\nd6".encode("utf-16"))
    assert read_text(path, 5) == "f5\nd6"


def test_a_text_is_read_as_far_as_a_game_goes(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_bytes(b"f5\xff")
    assert read_text(path, 3) == "f5\ufffd"
    with pytest.raises(RecordError, match="expected one game, 2 characters at most"):
        read_text(path, 2)
    with pytest.raises(RecordError, match=r"cannot read .*: Is a directory"):
        read_text(tmp_path, 2)

"""Where what is played is kept, and how it is written: master.cli.playing.kept_files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from master.cli.playing import kept_files
from master.cli.playing.kept_files import OwnFile, default_path, write_whole
from master.games.errors import RecordError


def test_a_new_game_is_named_by_the_time_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = default_path(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), ".ggf")
    assert path == tmp_path / "manyply" / "matches" / "2026-01-02-030405.ggf"


def test_a_new_game_has_a_file_from_its_first_writing_on(state_dir: Path) -> None:
    own = OwnFile(".ggf")
    assert not state_dir.exists()
    path = own.keep(lambda path: f"one in {path.suffix}")
    assert (path.parent, path.read_text()) == (state_dir / "matches", "one in .ggf")
    assert own.keep(lambda path: "two") == path
    assert path.read_text() == "two"


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text("as its program wrote it")
    own = OwnFile(".ggf")
    own.adopt(path, "the same in our words")
    assert own.keep(lambda path: "the same in our words") == path
    assert path.read_text() == "as its program wrote it"
    own.keep(lambda path: "something else")
    assert path.read_text() == "something else"


def test_two_games_on_one_file_do_not_write_over_each_other(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.ggf"
    path.write_text("begun")
    first, second = OwnFile(".ggf"), OwnFile(".ggf")
    for own in (first, second):
        own.adopt(path, "begun")
    assert first.keep(lambda _: "by the first") == path
    assert second.keep(lambda _: "begun") == path
    assert not capsys.readouterr().out
    other = second.keep(lambda _: "by the second")
    assert capsys.readouterr().out.startswith(f"Another program has changed {path}: ")
    assert other.parent == state_dir / "matches"
    assert second.keep(lambda _: "by the second, later") == other
    assert first.keep(lambda _: "by the first, later") == path
    assert not capsys.readouterr().out
    assert (path.read_text(), other.read_text()) == ("by the first, later", "by the second, later")


def test_a_file_that_was_taken_away_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text("begun")
    own = OwnFile(".ggf")
    own.adopt(path, "begun")
    path.unlink()
    assert own.keep(lambda _: "more") == path
    assert path.read_text() == "more"


def test_a_file_that_is_named_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, link = tmp_path / "game.ggf", tmp_path / "link.ggf"
    path.write_text("begun")
    link.symlink_to(path)
    own = OwnFile(".ggf")
    own.adopt(path, "begun")
    path.write_text("by another program")
    own.copy("by name", link)
    assert path.read_text() == "by name"
    assert own.keep(lambda _: "more") == path
    assert not capsys.readouterr().out


def test_names_that_are_used_up_are_said(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "NAMESAKES_MAX", 3)
    monkeypatch.setattr(kept_files, "default_path", lambda *_: state_dir / "game.ggf")
    for _ in range(2):
        OwnFile(".ggf").keep(lambda _: "text")
    with pytest.raises(RecordError, match=r"cannot write .*: 3 files have that name"):
        OwnFile(".ggf").keep(lambda _: "text")


def test_a_directory_that_cannot_be_made_is_said(state_dir: Path) -> None:
    state_dir.write_text("a file")
    with pytest.raises(RecordError, match="cannot write"):
        OwnFile(".ggf").keep(lambda _: "text")


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

"""The file of a game in play: where it is kept, and how it is written."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from master.cli.playing import game_file
from master.cli.playing.game_file import (
    Formats,
    GameFile,
    claim,
    default_path,
    read_text,
    write_whole,
)
from master.games.errors import RecordError


def small(record: str) -> str:
    if record.isupper():
        raise ValueError("expected small letters")
    return record


def read(path: Path) -> tuple[str, str]:
    """A file's record is its text without blanks around it; a text with a dot is of no format."""
    try:
        text = path.read_text().strip()
    except OSError as error:
        raise RecordError(f"cannot read {path}") from error
    return text, "" if "." in text else ".one"


FORMATS = Formats({".one": str, ".two": small}, read)


def test_a_new_game_has_a_file_from_its_first_writing_on(state_dir: Path) -> None:
    kept = GameFile(FORMATS)
    assert not state_dir.exists()
    path = kept.save("one")
    assert (path.parent, path.suffix, path.read_text()) == (state_dir / "matches", ".one", "one")
    assert kept.save("two") == path
    assert path.read_text() == "two"


def test_another_game_has_another_file() -> None:
    kept = GameFile(FORMATS)
    first = kept.save("one")
    kept.begin()
    assert kept.save("one") != first


def test_games_begun_in_the_same_second_have_files_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = game_file.default_path(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), ".one")
    monkeypatch.setattr(game_file, "default_path", lambda *_: path)
    files = [GameFile(FORMATS) for _ in range(3)]
    paths = [each.save("one") for each in files]
    assert [each.name.removeprefix(path.stem) for each in paths] == [".one", "-2.one", "-3.one"]
    assert [each.save("two") for each in files] == paths


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.one"
    path.write_text("  the same in our words\n")
    kept = GameFile(FORMATS)
    assert kept.save(kept.load(path)) == path
    assert path.read_text() == "  the same in our words\n"
    kept.save("something else")
    assert path.read_text() == "something else"


@pytest.mark.parametrize(("name", "text"), [("game.two", "b"), ("game.doc", "b"), ("a.one", "b.")])
def test_a_file_that_cannot_hold_the_game_is_left_and_it_goes_on_in_a_new_one(
    tmp_path: Path, state_dir: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    kept = GameFile(FORMATS)
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == text


def test_a_game_that_cannot_be_read_leaves_the_file_of_the_current_one(tmp_path: Path) -> None:
    kept = GameFile(FORMATS)
    path = kept.save("one")
    with pytest.raises(RecordError):
        kept.load(tmp_path / "none.one")
    assert kept.save("two") == path


def test_two_games_on_one_file_do_not_write_over_each_other(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.one"
    path.write_text("begun")
    first, second = GameFile(FORMATS), GameFile(FORMATS)
    for kept in (first, second):
        kept.load(path)
    assert first.save("by the first") == path
    assert second.save("begun") == path
    assert not capsys.readouterr().out
    other = second.save("by the second")
    assert capsys.readouterr().out.startswith(f"Another program has changed {path}: ")
    assert other.parent == state_dir / "matches"
    assert second.save("by the second, later") == other
    assert first.save("by the first, later") == path
    assert not capsys.readouterr().out
    assert (path.read_text(), other.read_text()) == ("by the first, later", "by the second, later")


def test_a_file_that_was_taken_away_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "game.one"
    path.write_text("begun")
    kept = GameFile(FORMATS)
    kept.load(path)
    path.unlink()
    assert kept.save("more") == path
    assert path.read_text() == "more"


def test_a_file_that_is_named_is_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, link = tmp_path / "game.one", tmp_path / "link.one"
    path.write_text("begun")
    link.symlink_to(path)
    kept = GameFile(FORMATS)
    kept.load(path)
    path.write_text("by another program")
    assert kept.save("by name", link) == link
    assert path.read_text() == "by name"
    assert kept.save("more") == path
    assert not capsys.readouterr().out


def test_a_copy_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.one"
    path.mkdir()
    with pytest.raises(RecordError, match="cannot write"):
        GameFile(FORMATS).save("one", path)
    with pytest.raises(RecordError, match="No such file or directory"):
        GameFile(FORMATS).save("one", tmp_path / "deep" / "game.one")
    assert list(tmp_path.iterdir()) == [path]


def test_a_name_or_a_game_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"a.doc: expected a name that ends with \.one or \.two"):
        GameFile(FORMATS).save("one", tmp_path / "a.doc")
    with pytest.raises(RecordError, match=r"^a.TWO: expected small letters"):
        GameFile(FORMATS).save("ONE", tmp_path / "a.TWO")
    assert list(tmp_path.iterdir()) == []


def test_a_new_game_is_named_by_the_time_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = default_path(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), ".ggf")
    assert path == tmp_path / "manyply" / "matches" / "2026-01-02-030405.ggf"


def test_names_that_are_used_up_are_said(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_file, "NAMESAKES_MAX", 3)
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

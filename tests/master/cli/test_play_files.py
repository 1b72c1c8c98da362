"""Where matches are kept: master.cli.play_files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from master.cli.play_files import default_path, load_match, save_match
from master.matches.analysed import AnalysedMatch
from master.matches.record import Match, Play, RecordError
from master.play.live_match import LiveMatch


def a_match() -> AnalysedMatch:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 3)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    return live.analysed


@pytest.mark.parametrize("name", ["match.sgf", "match.mat", "match.SGF"])
def test_a_match_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save_match(a_match(), path)
    assert load_match(path).match.games == a_match().match.games
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_name_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with .sgf or .mat"):
        save_match(a_match(), tmp_path / "match.doc")


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "match.sgf"
    path.mkdir()
    with pytest.raises(RecordError, match="cannot write"):
        save_match(a_match(), path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_directory_that_is_mistyped_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file or directory"):
        save_match(a_match(), tmp_path / "deep" / "match.sgf")
    assert not (tmp_path / "deep").exists()


def test_a_new_match_is_named_by_the_time_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = default_path(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert path == tmp_path / "manyply" / "matches" / "2026-01-02-030405.sgf"
    save_match(a_match(), path)
    assert path.exists()

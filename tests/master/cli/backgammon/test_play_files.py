"""Where matches are kept: master.cli.backgammon.play_files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from master.cli.backgammon.play_files import MatchFile
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import Match, Play
from master.games.backgammon.play.live_match import LiveMatch
from master.games.errors import RecordError


def a_match() -> AnalysedMatch:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 3)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    return live.analysed


@pytest.mark.parametrize("name", ["match.sgf", "match.mat", "match.SGF"])
def test_a_match_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    MatchFile().save(a_match(), path)
    assert read_match_file(path).match.games == a_match().match.games
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_name_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with .sgf or .mat"):
        MatchFile().save(a_match(), tmp_path / "match.doc")


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "match.sgf"
    path.mkdir()
    with pytest.raises(RecordError, match="cannot write"):
        MatchFile().save(a_match(), path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_directory_that_is_mistyped_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file or directory"):
        MatchFile().save(a_match(), tmp_path / "deep" / "match.sgf")
    assert not (tmp_path / "deep").exists()


def test_matches_begun_in_the_same_second_have_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "master.cli.playing.kept_files.default_path",
        lambda now, suffix: tmp_path / "own" / "match.sgf",
    )
    files = [MatchFile() for _ in range(3)]
    paths = [each.save(a_match()) for each in files]
    assert [path.name for path in paths] == ["match.sgf", "match-2.sgf", "match-3.sgf"]
    assert [each.save(a_match()) for each in files] == paths


def test_a_match_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "theirs.sgf"
    MatchFile().save(AnalysedMatch(replace(a_match().match, players=("Eve", "Bob"))), path)
    kept = MatchFile()
    live = kept.load(path)
    assert kept.save(live.analysed) == path
    live.undo()
    assert kept.save(live.analysed) == path
    assert read_match_file(path).match == live.match


def test_a_file_of_another_ending_is_left_and_the_match_goes_on_in_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    mat, path = tmp_path / "match.mat", tmp_path / "match.txt"
    MatchFile().save(a_match(), mat)
    text = mat.read_bytes()
    path.write_bytes(text)
    kept = MatchFile()
    live = kept.load(path)
    live.undo()
    own = kept.save(live.analysed)
    assert own.parent == tmp_path / "manyply" / "matches"
    assert path.read_bytes() == text


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    MatchFile().save(a_match(), path)
    foreign = path.read_text().replace("\n", "\r\n")
    path.write_text(foreign, newline="")
    kept = MatchFile()
    kept.save(kept.load(path).analysed)
    assert path.read_bytes() == foreign.encode()


def test_a_match_that_cannot_be_read_leaves_the_file_of_the_one_at_the_table(
    tmp_path: Path,
) -> None:
    path = tmp_path / "match.sgf"
    MatchFile().save(a_match(), path)
    kept = MatchFile()
    kept.load(path)
    with pytest.raises(RecordError):
        kept.load(tmp_path / "none.sgf")
    assert kept.save(a_match()) == path


def test_a_match_that_breaks_the_crawford_rule_is_loaded_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n Wins 2 points\n\n"
        " Game 2\n Ann : 2    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n  2) Takes\n"
    )
    assert MatchFile().load(path).match.games[1].score == (2, 0)
    expected = "game 2: a double in the Crawford game; read without the Crawford rule"
    assert capsys.readouterr().err == f"manyply: warning: match.mat: {expected}\n"


def test_a_new_match_has_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    kept = MatchFile()
    first = kept.save(a_match())
    kept.begin()
    assert kept.save(a_match()) != first

"""What files of matches hold: master.cli.backgammon.playing.play_files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine_ext.backgammon.analysis import ActionAnalysis
from master.cli.backgammon.playing.play_files import BACKGAMMON_FORMATS
from master.cli.playing.game_file import GameFile
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import Match, Play, Resign
from master.games.backgammon.play.live_match import LiveMatch
from master.games.errors import RecordError


def new_file() -> GameFile[LiveMatch]:
    return GameFile(BACKGAMMON_FORMATS)


def a_match() -> LiveMatch:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 3)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    return live


@pytest.mark.parametrize("name", ["match.sgf", "match.mat", "match.SGF"])
def test_a_match_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    new_file().save(a_match(), path)
    assert read_match_file(path).match.games == a_match().match.games
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_name_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with .sgf or .mat"):
        new_file().save(a_match(), tmp_path / "match.doc")


def test_a_match_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "theirs.sgf"
    new_file().save(
        LiveMatch(AnalysedMatch(replace(a_match().match, players=("Eve", "Bob")))), path
    )
    kept = new_file()
    live = kept.load(path)
    assert kept.save(live) == path
    live.undo()
    assert kept.save(live) == path
    assert read_match_file(path).match == live.match


def test_a_file_of_another_ending_is_left_and_the_match_goes_on_in_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    mat, path = tmp_path / "match.mat", tmp_path / "match.txt"
    new_file().save(a_match(), mat)
    text = mat.read_bytes()
    path.write_bytes(text)
    kept = new_file()
    live = kept.load(path)
    live.undo()
    own = kept.save(live)
    assert own.parent == tmp_path / "manyply" / "matches"
    assert path.read_bytes() == text


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    new_file().save(a_match(), path)
    foreign = path.read_text().replace("\n", "\r\n")
    path.write_text(foreign, newline="")
    kept = new_file()
    kept.save(kept.load(path))
    assert path.read_bytes() == foreign.encode()


def test_a_match_that_breaks_the_crawford_rule_is_loaded_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n Wins 2 points\n\n"
        " Game 2\n Ann : 2    Bob : 0\n  1) 31: 8/5 6/5    Doubles => 2\n  2) Takes\n"
    )
    assert new_file().load(path).match.games[1].score == (2, 0)
    expected = "game 2: a double in the Crawford game; read without the Crawford rule"
    assert capsys.readouterr().err == f"manyply: warning: match.mat: {expected}\n"


def test_a_match_with_a_game_that_cannot_be_read_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 24/1\n Wins 1 point\n\n"
        " Game 2\n Ann : 1    Bob : 0\n  1) 31: 8/5 6/5\n"
    )
    with pytest.raises(RecordError, match=r"match\.mat, game 1, line 5: Ann: illegal play .*all"):
        new_file().load(path)


@pytest.mark.parametrize("suffix", [".mat", ".sgf"])
def test_a_file_is_left_as_it_is_until_something_is_played(tmp_path: Path, suffix: str) -> None:
    """A next game that stands ready is nothing played, nor is an analysis of what was."""
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), 0)))
    live.roll((3, 1))
    live.act(Play(0, (3, 1), live.legal_moves()[0].steps))
    live.act(Resign(1))
    path = tmp_path / f"session{suffix}"
    new_file().save(live, path)
    theirs = path.read_text().replace('; [Jacoby "On"]\n', "") + "\n\n"
    path.write_text(theirs)
    kept = new_file()
    live = kept.load(path)
    live.record_analysis(1, ActionAnalysis(None, None, 0.25))
    live.begin_next_game()
    assert kept.save(live) == path
    assert path.read_text() == theirs
    live.roll((4, 2))
    live.act(Play(0, (4, 2), live.legal_moves()[0].steps))
    assert kept.save(live) == path
    assert read_match_file(path).match.games == live.match.games
    live.undo()
    kept.save(live)
    assert read_match_file(path).match.games == live.match.games

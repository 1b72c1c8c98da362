"""Files beside the tables: each is tried before anything is computed, and written after it."""

from pathlib import Path

import pytest

from master.cli.backgammon.analysing.analyse_outputs import PRINTED, MatchOutput, Outputs
from master.cli.errors import CommandError, ExitCode
from master.games.backgammon.matches.figures import match_figures
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

MATCH = analysed(random_match(7, 3, games_max=1, habits=Habits(resign=0.02)), 1)
OUTPUT = MatchOutput(MATCH, match_figures(MATCH), None, None, None, (0, 1))


@pytest.mark.parametrize("name", ["sgf", "csv", "html", "text"])
def test_what_cannot_be_written_is_refused_at_once(name: str, tmp_path: Path) -> None:
    source = tmp_path / "match.mat"
    source.write_text("")
    for path, words in (
        (source, "it is the file that is analysed"),
        (tmp_path / "no" / "out", "there is no such directory"),
        (tmp_path, "it is a directory"),
    ):
        with pytest.raises(CommandError, match=words):
            Outputs(**{name: path}).check(source)
    with pytest.raises(CommandError, match="the disk is full") as caught:
        Outputs(**{name: Path("/dev/full")}).write(OUTPUT)
    assert caught.value.exit_code is ExitCode.STORAGE


def test_minus_is_standard_output_of_the_page_or_the_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = Outputs(text=PRINTED)
    outputs.check(tmp_path / "match.mat")
    outputs.write(OUTPUT)
    printed = capsys.readouterr().out
    assert printed.count("|BAR|") > 5
    assert list(tmp_path.iterdir()) == []
    Outputs(html=PRINTED).write(OUTPUT)
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")
    assert not Outputs(csv=PRINTED).is_printed
    Outputs(text=tmp_path / "out.txt").write(OUTPUT)
    assert (tmp_path / "out.txt").read_text() == printed


def test_every_file_that_is_asked_for_is_written(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"out.{name}" for name in ("sgf", "csv", "html", "text")}
    Outputs(**paths).write(OUTPUT)
    begins = {name: path.read_text()[:5] for name, path in paths.items()}
    assert begins == {"sgf": "(;FF[", "csv": "game,", "html": "<!DOC", "text": "Ann -"}


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with pytest.raises(CommandError, match="--csv and --html name the same file"):
        Outputs(csv=tmp_path / "out", html=tmp_path / "link").check(tmp_path / "match.mat")
    with pytest.raises(CommandError, match="--html and --text name the same file"):
        Outputs(html=PRINTED, text=PRINTED).check(tmp_path / "match.mat")

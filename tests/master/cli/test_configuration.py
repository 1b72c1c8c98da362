"""The configuration file: what it may say, who wins, and what a bad one is told."""

import json
import os
from pathlib import Path

import click
import pytest

from master.cli.app import commands
from master.cli.configuration import (
    BYTES_MAX,
    apply_colour,
    configuration_path,
    defaults_of,
    read_settings,
)
from master.cli.errors import CommandError, ExitCode
from tests.master.cli.test_app import code_of

ID = "4HPwATDgc/ABMA"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where this test's configuration file is, not written yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = configuration_path()
    path.parent.mkdir()
    return path


@click.command("made")
@click.option("--analyser", "analysers", multiple=True)
@click.option("--plies", "ply", type=int)
@click.option("--jacoby/--no-jacoby", "is_jacoby")
def made(analysers: tuple[str, ...], ply: int | None, is_jacoby: bool) -> None:
    """Be a command with an option of each kind."""


def test_no_file_says_nothing(file: Path) -> None:
    settings = read_settings(file, commands())
    assert defaults_of("made", made, settings) == {}


def test_values_become_what_the_command_line_would_give(file: Path) -> None:
    text = 'analyser = ["a:1", "b:2"]\nfilter = "tiny"\n[made]\nplies = 2\njacoby = false\n'
    file.write_text(text)
    settings = read_settings(file, ["made"])
    expected = {"analysers": ["a:1", "b:2"], "ply": "2", "is_jacoby": False}
    assert defaults_of("made", made, settings) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("plies = ", "is no TOML"),
        ("analyzer = 2", "analyzer is no key for all commands: did you mean analyser?"),
        (
            "plies = 2",
            "plies is no key for all commands: put it below [analyse], [cube], [eval], [external], "
            "[move], [play], [profile], [quiz], [rollout], [search] or [ubgi]",
        ),
        ("trials = 9", "trials is no key for all commands: put it below [extend] or [rollout]"),
        ("[eval]\ntrials = 9", "trials is no key of [eval]: put it below [extend] or [rollout]"),
        ("[eval]\nlocal = 2", "local is no key of [eval]: put it above the first [command]"),
        (
            '[eval]\ncolour = "never"',
            "colour is no key of [eval]: put it above the first [command]",
        ),
        ('met = "no such file"', "'--met': cannot read no such file"),
        ("zebra = 2", "zebra is no key for all commands: expected one of analyser"),
        ("[rolout]\nplies = 2", "[rolout] is no key of a command: did you mean [rollout]?"),
        ("[eval]\nplys = 2", "plys is no key of [eval]: did you mean plies?"),
        ("[eval]\nplies = [1, 2]", "plies = [1, 2]: expected a text or a number"),
        ("[eval]\njson = 1", "json = 1: expected true or false"),
        ('colour = "blue"', "colour = 'blue': expected one of auto, always, never"),
        ("[eval]\nplies = 9", "Invalid value for '--plies'"),
        ("#" * (BYTES_MAX + 1), "expected a few options"),
    ],
)
def test_bad_file_is_one_line_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: Path,
    text: str,
    complaint: str,
) -> None:
    file.write_text(text)
    assert code_of(monkeypatch, "eval", ID) == ExitCode.BAD_INPUT
    err = capsys.readouterr().err
    assert err.startswith(f"manyply: {file}: ")
    assert complaint in err
    assert err.count("\n") == 1


MET = """<met>
 <info><name>two points</name></info>
 <pre-crawford-table>
  <row><me>0.5</me><me>0.6</me></row><row><me>0.4</me><me>0.5</me></row>
 </pre-crawford-table>
 <post-crawford-table><row><me>0.5</me><me>0.45</me></row></post-crawford-table>
</met>
"""
MATCH_ID = f"{ID}:cAngAFAAGAAE"


@pytest.mark.parametrize("command", ["eval", "cube", "move", "rollout"])
def test_match_equities_of_the_file_leave_money_play_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: Path,
    tmp_path: Path,
    command: str,
) -> None:
    asked = [command, ID, "--json"]
    asked += {"move": ["--dice", "31"], "rollout": ["--trials", "1", "--local", "1"]}.get(
        command, []
    )

    def answer(*words: str) -> object:
        assert code_of(monkeypatch, *asked, *words) == 0
        found = json.loads(capsys.readouterr().out)
        return {key: value for key, value in found.items() if key != "job"}

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    plain = answer()
    (tmp_path / "met.xml").write_text(MET)
    file.write_text(f"met = '{tmp_path / 'met.xml'}'\n")
    assert answer() == plain
    assert code_of(monkeypatch, *asked, "--met", str(tmp_path / "met.xml")) != 0
    assert "--met is for match play" in capsys.readouterr().err


def test_match_equities_of_the_file_are_those_of_match_play(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: Path,
    tmp_path: Path,
) -> None:
    def answer() -> object:
        assert code_of(monkeypatch, "cube", MATCH_ID, "--json", "--plies", "0") == 0
        return json.loads(capsys.readouterr().out)

    plain = answer()
    (tmp_path / "met.xml").write_text(MET)
    file.write_text(f"met = '{tmp_path / 'met.xml'}'\n")
    assert answer() != plain


def test_rules_of_money_play_in_the_file_leave_match_play_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text("[eval]\njacoby = false\n")
    assert code_of(monkeypatch, "eval", MATCH_ID) == 0
    assert code_of(monkeypatch, "eval", MATCH_ID, "--jacoby") == ExitCode.BAD_INPUT
    assert not capsys.readouterr().err.startswith(f"manyply: {file}: ")


def test_complaint_about_several_options_names_the_file_of_one_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text("local = 0\n")
    assert code_of(monkeypatch, "rollout", ID) == ExitCode.BAD_INPUT
    assert capsys.readouterr().err.startswith(f"manyply: {file}: --workers 0 leaves nobody")


def test_file_that_cannot_be_read_is_named(file: Path) -> None:
    file.mkdir()
    with pytest.raises(CommandError, match="cannot be read"):
        read_settings(file, commands())


def test_command_line_wins(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text("[eval]\nplies = 1\njson = true\n")
    assert code_of(monkeypatch, "eval", ID) == 0
    assert '"ply": 1' in capsys.readouterr().out
    assert code_of(monkeypatch, "eval", ID, "--plies", "0") == 0
    assert '"ply": 0' in capsys.readouterr().out


def test_table_of_a_command_that_games_share_is_for_the_game_that_goes_unsaid(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    text = '[move]\nplies = 1\ndice = "31"\njson = true\n[move.backgammon]\nplies = 0\n'
    file.write_text(text)
    assert code_of(monkeypatch, "move", ID) == 0
    assert '"ply": 0' in capsys.readouterr().out


def test_help_needs_no_good_file(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    file.write_text("plies = ")
    assert code_of(monkeypatch, "eval", "--help") == 0


def test_a_master_asked_for_is_not_spoiled_by_analysers_of_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path
) -> None:
    file.write_text('analyser = ["127.0.0.1:1"]\nlocal = 1\n')
    code = code_of(monkeypatch, "rollout", ID, "--master", str(file.parent / "no.sock"))
    assert code == ExitCode.UNREACHABLE
    assert "--analyser" not in capsys.readouterr().err


def test_colours_are_set_unless_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    file.write_text('colour = "never"')
    apply_colour(read_settings(file, commands()))
    assert os.environ["NO_COLOR"]
    file.write_text('colour = "always"')
    apply_colour(read_settings(file, commands()))
    assert "FORCE_COLOR" not in os.environ

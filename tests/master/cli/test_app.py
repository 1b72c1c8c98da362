"""The table of commands: default games, shell completion, manual pages."""

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from master.cli.app import commands, manyply, run
from master.cli.commands import CommandGroup, GameCommands, ListedCommand
from master.cli.completion_command import SHELLS
from master.cli.errors import ExitCode
from master.cli.games import GAMES, VERBS, GameGroup, move_command, play_command
from master.cli.manual import PROGRAMS, page
from master.games import table
from tests.master.cli.shown import POSITION


def code_of(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    """Run the command line in this process; return its exit code."""
    monkeypatch.setattr(sys, "argv", ["manyply", *args])
    try:
        run()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("command", commands())
def test_every_command_has_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert code_of(monkeypatch, command, "--help") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Usage: manyply {command} ")
    assert all(len(line) <= 80 for line in out.splitlines())


def test_help_lists_commands_and_exit_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(monkeypatch, "--help") == 0
    out = capsys.readouterr().out
    assert all(f"  {command}" in out for command in commands())
    assert "130  interrupted" in out


def test_nothing_asked_for_shows_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(monkeypatch) == ExitCode.BAD_INPUT
    assert capsys.readouterr().err.startswith("Usage: manyply ")


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("rolout",), "No such command 'rolout': did you mean 'rollout'?"),
        (("zzz",), "No such command 'zzz' (see manyply --help)"),
        (("--zzz",), "No such option '--zzz' (see manyply --help)"),
        (("search", "othello", "start", "--seconds", "1"), "No such option '--seconds' (see"),
        (("analyse", "chess", "x.pgn", "--level", "quick"), "No such option '--level' (see"),
        (("rollout",), "Missing argument 'ID' (see manyply rollout backgammon --help)"),
        (("rollout", "xyz"), "no ID in 'xyz': expected XGID="),
        (("rollout", "4HPwATDgc/ABMA", "--trails", "3"), "'--trials'"),
        (("rollout", "4HPwATDgc/ABMA", "--dice", "37"), "'37' is not a roll"),
        (("show", "99"), "there is no job 99"),
    ],
)
def test_mistake_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    complaint: str,
) -> None:
    assert code_of(monkeypatch, *args) == ExitCode.BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("manyply: ")
    assert complaint in err


def test_games_are_those_of_the_fronts() -> None:
    assert [*GAMES] == [*table.GAMES]


@pytest.mark.parametrize("game", GAMES)
def test_commands_are_called_as_their_game_says_and_said_to_do_something(game: str) -> None:
    for name, command in GAMES[game].own.items():
        assert command.load().name == name
        assert command.help[0].isupper()
        assert command.help.endswith(".")
    assert {load().name for load in GAMES[game].verbs.values()} <= {game}


@pytest.mark.parametrize("game", GAMES)
def test_games_have_commands_in_their_own_rooms(game: str) -> None:
    own = [command.load for command in GAMES[game].own.values()]
    for load in (*own, *GAMES[game].verbs.values()):
        assert load.__module__ == f"master.cli.{game}.commands"
        callback = load().callback
        assert callback is not None
        assert callback.__module__.startswith("master.cli.")


def test_no_two_games_have_one_command_and_none_takes_a_common_name() -> None:
    own = [name for game in GAMES.values() for name in game.own]
    common = len(commands()) - len(own)
    assert len(own) == len(set(own))
    assert common > len(VERBS)
    assert all({*game.verbs} <= {*VERBS} for game in GAMES.values())


def test_lists_of_commands_cannot_be_changed_and_share_nothing() -> None:
    one, other = GameCommands(), GameCommands()
    assert one == other
    assert one.own is not other.own
    listed = ListedCommand(commands()["jobs"].load, "help", CommandGroup.PLAY)
    with pytest.raises(AttributeError):
        listed.help = "other"  # type: ignore[misc]


def ran(*args: str, verb: str = "play") -> Any:
    return CliRunner().invoke(manyply, [verb, *args], prog_name="manyply")


@pytest.mark.parametrize("group", [play_command, move_command], ids=lambda group: group.name)
def test_every_game_has_its_help(group: GameGroup) -> None:
    assert group.name is not None
    context = group.make_context(group.name, ["--help"], resilient_parsing=True)
    for game in group.list_commands(context):
        result = ran(game, "--help", verb=group.name)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: manyply {group.name} {game} ")


@pytest.mark.parametrize("args", [(), ("backgammon",)])
def test_backgammon_is_played_unless_another_game_is_named(args: tuple[str, ...]) -> None:
    assert ran(*args, "--help").stdout == ran("backgammon", "-h").stdout
    assert "--tutor" in ran(*args, "--help").stdout
    wrong = ran(*args, "--match", "3", "--money")
    assert "--match and --money exclude each other" in wrong.stderr


def test_a_word_that_is_no_game_is_a_file_to_go_on_with() -> None:
    assert "nowhere.sgf" in str(ran("nowhere.sgf").exception)
    assert "Invalid value" not in ran("nowhere.sgf").output


@pytest.mark.parametrize("words", [(POSITION, "--dice", "31"), ("--dice", "31", POSITION)])
def test_moves_are_those_of_backgammon_unless_another_game_is_named(words: tuple[str, ...]) -> None:
    found = ran(*words, "--json", verb="move").stdout
    assert found == ran("backgammon", *words, "--json", verb="move").stdout
    assert found.startswith('{"dice": [3, 1]')


SCRIPTS = Path(sys.executable).parent


def completed(words: str) -> list[str]:
    """Return what bash is told for the words before the cursor."""
    environ = {"_MANYPLY_COMPLETE": "bash_complete", "COMP_WORDS": words}
    count = str(len(words.split()) - (not words.endswith(" ")))
    done = CliRunner().invoke(manyply, env=environ | {"COMP_CWORD": count}, prog_name="manyply")
    return [line.partition(",")[2] for line in done.output.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_script_serves_all_three_programs(shell: str) -> None:
    script = CliRunner().invoke(manyply, ["completion", shell], prog_name="manyply").output
    for program in ("manyply", "manyply_master", "manyply_analyser"):
        assert f"_{program}_completion" in script


def test_commands_and_options_are_completed() -> None:
    assert completed("manyply roll") == ["rollout"]
    assert "--dice" in completed("manyply rollout --d")


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_takes_the_script(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = CliRunner().invoke(manyply, ["completion", shell], prog_name="manyply").output
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.when_changed
def test_bash_completes_with_the_script() -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    script = """
eval "$(manyply completion bash)"
COMP_WORDS=(manyply rollout --tri) COMP_CWORD=2
_manyply_completion manyply
printf '%s\\n' "${COMPREPLY[@]}"
"""
    environ = os.environ | {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    argv = ["bash", "--norc", "-c", script]
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--trials"]


needs_groff = pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")


def test_every_command_and_its_options_are_in_the_manual() -> None:
    text = page("manyply")
    assert all(f".SS manyply {command}" in text for command in commands())
    assert r"\fB\-\-dice DICE\fP" in text
    assert ".SS manyply search othello" in text


def test_pages_are_the_same_after_a_command_was_called_without_its_program() -> None:
    command = manyply.get_command(click.Context(manyply), "completion")
    assert command is not None
    before = page("manyply")
    cached = copy.copy(command.__dict__)
    try:
        command.__dict__["_help_option"] = None  # what click has made for those before us
        assert CliRunner().invoke(command, ["--help"]).exit_code == 0
        assert page("manyply") == before
    finally:
        command.__dict__.update(cached)


@needs_groff
@pytest.mark.parametrize("name", PROGRAMS)
def test_roff_finds_nothing_wrong(name: str) -> None:
    argv = ["groff", "-man", "-Tascii", "-ww", "-z"]
    done = subprocess.run(argv, input=page(name), capture_output=True, text=True, check=True)
    assert done.stderr == ""


@needs_groff
def test_exit_codes_keep_their_lines() -> None:
    argv = ["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u"]
    done = subprocess.run(argv, input=page("manyply"), capture_output=True, text=True, check=True)
    assert "\n       130  interrupted by Ctrl-C; `manyply resume` goes on\n" in done.stdout

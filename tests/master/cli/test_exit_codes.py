"""Every command ends by the one table of exit codes, whatever is wrong."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path

import click
import pytest

from master.cli.app import manyply, run
from master.cli.errors import EXIT_CODES_HELP, CommandError, ExitCode, usage_line

POSITION = "4HPwATDgc/ABMA"
SQUARES = "---------------------------OX------XO--------------------------- X"

ASKED = {
    "again": ["1"],
    "analyse backgammon": ["{match}"],
    "analyse chess": ["{game}"],
    "analyse othello": ["{transcripts}"],
    "attach": ["1"],
    "extend": ["1", "--trials", "72"],
    "fleet down": ["local:1"],
    "fleet list": [],
    "fleet scale": ["1"],
    "fleet up": ["local:1"],
    "forget": ["1"],
    "halt": ["1"],
    "jobs": [],
    "play backgammon": [],
    "play threes": [],
    "priority": ["1", "background"],
    "profile": ["A", "{match}"],
    "quiz": ["{match}"],
    "resume": ["1"],
    "rollout backgammon": [POSITION],
    "rollout threes": [],
    "search chess": [],
    "search othello": [SQUARES],
    "show": ["1"],
    "web": [],
}
"""What each command that takes --master is asked, in its shortest form."""


def leaves(command: click.Command, *words: str) -> Iterator[tuple[str, click.Command]]:
    """Yield all commands that do something, by their words."""
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below is not None
        yield from leaves(below, *words, name)


COMMANDS = dict(leaves(manyply))
WITHOUT_MASTER = {
    "move backgammon": "is answered here if it takes a moment",
    "move threes": "is answered here if it takes a moment",
    "uci": "has analysers of its own",
}
WITH_MASTER = [
    words
    for words, command in COMMANDS.items()
    if any("--master" in parameter.opts for parameter in command.params)
    and words not in WITHOUT_MASTER
]


def code_of(monkeypatch: pytest.MonkeyPatch, *args: str) -> int:
    """Run the command line in this process; return its exit code."""
    monkeypatch.setattr(sys, "argv", ["manyply", *args])
    with pytest.raises(SystemExit) as ended:
        run()
    return int(ended.value.code or 0)


@pytest.mark.parametrize("words", COMMANDS)
def test_unknown_option_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert code_of(monkeypatch, *words.split(), "--no-such-option") == ExitCode.BAD_INPUT
    assert capsys.readouterr().err.startswith("manyply: ")


@pytest.mark.parametrize("words", COMMANDS)
def test_help_that_cannot_be_written_says_why(monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    reading, closed = os.pipe()
    os.close(reading)
    full = os.open("/dev/full", os.O_WRONLY)
    for descriptor, code in ((full, ExitCode.STORAGE), (closed, ExitCode.OUTPUT_CLOSED)):
        output = os.fdopen(descriptor, "w")
        monkeypatch.setattr(sys, "stdout", output)
        assert code_of(monkeypatch, *words.split(), "--help") == code
        with suppress(OSError):  # what could not be written still cannot
            output.close()


@pytest.mark.parametrize("words", WITH_MASTER)
def test_master_that_does_not_answer_is_unreachable(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: str,
) -> None:
    names = {"match": "a.mat", "game": "a.pgn", "transcripts": "a.txt"}
    files = {kind: tmp_path / name for kind, name in names.items()}
    files["match"].write_text(" 1 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5\n")
    files["game"].write_text("1. e4 e5 *\n")
    files["transcripts"].write_text("f5d6c3\n")
    monkeypatch.setattr(sys, "stdin", StringIO("\n"))
    asked = [each.format(**files) for each in ASKED[words]]
    absent = str(tmp_path / "none.sock")
    assert code_of(monkeypatch, *words.split(), *asked, "--master", absent) == ExitCode.UNREACHABLE
    err = capsys.readouterr().err
    assert f"no master answers at {absent}" in err


def test_message_that_nobody_reads_changes_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, closed = os.pipe()
    os.close(reading)
    with os.fdopen(closed, "w", buffering=1) as errors:
        monkeypatch.setattr(sys, "stderr", errors)
        assert code_of(monkeypatch, "show", "99") == ExitCode.BAD_INPUT
        assert code_of(monkeypatch, "eval", "xyz") == ExitCode.BAD_INPUT


@pytest.mark.parametrize("code", ExitCode)
def test_every_exit_code_is_in_the_help(code: ExitCode) -> None:
    assert any(line.split()[:1] == [str(int(code))] for line in EXIT_CODES_HELP.splitlines())


def test_error_is_one_line() -> None:
    error = CommandError("a path\nwith a line break", ExitCode.STORAGE)
    assert str(error) == "a path with a line break"
    assert error.exit_code == 3
    assert CommandError("plain").exit_code == ExitCode.BAD_INPUT


def test_usage_error_points_to_the_help() -> None:
    context = click.Context(click.Command("show"), info_name="manyply show")
    error = click.UsageError("Missing\nargument 'JOB'.", ctx=context)
    assert usage_line(error) == "Missing argument 'JOB' (see manyply show --help)"
    assert usage_line(click.UsageError("Oops.")) == "Oops"

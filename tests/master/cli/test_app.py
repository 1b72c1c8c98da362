import sys

import pytest

from master.cli.app import commands, run
from master.cli.errors import ExitCode


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
        (("rollout",), "Missing argument 'ID' (see manyply rollout backgammon --help)"),
        (("rollout", "xyz"), "not a text of 3 characters"),
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

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from analyser.command import main as analyser_main
from master.cli.app import manyply
from master.cli.arguments import CountType, read_seconds, read_std_error
from master.cli.errors import ExitCode
from master.command import main as master_main
from tests.master.cli.shown import POSITION

GNUBG_ID = f"{POSITION}:cAkAAAAAAAAA"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10"


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "", "1e999", "x"])
def test_what_is_no_standard_error_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a standard error"):
        read_std_error(text)


def test_standard_error_is_read() -> None:
    assert read_std_error("1e-3") == 0.001


@pytest.mark.parametrize(
    ("text", "seconds"), [("0.1", 0.1), ("3600", 3600.0), ("2", 2.0), (" 1e1", 10.0)]
)
def test_times_are_read(text: str, seconds: float) -> None:
    assert read_seconds(text) == seconds


@pytest.mark.parametrize("text", ["0", "-1", "3601", "inf", "nan", "soon", ""])
def test_times_that_nobody_means_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected 0\.1 to 3600 seconds"):
        read_seconds(text)


def test_whole_numbers_are_called_so() -> None:
    assert CountType(0, 9).name == "whole number"


def commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for sub in command.list_commands(click.Context(command)):
            found = command.get_command(click.Context(command), sub)
            assert found is not None
            yield from commands(f"{name} {sub}", found)


PROGRAMS = {"manyply": manyply, "manyply-master": master_main, "manyply-analyser": analyser_main}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_number_has_two_ends(program: str) -> None:
    endless = [
        f"{name} {param.name}"
        for name, command in commands(program, PROGRAMS[program])
        for param in command.params
        if isinstance(param.type, click.types.IntParamType) and not is_counted(param)
        if not isinstance(param.type, click.IntRange) or (param.type.max or 2**63) >= 2**63
    ]
    assert endless == []


def is_counted(param: click.Parameter) -> bool:
    """Whether it is given several times instead of with a number, as -vv."""
    return isinstance(param, click.Option) and param.count


@pytest.mark.parametrize("number", ["99999999999999999999999", "9007199254740992", "-1", "0"])
@pytest.mark.parametrize("command", ["show", "resume", "attach", "halt"])
def test_number_that_no_job_has_is_a_bad_argument(command: str, number: str) -> None:
    result = CliRunner().invoke(manyply, [command, "--", number])
    assert result.exit_code == ExitCode.BAD_INPUT
    assert "is not in the range" in result.stderr

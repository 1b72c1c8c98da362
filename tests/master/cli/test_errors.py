import click
import pytest

from master.cli.errors import EXIT_CODES_HELP, CommandError, ExitCode, usage_line


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

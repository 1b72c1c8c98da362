import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import click
import pytest
from click.testing import CliRunner

from analyser.command import main as analyser_main
from master.cli.app import manyply
from master.cli.arguments import CountType, read_seconds, read_std_error
from master.cli.errors import ExitCode
from master.cli.place import Place, place_options
from master.command import main as master_main
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.config.fleet_specs import parse_fleet_spec
from protocol.address import parse_address
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


ENTRY = FleetEntry("", parse_fleet_address("127.0.0.1:9"))


@click.command()
@place_options
def asked(place: Place) -> None:
    click.echo(repr(place))


def test_options_say_where() -> None:
    words = ["--analyser", "127.0.0.1:9", "--analyser", "127.0.0.1:9", "--local", "2"]
    ended = CliRunner().invoke(asked, words)
    assert ended.output.strip() == repr(Place(None, (ENTRY,), 2))


def test_fleet_on_this_machine_takes_its_cores() -> None:
    fleet = parse_fleet_spec("local:2").entries()
    for words, local in ((["--fleet", "local:2"], 0), (["--fleet", "local:2", "--local", "1"], 1)):
        ended = CliRunner().invoke(asked, words)
        assert ended.output.strip() == repr(Place(None, fleet, local))
    elsewhere = CliRunner().invoke(asked, ["--analyser", "127.0.0.1:9", "--fleet", "ssh:attic"])
    entries = (ENTRY, *parse_fleet_spec("ssh:attic").entries())
    assert elsewhere.output.strip() == repr(Place(None, entries, None))


def test_engine_is_asked_for_its_fleet() -> None:
    ended = CliRunner().invoke(asked, ["--fleet", "slurm:2:night", "--listen", "login:4000"])
    fleets = (parse_fleet_spec("slurm:2:night"),)
    place = Place(None, (), None, fleets, parse_address("login:4000"))
    assert ended.output.strip() == repr(place)
    assert place.is_here


def test_options_say_what_analysers_have_to_show() -> None:
    words = ["--secret", "none", "--tls", "attic.pem", "--local-port", "4000"]
    ended = CliRunner().invoke(asked, words)
    shown = Place(secret="none", tls=Path("attic.pem"), local_port=4000)
    assert ended.output.strip() == repr(shown)
    assert shown == Place(), "where work is done is the same"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--analyser", "nowhere"], "not an address"),
        (["--fleet", "attic"], "names no fleet"),
        (["--listen", "attic:1"], "--listen is for analysers of a --fleet"),
        (["--fleet", "slurm:1", "--listen", "attic"], "not an address"),
        (["--fleet", "slurm:1", "--master", "socket"], "leave out"),
        (["--local", "0"], "leaves nobody to compute"),
        (["--master", "socket", "--local", "1"], "leave out"),
    ],
)
def test_a_contradiction_is_named(words: list[str], reason: str) -> None:
    ended = CliRunner().invoke(asked, words)
    assert ended.exit_code == 2
    assert reason in ended.output


@pytest.mark.slow
def test_the_options_of_a_place_load_neither_master_nor_analyser() -> None:
    code = "import sys, master.cli.place; print('master.service.service' in sys.modules)"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

import sys
from pathlib import Path
from subprocess import run

import click
import pytest
from click.testing import CliRunner

from master.cli.place import Place, place_options
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.config.fleet_specs import parse_fleet_spec
from protocol.address import parse_address

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

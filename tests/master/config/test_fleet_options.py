"""Analysers and fleets on a command line."""

import click
import pytest
from click.testing import CliRunner

from master.config.fleet_list import FleetEntry
from master.config.fleet_options import read_analysers, read_fleets
from master.config.fleet_specs import FleetSpec
from protocol.address import Address

READ: list[tuple[FleetEntry, ...]] = []


@click.command()
@click.option("--analyser", multiple=True, callback=read_analysers)
@click.option("--fleet", multiple=True, callback=read_fleets)
def command(analyser: tuple[FleetEntry, ...], fleet: tuple[FleetSpec, ...]) -> None:
    READ.append((*analyser, *(entry for spec in fleet for entry in spec.entries())))


def test_each_is_named_once_however_often_it_is_written() -> None:
    arguments = ["--analyser", "a:1", "--analyser", "a:1", "--fleet", "local:2"]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    first, *others = READ.pop()
    assert first == FleetEntry("", Address("a", 1))
    assert [other.name for other in others] == ["local-1", "local-2"]


@pytest.mark.parametrize("arguments", [["--analyser", "attic"], ["--fleet", "what:2"]])
def test_what_names_nobody_is_a_bad_option(arguments: list[str]) -> None:
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 2
    assert "names no" in done.output or "is not an address" in done.output

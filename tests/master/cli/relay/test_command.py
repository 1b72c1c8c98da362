"""Two endpoints of one command: each has its own guards."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from master.cli.relay.command import main, upper_endpoint_options
from protocol.access.rules import Access
from protocol.guards.options import endpoint_options


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--up-listen", ":1"], "nobody would compute: give --listen HOST:PORT"),
        (["--up-listen", "attic", "--local", "1"], "'attic' is not an address"),
        (["--up-listen", ":1", "--stdio", "--local", "1"], "exclude one another"),
        (["--fleet", "nowhere", "--local", "1"], "nowhere"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output


READ: list[tuple[Access, Access]] = []


@click.command()
@upper_endpoint_options("manyply-relay")
@click.option("--other")
@endpoint_options("manyply-relay")
def both(access: Access, up_access: Access, other: str | None) -> None:
    READ.append((up_access, access))


def read(*arguments: str) -> tuple[Access, Access]:
    result = CliRunner().invoke(both, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return READ.pop()


def test_a_secret_above_is_none_below_and_the_other_way_round(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("correct horse battery staple")
    file.chmod(0o600)
    up, down = read("--up-secret", str(file), "--secret", "none")
    assert (up.secret is None, down.secret is None) == (False, True)
    up, down = read("--up-secret", "none", "--secret", str(file), "--up-open")
    assert (up.secret is None, down.secret is None) == (True, False)
    assert (up.is_open, down.is_open) == (True, False)


def test_a_relay_may_be_of_a_fleet_that_was_given_a_ticket(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("correct horse battery staple")
    file.chmod(0o600)
    up, down = read("--up-secret", str(file), "--up-ticket", "f1", "--secret", "none")
    assert (up.ticket, down.ticket) == ("f1", "")


def test_networks_above_are_not_those_below() -> None:
    up, down = read("--up-allow", "10.0.0.0/8", "--up-secret", "none", "--secret", "none")
    assert (len(up.allowed), len(down.allowed)) == (1, 0)


@pytest.mark.parametrize("option", ["--up-secret", "--up-tls"])
def test_a_file_that_is_not_there_is_named(option: str) -> None:
    result = CliRunner().invoke(both, [option, "/no/such/file"])
    assert result.exit_code == 2
    assert "/no/such/file" in result.output


def test_every_option_has_its_twin_in_the_help() -> None:
    names = {name for option in both.params for name in option.opts if name.startswith("--up-")}
    assert names
    others = {name for option in both.params for name in option.opts}
    assert {f"--{name.removeprefix('--up-')}" for name in names} - others == {"--ticket"}

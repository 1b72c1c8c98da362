"""How a master is met, as options say it."""

import click
import pytest
from click.testing import CliRunner

from analyser.connecting_options import (
    Connecting,
    connecting_options,
    name_option,
    verbose_option,
)
from protocol.address import Address

READ: list[Connecting] = []


@click.command()
@connecting_options("up-")
@name_option
@verbose_option
def prefixed(connecting: Connecting) -> None:
    connecting.check()
    READ.append(connecting)


def read(*arguments: str) -> Connecting:
    result = CliRunner().invoke(prefixed, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return READ.pop()


def test_all_are_collected() -> None:
    dialled = read("--connect", "a:1", "--up-local-port", "5", "--name", "attic", "-vv")
    assert dialled == Connecting(
        "attic", None, Address("a", 1), local_port=5, verbose=2, prefix="up-"
    )
    assert not dialled.is_handed_over
    assert read("--up-listen", ":7").listen == Address("", 7)
    assert read("--stdio").is_handed_over


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--up-listen", ":1", "--stdio"], "--up-listen, --connect and --stdio exclude"),
        (["--up-local-port", "5"], "--up-local-port belongs to --connect"),
        (["--listen", ":1"], "No such option"),
    ],
)
def test_contradictions_are_named(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(prefixed, arguments)
    assert result.exit_code == 2
    assert text in result.output

"""Options become addresses, or one line that says what an address is."""

import click
import pytest
from click.testing import CliRunner

from protocol.address import Address
from protocol.guards.address_option import read_address

FOUND: list[Address | None] = []


@click.command()
@click.option("--listen", callback=read_address)
def command(listen: Address | None) -> None:
    FOUND.append(listen)


def test_text_is_read_and_none_is_none() -> None:
    FOUND.clear()
    for words in (["--listen", "localhost:4151"], []):
        assert CliRunner().invoke(command, words).exit_code == 0
    assert [Address("localhost", 4151), None] == FOUND


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "localhost:99999", ":x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    FOUND.clear()
    result = CliRunner().invoke(command, ["--listen", text])
    assert (result.exit_code, FOUND) == (2, [])
    assert "--listen" in result.output.splitlines()[-1]

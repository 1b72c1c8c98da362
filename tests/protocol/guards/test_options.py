"""Options of endpoints become addresses and what peers must prove, or one line of error."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from protocol.access.rules import Access
from protocol.address import Address
from protocol.guards import options
from protocol.guards.address_option import read_address
from protocol.guards.libwrap import LibwrapError
from protocol.guards.options import endpoint_options
from tests.protocol.household import machine, pem

FOUND: list[Access] = []


@click.command()
@endpoint_options("manyply-master")
@click.option("--other")
def command(access: Access, other: str | None) -> None:
    FOUND.append(access)


@pytest.fixture(autouse=True)
def nobody_found_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FOUND.clear()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def run(*words: str) -> Access:
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 0, result.output
    return FOUND[-1]


def test_no_option_is_no_guard() -> None:
    assert run() == Access()


def test_options_are_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s").write_text("correct horse battery staple")
    (tmp_path / "s").chmod(0o600)
    monkeypatch.setattr(options, "load_libwrap", lambda daemon: lambda host: host == daemon)
    words = ["--secret", str(tmp_path / "s"), "--allow", "10.0.0.0/8", "--allow", "fd00::/8"]
    access = run(*words, "--libwrap", "--open", "--other", "x")
    assert access.secret is not None
    assert [str(network) for network in access.allowed] == ["10.0.0.0/8", "fd00::/8"]
    assert access.is_let_in is not None
    assert access.is_let_in("manyply-master")
    assert access.is_open
    assert run("--secret", "none") == Access()


@click.command()
@endpoint_options("manyply-analyser", has_ticket=True)
@click.option("--stdio", is_flag=True)
def member(access: Access, stdio: bool) -> None:
    FOUND.append(access)


def test_ticket_names_the_secret(tmp_path: Path) -> None:
    (tmp_path / "s").touch(0o600)
    (tmp_path / "s").write_text("correct horse battery staple")
    words = ["--secret", str(tmp_path / "s"), "--ticket", "night-7"]
    assert CliRunner().invoke(member, words).exit_code == 0
    lock = FOUND[-1].lock()
    assert lock is not None
    assert lock.ticket == "night-7"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ticket", "night"], "give --secret FILE too"),
        (["--ticket", "-"], "'-' is no ticket"),
        (["--secret", "-", "--stdio"], "--stdio speaks with a master there"),
    ],
)
def test_ticket_that_cannot_be_used_is_said(words: list[str], said: str) -> None:
    result = CliRunner().invoke(member, words)
    assert (result.exit_code, said in result.output) == (2, True), result.output


def test_credentials_of_the_service_are_found_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in (("manyply-secret", b"x" * 40), ("manyply-tls", pem(machine("attic")))):
        (tmp_path / name).touch(mode=0o600)
        (tmp_path / name).write_bytes(content)
    assert run() == Access()
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    access = run()
    assert access.secret is not None
    assert access.tls is not None
    assert access.is_guarded


def no_library(daemon: str) -> None:
    raise LibwrapError("--libwrap needs a library")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--secret", "/nonexistent"], "cannot read the secret"),
        (["--secret", "/dev/null"], "a secret of 16 to 1024 bytes, not 0"),
        (["--secret", "/dev/zero"], "a secret of 16 to 1024 bytes, not 2049"),
        (["--secret", "/"], "cannot read the secret /: Is a directory"),
        (["--allow", "10.0.0.1/8"], "no network"),
        (["--libwrap"], "needs a library"),
        (["--tls", "/nonexistent"], "cannot be read"),
        (["--tls", "/dev/null"], "expected a file, found a pipe or a device"),
    ],
)
def test_what_cannot_be_used_is_said(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "load_libwrap", no_library)
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2
    assert said in result.output


ADDRESSES: list[Address | None] = []


@click.command()
@click.option("--listen", callback=read_address)
def listening(listen: Address | None) -> None:
    ADDRESSES.append(listen)


def test_text_is_read_and_none_is_none() -> None:
    ADDRESSES.clear()
    for words in (["--listen", "localhost:4151"], []):
        assert CliRunner().invoke(listening, words).exit_code == 0
    assert [Address("localhost", 4151), None] == ADDRESSES


@pytest.mark.parametrize("text", ["", "localhost", "localhost:", "localhost:99999", ":x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    ADDRESSES.clear()
    result = CliRunner().invoke(listening, ["--listen", text])
    assert (result.exit_code, ADDRESSES) == (2, [])
    assert "--listen" in result.output.splitlines()[-1]

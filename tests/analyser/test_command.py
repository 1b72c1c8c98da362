"""The analyser's options: engines by program, limits, and how it connects to a master."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from analyser.command import main, use_engines
from analyser.connecting_options import (
    Connecting,
    connecting_options,
    name_option,
    verbose_option,
)
from engine_ext import services
from engine_ext.chess.uci_engine import engine
from protocol.address import Address
from tests.engine_ext.chess.uci_engine.programs import program


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--listen", "attic"], "'attic' is not an address: expected HOST:PORT"),
        (["--connect", "attic:99999"], "'attic:99999' is not an address"),
        (["--listen", ":1", "--stdio"], "exclude one another"),
        (["--listen", ":1", "--connect", "attic:1"], "exclude one another"),
        (["--listen", ":1", "--local-port", "5"], "--local-port belongs to --connect"),
        (["--workers", "0", "--listen", ":1"], "0 is not in the range"),
        (["--name", "a\nb", "--listen", ":1"], "a name has 1 to 64 printable characters"),
        (["--name", "n" * 65, "--listen", ":1"], "a name has 1 to 64 printable characters"),
        (["--lend"], "No such option"),
        (["--stdio", "--secret", "-"], "--stdio speaks with a master there"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert text in result.output
    assert "Traceback" not in result.output


def test_help_names_every_endpoint_and_exit_code() -> None:
    output = CliRunner().invoke(main, ["--help"]).output
    for word in ("--listen", "--connect", "--stdio", "LISTEN_FDS", "Exit codes"):
        assert word in output


@pytest.fixture(autouse=True)
def own_engine_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(services, "_CHOSEN", {})
    yield
    services.engine_digest.cache_clear()
    engine._close()


def test_engines_are_started_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    use_engines([f"chess=uci:{' '.join(program(tmp_path).command)}"])
    assert caplog.messages == [f"chess by Polite 1, engine {services.engine_digest('chess')}"]


@pytest.mark.parametrize(
    "text", ["chess", "", "uci:no-such", "stockfish", "go=uci:x", "chess=uci:no-such"]
)
def test_mistakes_are_named(text: str) -> None:
    with pytest.raises(click.BadParameter):
        use_engines([text])


@pytest.mark.slow
@pytest.mark.when_changed
def test_an_analyser_with_an_engine_that_is_none_says_so_and_ends() -> None:
    words = [sys.executable, "-P", "-m", "analyser", "--stdio", "--engine", "chess=uci:true"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "Invalid value for '--engine': true is no engine that speaks UCI" in ended.stderr


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

"""`--engine`: a program computes a game, and analysers say which."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyser.engine_options import use_engines
from engine_ext import services
from engine_ext.chess.uci_engine import engine
from tests.engine_ext.chess.uci_engine.programs import program


@pytest.fixture(autouse=True)
def own_engine_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(services, "_CHOSEN", {})
    yield
    services.engine_digest.cache_clear()
    engine._close()


def test_engines_are_started_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    use_engines([f"chess=uci:{' '.join(program(tmp_path).command)}"])
    assert caplog.messages == [f"chess by Polite 1, engine {services.engine_digest('chess')}"]


@pytest.mark.parametrize("text", ["chess", "", "uci:stockfish", "go=uci:x", "chess=uci:no-such"])
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

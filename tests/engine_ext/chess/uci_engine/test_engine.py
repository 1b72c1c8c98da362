"""The chosen engine in the place of our own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_ext import contexts, services
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe_text import ProbeQuestion
from engine_ext.chess.uci_engine import engine
from engine_ext.control import RunControl
from tests.engine_ext.chess.uci_engine.programs import program


@pytest.fixture(autouse=True)
def own_engine_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(services, "_CHOSEN", {})
    yield
    services.engine_digest.cache_clear()
    engine._close()


def question(digest: str) -> str:
    return ProbeQuestion(digest, (read_fen(START),), (), 50).to_text()


def test_it_answers_in_the_place_of_our_own(tmp_path: Path) -> None:
    own = services.engine_digest("chess")
    command = " ".join(program(tmp_path).command)
    assert services.use_engine("chess", f"{command},Hash=8") == "Polite 1, Hash 8"
    assert services.engine_name("chess") == "Polite 1, Hash 8"
    assert services.engine_name("noop") == ""
    chosen = services.engine_digest("chess")
    assert chosen != own
    assert services.game_services("chess") == ("looks",)
    found = services.answer(question(chosen), RunControl())
    assert found == "nodes=70 depth=3 lines=31:e2e4.e7e5"
    with pytest.raises(contexts.ContextError, match=f"of engine {own}, this one is {chosen}"):
        services.answer(question(own), RunControl())
    assert services.power_work("chess")(RunControl()) == 0


@pytest.mark.parametrize(
    ("game", "text", "complaint"),
    [
        ("chess", "no-such-program", "there is no program 'no-such-program'"),
        ("chess", "xboard:fairymax", "expected uci:WHICH"),
        ("chess", "uci:no-such-program", "there is no program"),
        ("othello", "uci:edax", "'othello' has one engine: others are for chess"),
        ("go", "uci:gnugo", "'go' has one engine"),
    ],
)
def test_mistakes_are_named(game: str, text: str, complaint: str) -> None:
    with pytest.raises(contexts.EngineChoiceError, match=complaint):
        services.use_engine(game, text)
    assert services.game_services("chess") == ("looks", "search")

from collections.abc import AsyncIterator, Callable

import pytest

from analyser import backend
from analyser.agent import Agent, AgentConfig
from engine_ext import services
from engine_ext.othello import shared_table
from tests.analyser import broken_engine


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let no test know what another one's searches found; called, it forgets again."""

    def forget() -> None:
        monkeypatch.setattr(shared_table.TABLES, "by_name", {})

    forget()
    return forget


@pytest.fixture
def broken_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the game `broken`."""
    monkeypatch.setitem(services.GAMES, "broken", broken_engine.FRONT)


MakeAgent = Callable[..., Agent]


@pytest.fixture
async def make_agent(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MakeAgent]:
    """Make agents that are closed at the end; their power is measured by one piece of work."""
    monkeypatch.setattr(backend, "MEASURE_S", 0.0)
    agents: list[Agent] = []

    def make(**settings: object) -> Agent:
        config = {"name": "attic", "worker_count": 2, "games": ("noop",)} | settings
        agents.append(Agent(AgentConfig(**config)))  # type: ignore[arg-type]
        return agents[-1]

    yield make
    for agent in agents:
        await agent.close()

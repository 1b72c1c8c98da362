"""An agent in service; endpoints, signals and terms as real programs are in tests/daemons."""

import asyncio
import os
import signal

import click
import pytest

from analyser.agent import Agent, AgentConfig
from analyser.connecting_options import Connecting
from analyser.lending_options import Lending
from analyser.serving import Endpoints, find_endpoints, serve
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from tests.analyser.driven_master import until
from tests.analyser.toy_backend import ToyBackend


def test_a_endpoint_is_needed() -> None:
    with pytest.raises(click.UsageError, match="give --up-listen HOST:PORT, --connect"):
        find_endpoints(NOBODY_ELSE, Connecting("attic", prefix="up-"), Lending())


def test_giving_up_is_for_who_dials() -> None:
    listening = Connecting("attic", listen=Address("127.0.0.1", 0))
    with pytest.raises(click.UsageError, match="--give-up-after belongs to --connect"):
        find_endpoints(NOBODY_ELSE, listening, Lending(give_up_after=9.0))


async def test_a_signal_ends_a_listener_and_closes_the_backend() -> None:
    shops: list[ToyBackend] = []

    def new_backend(outlet: object) -> ToyBackend:
        shops.append(ToyBackend(outlet))  # type: ignore[arg-type]
        return shops[-1]

    agent = Agent(AgentConfig("attic", 1, ()), new_backend=new_backend)
    said: list[str] = []
    endpoints = Endpoints(NOBODY_ELSE, Connecting("attic", listen=Address("127.0.0.1", 0)))
    serving = asyncio.create_task(serve(agent, endpoints, Lending(), said.append))
    await until(lambda: bool(said))
    assert said[0].startswith("listening on port ")
    os.kill(os.getpid(), signal.SIGTERM)
    await serving
    assert shops[0].is_closed


async def test_idle_for_long_enough_is_the_end() -> None:
    agent = Agent(AgentConfig("attic", 1, ()), new_backend=ToyBackend)
    endpoints = Endpoints(NOBODY_ELSE, Connecting("attic", listen=Address("127.0.0.1", 0)))
    await serve(agent, endpoints, Lending(idle_exit=0.01), lambda text: None)

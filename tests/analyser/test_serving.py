"""An agent in service; endpoints, signals and terms as real programs are in tests/daemons."""

import asyncio
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from analyser import serving
from analyser.agent import Agent, AgentConfig
from analyser.connecting_options import Connecting
from analyser.lending import parse_hours
from analyser.lending_options import Lending
from analyser.serving import (
    DRAINING_SIGNALS,
    Endpoints,
    Terms,
    check,
    find_endpoints,
    keep_terms,
    serve,
    wait_idle,
)
from protocol.access.rules import NOBODY_ELSE
from protocol.address import Address
from protocol.session import MasterSession
from tests.analyser.conftest import MakeAgent
from tests.analyser.driven_master import ENDLESS, DrivenMaster, LeftError, expected, until
from tests.analyser.toy_backend import ToyBackend


def test_a_endpoint_is_needed() -> None:
    with pytest.raises(click.UsageError, match="give --up-listen HOST:PORT, --connect"):
        find_endpoints(NOBODY_ELSE, Connecting("attic", prefix="up-"), Lending())


def test_giving_up_is_for_who_dials() -> None:
    listening = Connecting("attic", listen=Address("127.0.0.1", 0))
    with pytest.raises(click.UsageError, match="--give-up-after belongs to --connect"):
        find_endpoints(NOBODY_ELSE, listening, Lending(give_up_after=9.0))


@pytest.mark.parametrize("number", DRAINING_SIGNALS)
async def test_a_signal_ends_a_listener_and_closes_the_backend(number: signal.Signals) -> None:
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
    os.kill(os.getpid(), number)
    await serving
    assert shops[0].is_closed


async def test_idle_for_long_enough_is_the_end() -> None:
    agent = Agent(AgentConfig("attic", 1, ()), new_backend=ToyBackend)
    endpoints = Endpoints(NOBODY_ELSE, Connecting("attic", listen=Address("127.0.0.1", 0)))
    await serve(agent, endpoints, Lending(idle_exit=0.01), lambda text: None)


NIGHT = Terms((parse_hours("22:00-07:00"),))
ON_MAINS = Terms(is_mains_only=True)

SetClock = Callable[[str], None]
SetBattery = Callable[[str], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Set the clock on this machine's wall, which is looked at all the time."""
    monkeypatch.setattr(serving, "CHECK_S", 0.001)

    def set_to(text: str) -> None:
        now = datetime.fromisoformat(f"2026-07-01 {text}").astimezone()
        monkeypatch.setattr(serving, "utc_now", lambda: now.astimezone(UTC))

    return set_to


@pytest.fixture
def set_battery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SetBattery:
    """Set the status of a battery that is all there is of power supplies."""
    monkeypatch.setattr(serving, "CHECK_S", 0.001)
    monkeypatch.setattr(serving, "SUPPLIES", tmp_path)
    (tmp_path / "BAT0").mkdir()
    (tmp_path / "BAT0" / "type").write_text("Battery\n")

    def set_to(status: str) -> None:
        (tmp_path / "BAT0" / "status").write_text(status + "\n")

    return set_to


def test_look_says_until_when(set_clock: SetClock) -> None:
    set_clock("12:00")
    assert check(NIGHT).refusal == "not lent until 22:00"
    set_clock("23:00")
    assert check(NIGHT).refusal == ""
    assert check(NIGHT).notice == "masters are served until 07:00"


def test_look_says_battery_within_the_hours_only(
    set_clock: SetClock, set_battery: SetBattery
) -> None:
    set_battery("Discharging")
    terms = Terms(NIGHT.hours, is_mains_only=True)
    set_clock("23:00")
    assert check(terms).refusal == "not lent on battery"
    assert check(NIGHT).refusal == ""
    set_clock("12:00")
    assert check(terms).refusal == "not lent until 22:00"


def test_look_is_repeated_when_the_hours_begin(
    set_clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "CHECK_S", 30.0)
    set_clock("21:59:50")
    assert check(NIGHT).recheck_s == pytest.approx(10)
    set_clock("21:00")
    assert check(NIGHT).recheck_s == 30
    assert check(Terms()).recheck_s == 30


async def test_hours_open_and_close_an_agent_with_a_line_each(
    make_agent: MakeAgent, set_clock: SetClock
) -> None:
    agent, said = make_agent(), list[str]()
    set_clock("12:00")
    keeping = asyncio.create_task(keep_terms(agent, NIGHT, said.append))
    await until(lambda: not agent.is_open)
    early = DrivenMaster.of(agent)
    with pytest.raises(LeftError, match="not lent until 22:00"):
        await early.begin()
    assert agent._loading is None, "nothing is computed, not even its power"
    set_clock("22:00")
    await agent.wait_open()
    alice = DrivenMaster.of(agent)
    await alice.begin()
    request = alice.ask(1, 50)
    await alice.results(1)
    set_clock("07:00")
    rest = await alice.results(50)
    assert rest[-1] == expected(request)[-1]
    alice.ack()
    with pytest.raises(LeftError, match="drained"):
        await alice.results(1)
    set_clock("23:00")
    await agent.wait_open()
    await DrivenMaster.of(agent, session=MasterSession("s2")).begin()
    until_7, until_22 = "masters are served until 07:00", "no master is served until 22:00"
    assert said == [until_22, until_7, until_22, until_7]
    keeping.cancel()


async def test_battery_closes_an_agent_till_mains_are_back(
    make_agent: MakeAgent, set_battery: SetBattery
) -> None:
    agent, said = make_agent(), list[str]()
    keeping = asyncio.create_task(keep_terms(agent, ON_MAINS, said.append))
    alice = DrivenMaster.of(agent)
    await alice.begin()
    set_battery("Discharging")
    with pytest.raises(LeftError, match="drained"):
        await alice.results(1)
    with pytest.raises(LeftError, match="not lent on battery"):
        await DrivenMaster.of(agent).begin()
    set_battery("Charging")
    await agent.wait_open()
    await DrivenMaster.of(agent).begin()
    assert said == ["on battery: no master is served", "masters are served"]
    keeping.cancel()


async def test_idle_ends_without_a_master_and_not_before(
    make_agent: MakeAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "IDLE_CHECK_S", 0.001)
    agent = make_agent()
    master = DrivenMaster.of(agent)
    await master.begin()
    waiting = asyncio.create_task(wait_idle(agent, 0.001))
    master.ask(1, 1, context=ENDLESS)
    await until(lambda: agent._backend.live_count == 1)
    assert not waiting.done()
    master.link.abort()
    await master.serving
    assert agent.idle_since is None, "it may come back"
    await agent.drain()
    await waiting


async def test_agent_that_is_closed_is_not_idle(make_agent: MakeAgent) -> None:
    agent = make_agent()
    before = agent.idle_since
    assert before is not None
    await agent.pause("not lent")
    assert agent.idle_since is None
    agent.reopen()
    after = agent.idle_since
    assert after is not None
    assert after >= before

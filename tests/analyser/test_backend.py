"""What an agent asks of a backend is all it needs: one that computes nothing serves as well."""

from collections.abc import AsyncIterator, Callable

import pytest

from analyser.agent import NOBODY, Agent, AgentConfig
from analyser.backend import Backend, NewBackend, Outlet
from analyser.own_backend import OwnBackend
from protocol.events import PeerClosed
from protocol.messages import AnalyserHello, Bye, Engine, MasterHello, Ready
from tests.analyser.driven_master import DrivenMaster, until
from tests.analyser.toy_backend import ToyBackend

CONFIG = AgentConfig("attic", 1, ("noop",), drain_s=0.05)
"""A toy computes nothing: who drains waits for its answers in vain."""


class Staffed:
    """An agent before a backend whose workers a test hires and fires."""

    shop: ToyBackend

    def __init__(self) -> None:
        self.agent = Agent(CONFIG, new_backend=self._open)

    def _open(self, outlet: Outlet) -> ToyBackend:
        self.shop = ToyBackend(outlet)
        return self.shop


@pytest.fixture
async def staffed() -> AsyncIterator[Staffed]:
    made = Staffed()
    yield made
    await made.agent.close()
    assert made.shop.is_closed


def test_both_are_backends() -> None:
    new: Callable[[Outlet], Backend] = ToyBackend
    own: NewBackend = lambda outlet: OwnBackend(1, (), outlet)  # noqa: E731
    assert new is not own


async def test_a_master_waits_until_somebody_is_there(staffed: Staffed) -> None:
    master = DrivenMaster.of(staffed.agent)
    assert (await master.send_hello()).cores == 1
    staffed.shop.staff(3)
    assert (await master.hear(Engine)).power == 3.0
    assert (await master.hear(Ready)).workers == 3


async def test_what_came_or_went_is_announced(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.begin()
    for count in (4, 2):
        staffed.shop.staff(count)
        assert (await master.hear(Engine)).power == count
        assert (await master.hear(Ready)).workers == count
    master.ask(1)
    await until(lambda: [request.part for request in staffed.shop.asked] == [1])


async def test_an_older_master_hears_ready_once(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.hear(AnalyserHello)
    master.link.send(MasterHello(version="2.1", name="old", session="s1"))
    await master.hear(Ready)
    staffed.shop.staff(2)
    master.ask(1)
    await until(lambda: bool(staffed.shop.asked))
    await staffed.agent.drain()
    with pytest.raises(Exception, match="drained"):
        await master.hear(Ready)


async def test_the_last_one_gone_ends_the_link_and_the_next_master_waits(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.begin()
    master.ask(1)
    await until(lambda: bool(staffed.shop.asked))
    staffed.shop.staff(0)
    while not isinstance(end := await master.next(), PeerClosed):
        pass
    assert end.reason == NOBODY
    assert staffed.shop.cancelled_count == 2, "at the greeting and at the end"
    again = DrivenMaster.of(staffed.agent, "bob")
    await again.send_hello()
    staffed.shop.staff(2)
    assert (await again.hear(Ready)).workers == 2


async def test_nobody_is_left_while_a_master_still_says_hello(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    loading = staffed.agent.load()
    await loading
    staffed.shop.staff(0)
    master = DrivenMaster.of(staffed.agent)
    await master.send_hello()
    staffed.shop.staff(1)
    assert (await master.hear(Ready)).workers == 1
    master.link.send(Bye())

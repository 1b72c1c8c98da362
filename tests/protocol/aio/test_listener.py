"""Who is let in, and who makes room: a listener between fake links."""

import asyncio
from typing import Any

import pytest

from protocol.access.addresses import parse_network
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.aio import listener as listener_module
from protocol.aio.link import Link
from protocol.aio.listener import Listener
from protocol.guards.access_control import AccessControl
from protocol.sides import MasterSide


class Knocking:
    """A link whose peer settles when the test says so."""

    def __init__(self, host: str = "") -> None:
        self.connection = self
        self.host, self.peer = host, f"{host}:1"
        self.is_settled = False
        self.is_closed = False
        self.ended = asyncio.Event()

    def abort(self) -> None:
        self.is_closed = True
        self.ended.set()

    async def aclose(self) -> None:
        self.abort()


async def serve(link: Any) -> None:
    await link.ended.wait()


def listener_of(
    link_count_max: int = 100, descriptors: int = 100, access: Access = NOBODY_ELSE
) -> Listener:
    return Listener(
        MasterSide,
        serve,
        link_count_max,
        lambda number: number < descriptors,
        AccessControl(access),
    )


def let_in(listener: Listener, count: int, descriptor: int = 0, host: str = "") -> list[Any]:
    links: list[Any] = [Knocking(host) for _ in range(count)]
    for link in links:
        listener.run(link, descriptor)
    return links


async def test_oldest_that_has_not_settled_makes_room_for_the_next() -> None:
    listener = listener_of(link_count_max=3)
    first, second, third = let_in(listener, 3)
    first.is_settled = True
    (fourth,) = let_in(listener, 1)
    assert [link.is_closed for link in (first, second, third, fourth)] == [
        False,
        True,
        False,
        False,
    ]
    await listener.aclose()


async def test_one_address_makes_room_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "UNSETTLED_OF_ONE_MAX", 3)
    listener = listener_of()
    (other,) = let_in(listener, 1, host="10.0.0.2")
    links = let_in(listener, 3, host="10.0.0.1")
    links[0].is_settled = True
    links += let_in(listener, 3, host="10.0.0.1")
    assert [link.is_closed for link in links] == [False, True, True, False, False, False]
    assert not other.is_closed
    await listener.aclose()


def test_only_networks_allowed_are_let_in_and_others_counted() -> None:
    access = Access(allowed=(parse_network("10.0.0.0/8"),))
    keeper = AccessControl(access)
    listener = Listener(MasterSide, serve, 9, lambda number: True, keeper)
    links: list[Any] = [Knocking(host) for host in ("10.1.1.1", "11.1.1.1", "::1", "")]
    assert [listener.lets_in(link) for link in links] == [True, False, False, True]
    assert keeper.counts == {"not-allowed": 2}


async def test_nobody_who_has_settled_makes_room() -> None:
    listener = listener_of(link_count_max=2)
    links = let_in(listener, 2)
    for link in links:
        link.is_settled = True
    (late,) = let_in(listener, 1)
    assert late.is_closed
    assert not any(link.is_closed for link in links)
    await listener.aclose()


async def test_descriptor_that_is_kept_back_is_given_only_for_another() -> None:
    listener = listener_of(descriptors=10)
    (early,) = let_in(listener, 1, descriptor=9)
    (late,) = let_in(listener, 1, descriptor=10)
    assert (early.is_closed, late.is_closed) == (True, False)
    late.is_settled = True
    (last,) = let_in(listener, 1, descriptor=10)
    assert last.is_closed
    assert not late.is_closed
    await listener.aclose()


async def test_low_descriptor_is_no_room_while_a_high_one_is_held() -> None:
    listener = listener_of(descriptors=10)
    links = let_in(listener, 4, descriptor=9) + let_in(listener, 2, descriptor=11)
    links += let_in(listener, 3, descriptor=3)  # those that made room have left theirs
    assert sum(not link.is_closed for link in links) == 4
    for link in links:
        link.abort()
    for _ in range(3):
        await asyncio.sleep(0)
    assert sum(not link.is_closed for link in let_in(listener, 8, descriptor=9)) == 8
    await listener.aclose()


async def test_links_that_do_not_settle_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "UNSETTLED_MAX", 5)
    listener = listener_of()
    links = let_in(listener, 8)
    assert [link.is_closed for link in links] == [True] * 3 + [False] * 5
    for link in links:
        link.is_settled = True
    assert not any(link.is_closed for link in let_in(listener, 5))
    await listener.aclose()


async def test_link_that_ends_is_forgotten() -> None:
    listener = listener_of()
    (link,) = let_in(listener, 1)
    link.abort()
    for _ in range(3):
        await asyncio.sleep(0)
    assert not listener._unsettled
    assert not listener._tasks
    await listener.aclose()


async def test_sides_come_from_their_maker() -> None:
    side = listener_of().make_side()
    assert isinstance(side, MasterSide)
    assert not side.is_settled
    assert isinstance(Link(side), Link)

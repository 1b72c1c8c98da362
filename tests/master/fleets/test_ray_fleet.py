"""A fleet on Ray is asked for by a process of its own; failures are one line."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import pytest

from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from master.fleets.ray_fleet import RayPlacer, ask_ray

INVITATION = Invitation("127.0.0.1", 7000, "night", "s" * 32)


class FakeRay:
    """Answers orders."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.orders: list[dict[str, Any]] = []
        self._answer = dict(answer)

    async def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        self.orders.append(order)
        return self._answer

    def placer(self, count: int = 0, where: str = "auto") -> RayPlacer:
        return RayPlacer(where, "night", {"count": str(count)} if count else {}, self.ask)


async def test_start_says_all_that_an_actor_needs_and_keeps_the_count() -> None:
    fake = FakeRay({"count": 4})
    kept = await fake.placer().start(INVITATION, None)
    assert kept == {"count": "4"}
    assert fake.orders == [
        {
            "call": "start", "where": "auto", "fleet": "night", "count": None,
            "arguments": INVITATION.arguments(), "secret": INVITATION.secret,
            "version": version("manyply"),
        }
    ]  # fmt: skip


async def test_scale_is_a_start_of_so_many_and_none_is_a_stop() -> None:
    fake = FakeRay({"count": 2})
    assert await fake.placer(4).scale(INVITATION, 2) == {"count": "2"}
    assert await fake.placer(4).scale(INVITATION, 0) == {"count": "0"}
    assert [order["call"] for order in fake.orders] == ["start", "stop"]


async def test_members_are_actors_and_those_that_are_gone() -> None:
    fake = FakeRay(
        {"members": [(1, "night-1-77", "running", "process 5", "head"), (3, "", "pending", "", "")]}
    )
    assert await fake.placer(3).members() == (
        Member("night-1-77", MemberState.RUNNING, "process 5", "head"),
        Member("night-2", MemberState.LOST, "Ray has this actor no more"),
        Member("night-3", MemberState.PENDING),
    )


async def test_own_host_is_that_of_this_node() -> None:
    assert await FakeRay({"host": "10.0.0.9"}).placer().own_host() == "10.0.0.9"
    assert await FakeRay({}).placer(where="127.0.0.1:6379").own_host() == "127.0.0.1"


async def test_failure_is_passed_on() -> None:
    with pytest.raises(FleetFailedError, match=r"^Ray: no such thing$"):
        await FakeRay({"failed": "no such thing"}).placer().stop()


@pytest.mark.sockets
async def test_no_head_node_is_said() -> None:
    with pytest.raises(FleetFailedError, match=r"no head node of Ray answers at 127.0.0.1:9"):
        await FakeRay({}).placer(where="127.0.0.1:9").stop()


@pytest.mark.slow
async def test_process_that_asks_answers_without_a_cluster() -> None:
    answer = await ask_ray({"call": "members", "where": "", "fleet": "night"})
    assert "failed" in answer

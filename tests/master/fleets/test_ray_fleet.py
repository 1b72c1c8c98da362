"""A fleet on Ray: its process, its actors, and the calls that place, keep and drain them."""

import os
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest

from master.fleets import ray_actor
from master.fleets.child import ChildState
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from master.fleets.ray_actor import AnalyserActor
from master.fleets.ray_calls import CALLS, actor_name, number_of
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


WAITS = "import sys, time; sys.stdin.read(); time.sleep(60)"


def test_actor_has_an_analyser_until_it_is_drained(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []

    def argv(arguments: tuple[str, ...], name: str, worker_count: int) -> tuple[str, ...]:
        commands.append((arguments, name, worker_count))
        return (sys.executable, "-c", WAITS)

    monkeypatch.setattr(ray_actor, "analyser_argv", argv)
    actor = AnalyserActor("night", 3, ("--connect", "h:1"), "secret", version("manyply"))
    name, state, text, host = actor.state()
    while state == ChildState.PENDING.value:
        name, state, text, host = actor.state()
    assert commands == [(("--connect", "h:1"), name, 1)]
    assert name == f"night-3-{os.getpid()}"
    assert host
    pid = int(text.removeprefix("process "))
    actor.drain()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_other_version_is_said_and_not_raised() -> None:
    actor = AnalyserActor("night", 1, (), "secret", "0.0.1")
    _, state, text, _ = actor.state()
    assert state == ChildState.LOST.value
    assert text.endswith("there, 0.0.1 at the master")
    actor.drain()


ORDER = {"fleet": "night", "arguments": ["--connect"], "secret": "s", "version": "1"}


class FakeActor:
    """A handle; a method's answer is its own reference."""

    def __init__(self, said: Any) -> None:
        self.drained = False
        self.state = SimpleNamespace(remote=lambda: said)
        self.drain = SimpleNamespace(remote=self._drain)

    def _drain(self) -> str:
        self.drained = True
        return "drained"


class FakeRayModule:
    """As much of Ray as is called."""

    def __init__(self, cpu: float = 2.0, placed_max: int = 99) -> None:
        self.actors: dict[str, FakeActor] = {}
        self.ended: list[str] = []
        self.options: list[dict[str, Any]] = []
        self._cpu, self._placed_max = cpu, placed_max
        self.util = SimpleNamespace(
            list_named_actors=lambda: [*self.actors, "manyply-other-1"],
            get_node_ip_address=lambda: "10.0.0.1",
        )

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self._cpu}

    def remote(self, kind: type) -> Any:
        def options(**words: Any) -> Any:
            return SimpleNamespace(remote=lambda *args: self._create(words, args))

        return SimpleNamespace(options=options)

    def _create(self, words: dict[str, Any], args: tuple[Any, ...]) -> None:
        if len(self.actors) >= self._placed_max:
            raise RuntimeError("no more")
        self.options.append(words)
        self.actors[words["name"]] = FakeActor((f"night-{args[1]}", "running", "", "head"))

    def get_actor(self, name: str, namespace: str) -> FakeActor:
        return self.actors[name]

    def wait(
        self, refs: list[Any], num_returns: int, timeout: float
    ) -> tuple[list[Any], list[Any]]:
        assert num_returns == len(refs)
        return [ref for ref in refs if ref != "silent"], [ref for ref in refs if ref == "silent"]

    def get(self, ref: Any) -> Any:
        if isinstance(ref, Exception):
            raise ref
        return ref

    def kill(self, actor: FakeActor, *, no_restart: bool) -> None:
        assert no_restart
        (name,) = (name for name, each in self.actors.items() if each is actor)
        assert actor.drained, "drained before it is killed"
        self.ended.append(name)
        del self.actors[name]


def call(ray: FakeRayModule, name: str, **words: Any) -> dict[str, Any]:
    does: Callable[[Any, Any], dict[str, Any]] = CALLS[name]
    return does(ray, ORDER | words)


def test_number_is_read_from_a_name() -> None:
    assert number_of(actor_name("night", 12), "night") == 12
    assert number_of(actor_name("night-2", 1), "night") == 0
    assert number_of("other", "night") == 0


def test_as_many_are_placed_as_there_are_processors() -> None:
    ray = FakeRayModule(cpu=3)
    assert call(ray, "start", count=None) == {"count": 3}
    assert [*ray.actors] == [actor_name("night", n) for n in (1, 2, 3)]
    for words in ray.options:
        assert words["lifetime"] == "detached"
        assert words["max_restarts"] == -1
        assert words["num_cpus"] == 1


def test_more_and_fewer() -> None:
    ray = FakeRayModule()
    call(ray, "start", count=2)
    kept = dict(ray.actors)
    call(ray, "start", count=3)
    assert {name: ray.actors[name] for name in kept} == kept
    call(ray, "start", count=1)
    assert ray.ended == [actor_name("night", 2), actor_name("night", 3)]


def test_what_was_begun_is_taken_back() -> None:
    ray = FakeRayModule(placed_max=2)
    call(ray, "start", count=1)
    with pytest.raises(RuntimeError):
        call(ray, "start", count=4)
    assert [*ray.actors] == [actor_name("night", 1)]


def test_stop_ends_all_of_this_fleet() -> None:
    ray = FakeRayModule()
    call(ray, "start", count=2)
    assert call(ray, "stop") == {}
    assert ray.actors == {}
    assert call(ray, "stop") == {}


def test_members_say_how_they_fare() -> None:
    ray = FakeRayModule()
    call(ray, "start", count=1)
    ray.actors[actor_name("night", 2)] = FakeActor("silent")
    ray.actors[actor_name("night", 3)] = FakeActor(RuntimeError("at\n  No module named 'master'\n"))
    assert call(ray, "members")["members"] == [
        (1, "night-1", "running", "", "head"),
        (2, "", "pending", "actor not placed yet", ""),
        (3, "", "lost", "No module named 'master'", ""),
    ]


def test_host_is_this_nodes() -> None:
    assert call(FakeRayModule(), "host") == {"host": "10.0.0.1"}

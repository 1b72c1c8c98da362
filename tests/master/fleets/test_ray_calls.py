"""Calls on Ray: what is there is kept, what is missing is placed, what is too much drains."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from master.fleets.ray_calls import CALLS, actor_name, number_of

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


class FakeRay:
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


def call(ray: FakeRay, name: str, **words: Any) -> dict[str, Any]:
    does: Callable[[Any, Any], dict[str, Any]] = CALLS[name]
    return does(ray, ORDER | words)


def test_number_is_read_from_a_name() -> None:
    assert number_of(actor_name("night", 12), "night") == 12
    assert number_of(actor_name("night-2", 1), "night") == 0
    assert number_of("other", "night") == 0


def test_as_many_are_placed_as_there_are_processors() -> None:
    ray = FakeRay(cpu=3)
    assert call(ray, "start", count=None) == {"count": 3}
    assert [*ray.actors] == [actor_name("night", n) for n in (1, 2, 3)]
    for words in ray.options:
        assert words["lifetime"] == "detached"
        assert words["max_restarts"] == -1
        assert words["num_cpus"] == 1


def test_more_and_fewer() -> None:
    ray = FakeRay()
    call(ray, "start", count=2)
    kept = dict(ray.actors)
    call(ray, "start", count=3)
    assert {name: ray.actors[name] for name in kept} == kept
    call(ray, "start", count=1)
    assert ray.ended == [actor_name("night", 2), actor_name("night", 3)]


def test_what_was_begun_is_taken_back() -> None:
    ray = FakeRay(placed_max=2)
    call(ray, "start", count=1)
    with pytest.raises(RuntimeError):
        call(ray, "start", count=4)
    assert [*ray.actors] == [actor_name("night", 1)]


def test_stop_ends_all_of_this_fleet() -> None:
    ray = FakeRay()
    call(ray, "start", count=2)
    assert call(ray, "stop") == {}
    assert ray.actors == {}
    assert call(ray, "stop") == {}


def test_members_say_how_they_fare() -> None:
    ray = FakeRay()
    call(ray, "start", count=1)
    ray.actors[actor_name("night", 2)] = FakeActor("silent")
    ray.actors[actor_name("night", 3)] = FakeActor(RuntimeError("at\n  No module named 'master'\n"))
    assert call(ray, "members")["members"] == [
        (1, "night-1", "running", "", "head"),
        (2, "", "pending", "actor not placed yet", ""),
        (3, "", "lost", "No module named 'master'", ""),
    ]


def test_host_is_this_nodes() -> None:
    assert call(FakeRay(), "host") == {"host": "10.0.0.1"}

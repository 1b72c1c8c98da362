"""A fleet on Dask: placed, withdrawn, its errors in one line, its analysers kept by workers."""

import asyncio
import pickle
import queue
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import WorkerPlugin

from master.fleets import child, dask_fleet, dask_plugin
from master.fleets.dask_fleet import (
    Cluster,
    DaskPlacer,
    Reports,
    connected,
    members_of,
)
from master.fleets.dask_plugin import AnalyserPlugin, MisfitError, member_name
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState

WHERE = "tcp://127.0.0.1:8786"
INVITATION = Invitation("127.0.0.1", 7000, "night", "s" * 32)


class FakeCluster:
    """A scheduler's answers.

    Args:
        failures: what each of its workers raises when it is given a plugin.
    """

    def __init__(self, failures: Mapping[str, Exception | None] | None = None) -> None:
        self.plugins: dict[str, WorkerPlugin] = {}
        self.failures = dict(failures or {})
        self.said: Reports = ()

    async def register(self, plugin: WorkerPlugin, name: str) -> Mapping[str, Exception | None]:
        self.plugins[name] = plugin
        return self.failures

    async def unregister(self, name: str) -> None:
        if name not in self.plugins:
            raise ValueError(f"The worker plugin {name} does not exist")
        del self.plugins[name]

    async def workers(self) -> Mapping[str, Mapping[str, Any]]:
        return {address: worker(address) for address in self.failures}

    async def reports(self, topic: str) -> Reports:
        return self.said

    def placer(self) -> DaskPlacer:
        @asynccontextmanager
        async def connect(where: str) -> AsyncIterator[Cluster]:
            assert where == WHERE
            yield self

        return DaskPlacer(WHERE, "night", {}, connect)


def worker(name: str, status: str = "running") -> Mapping[str, Any]:
    return {"name": name, "status": status, "host": "10.0.0.1"}


def said(address: str, state: str, text: str = "") -> tuple[float, Any]:
    return 0.0, {"worker": address, "state": state, "text": text}


async def test_plugin_is_left_and_found_again_by_its_ticket() -> None:
    cluster = FakeCluster()
    kept = await cluster.placer().start(INVITATION, None)
    (plugin,) = cluster.plugins.values()
    assert isinstance(plugin, AnalyserPlugin)
    assert plugin.arguments == INVITATION.arguments()
    assert plugin.secret == INVITATION.secret
    assert kept == {}, "the ticket is enough"
    await cluster.placer().stop()
    assert cluster.plugins == {}
    await cluster.placer().stop()


async def test_some_workers_that_cannot_are_no_failure_and_all_are() -> None:
    misfit = MisfitError("manyply is 1.0 on w1, 2.0 at the master")
    some = FakeCluster({"w0": None, "w1": misfit})
    await some.placer().start(INVITATION, None)
    assert some.plugins
    cluster = FakeCluster({"w1": misfit})
    with pytest.raises(FleetFailedError, match=r"manyply is 1.0 on w1"):
        await cluster.placer().start(INVITATION, None)
    assert cluster.plugins == {}, "taken back"


async def test_workers_without_manyply_are_named() -> None:
    cluster = FakeCluster({"w1": ModuleNotFoundError("No module named 'master'")})
    with pytest.raises(FleetFailedError, match="no worker has manyply installed"):
        await cluster.placer().start(INVITATION, None)


async def test_how_many_is_said_to_dask() -> None:
    placer = FakeCluster().placer()
    with pytest.raises(FleetFailedError, match="scale the Dask cluster"):
        await placer.scale(INVITATION, 3)
    with pytest.raises(FleetFailedError, match="scale the Dask cluster"):
        await placer.start(INVITATION, 3)


def test_members_are_the_workers_by_name_as_the_last_report_has_them() -> None:
    workers = {
        "tcp://b:1": worker("b"), "tcp://a:1": worker("a"), "tcp://c:1": worker("c"),
        "tcp://d:1": worker("d", "closing_gracefully"), "tcp://e:1": worker("e"),
    }  # fmt: skip
    reports = (
        said("tcp://a:1", "running", "process 1"), said("tcp://gone:1", "running"),
        said("tcp://a:1", "lost", "left"), said("tcp://b:1", "running", "process 2"),
        said("tcp://e:1", "gone"),
    )  # fmt: skip
    assert members_of(workers, reports, "x") == (
        Member("x-a:1", MemberState.LOST, "left", "10.0.0.1"),
        Member("x-b:1", MemberState.RUNNING, "process 2", "10.0.0.1"),
        Member("x-c:1", MemberState.PENDING, "worker running, analyser unheard of", "10.0.0.1"),
        Member("x-d:1", MemberState.ENDING, "worker closing_gracefully", "10.0.0.1"),
    )


async def test_members_are_asked_of_the_scheduler() -> None:
    cluster = FakeCluster({"w0:1": None})
    cluster.said = (said("w0:1", "running", "process 7"),)
    (member,) = await cluster.placer().members()
    assert member == Member("night-w0:1", MemberState.RUNNING, "process 7", "10.0.0.1")


async def test_own_host_is_the_one_that_faces_the_scheduler() -> None:
    assert await FakeCluster().placer().own_host() == "127.0.0.1"


async def test_whatever_dask_raises_is_one_line() -> None:
    def failing(error: Exception) -> DaskPlacer:
        def connect(where: str) -> AbstractAsyncContextManager[Cluster]:
            raise error

        return DaskPlacer(WHERE, "night", {}, connect)

    with pytest.raises(FleetFailedError, match=r"^tcp://127.0.0.1:8786: one two$"):
        await failing(TypeError("one\ntwo")).members()
    with pytest.raises(FleetFailedError, match="gave no answer in 60 s"):
        await failing(TimeoutError()).stop()


async def test_what_could_not_be_begun_needs_no_end() -> None:
    placer = DaskPlacer(WHERE, "night", {}, lambda where: connected("tcp://["))
    for _ in range(2):
        with pytest.raises(FleetFailedError):
            await placer.start(INVITATION, None)
    await placer.stop()


async def test_order_that_is_cancelled_is_taken_back() -> None:
    cluster = FakeCluster()

    async def register(plugin: WorkerPlugin, name: str) -> Mapping[str, Exception | None]:
        cluster.plugins[name] = plugin
        await asyncio.Event().wait()
        return {}

    cluster.register = register  # type: ignore[method-assign]
    starting = asyncio.create_task(cluster.placer().start(INVITATION, None))
    while not cluster.plugins:  # noqa: ASYNC110  # one turn of the loop
        await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert cluster.plugins == {}


@pytest.mark.sockets
async def test_no_scheduler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_fleet, "CONNECT_S", 0.05)
    with pytest.raises(FleetFailedError, match=r"no scheduler of Dask answers at tcp://127.0.0.1"):
        async with connected("tcp://127.0.0.1:9"):
            pass


ARGUMENTS = ("--connect", "127.0.0.1:9", "--secret", "-")
STEP_S_MAX = 10.0
REVIVED = """
import pickle, sys, types
sys.modules["distributed"] = types.SimpleNamespace(WorkerPlugin=type("WorkerPlugin", (), {}))
plugin = pickle.loads(bytes.fromhex(sys.argv[1]))
worker = types.SimpleNamespace(address="tcp://w", log_event=lambda topic, said: print(topic, said))
try:
    plugin.setup(worker)
except ModuleNotFoundError as error:
    print(error)
print(plugin.teardown(worker))
"""


class FakeWorker(SimpleNamespace):
    """A worker of Dask, as far as a plugin looks."""

    def __init__(self) -> None:
        self.events: queue.Queue[dict[str, str]] = queue.Queue()
        super().__init__(
            address="tcp://10.0.0.1:1", name="w0", state=SimpleNamespace(nthreads=3), loop=self
        )

    def add_callback(self, call: Callable[..., None], *args: Any) -> None:
        call(*args)

    def log_event(self, topic: str, message: dict[str, str]) -> None:
        assert topic == "topic"
        self.events.put(message)

    def next_event(self) -> dict[str, str]:
        return self.events.get(timeout=STEP_S_MAX)


def plugin() -> AnalyserPlugin:
    return AnalyserPlugin("night", "topic", ARGUMENTS, "secret")


def test_pickled_it_is_a_plugin_with_all_that_was_said() -> None:
    again = pickle.loads(pickle.dumps(plugin()))
    assert isinstance(again, WorkerPlugin)
    assert vars(again) == vars(plugin())


def test_worker_without_manyply_gets_it_and_says_so() -> None:
    argv = (sys.executable, "-I", "-S", "-c", REVIVED, pickle.dumps(plugin()).hex())
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd="/")
    said, failed, torn_down = done.stdout.splitlines()
    assert said.startswith("topic {'worker': 'tcp://w', 'state': 'lost'")
    assert failed == "No module named 'master'"
    assert torn_down == "None"


@pytest.mark.parametrize("revive", [lambda one: one, lambda one: pickle.loads(pickle.dumps(one))])
async def test_worker_has_an_analyser_from_first_to_last(
    revive: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def argv(arguments: tuple[str, ...], name: str, worker_count: int) -> tuple[str, ...]:
        commands.append((arguments, name, worker_count))
        return (sys.executable, "-c", "import sys; sys.stdin.read(); sys.stdin.close();"
                "import time; time.sleep(60)")  # fmt: skip

    monkeypatch.setattr(dask_plugin, "analyser_argv", argv)
    worker, one = FakeWorker(), revive(plugin())
    one.setup(worker)
    one.setup(worker)
    assert commands == [(ARGUMENTS, "night-w0:1", 3)]
    event = await asyncio.to_thread(worker.next_event)
    assert event["worker"] == "tcp://10.0.0.1:1"
    assert event["state"] == child.ChildState.RUNNING.value
    await one.teardown(worker)
    assert worker.next_event()["state"] == dask_plugin.GONE
    assert worker.events.empty()


def test_other_version_of_manyply_is_refused_and_said() -> None:
    worker, one = FakeWorker(), pickle.loads(pickle.dumps(plugin()))
    one.version = "0.0.1"
    with pytest.raises(MisfitError, match=r"on tcp://10.0.0.1:1, 0.0.1 at the master"):
        one.setup(worker)
    assert worker.next_event()["state"] == child.ChildState.LOST.value


def test_members_are_called_as_their_master_calls_them() -> None:
    address = "tcp://10.0.0.1:4711"
    assert member_name("night", "w0", address) == "night-w0:4711"
    assert member_name("night", 3, address) == "night-3:4711"
    assert member_name("night", address, address) == "night-10.0.0.1:4711"

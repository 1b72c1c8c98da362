"""A fleet on Dask asks a scheduler, takes back what it began, and says in one line what failed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from distributed import WorkerPlugin

from master.fleets import dask_fleet
from master.fleets.dask_fleet import (
    Cluster,
    DaskPlacer,
    Reports,
    connected,
    members_of,
)
from master.fleets.dask_plugin import AnalyserPlugin, MisfitError
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

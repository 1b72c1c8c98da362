"""A fleet on Dask: one analyser below each worker that a scheduler has, now and later.

Dask is an extra, and imported when it is needed. The number of workers is set in Dask: an adaptive
cluster sets it itself.
"""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from master.fleets.child import ChildState
from master.fleets.placing import (
    CALL_S,
    FleetFailedError,
    Invitation,
    Kept,
    Member,
    MemberState,
    below_worker,
    local_host,
    one_line,
)

if TYPE_CHECKING:
    from distributed import Client, WorkerPlugin

CONNECT_S = 10.0
"""A scheduler that has not answered by then does not."""

_ENDING = ("closing", "closing_gracefully", "closed")

Reports = tuple[tuple[float, Any], ...]
"""Messages of plugins, in order: each with its time."""


class Cluster(Protocol):
    """Calls of a scheduler."""

    async def register(self, plugin: WorkerPlugin, name: str) -> Mapping[str, Exception | None]:
        """Set a plugin up on all workers, also future ones; return exceptions of the present."""

    async def unregister(self, name: str) -> None:
        """Tear a plugin down; ValueError: there is none of this name."""

    async def workers(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the workers by address."""

    async def reports(self, topic: str) -> Reports:
        """Return the events of a topic."""


Connect = Callable[[str], AbstractAsyncContextManager[Cluster]]


class DaskPlacer:
    """A Placer for a cluster of Dask.

    Args:
        where: the scheduler's address, such as tcp://HOST:PORT.
        fleet: its ticket.
        kept: nothing, as the ticket is enough to find it.
        connect: asks a scheduler.
    """

    def __init__(self, where: str, fleet: str, kept: Kept, connect: Connect | None = None) -> None:
        self._where, self._fleet = where, fleet
        self._plugin = f"manyply-{fleet}"
        self._connect = connect or connected
        self._is_begun = True  # by another process, as far as this one knows

    async def own_host(self) -> str:
        """Return this machine's address as the scheduler's sees it."""
        return await local_host(urlsplit(self._where).hostname or "")

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return what each worker would start."""
        if count is not None:
            raise _uncounted()
        return [
            f"# {self._where}: the plugin {self._plugin}, for each worker, also later ones",
            *below_worker(invitation, f"{self._fleet}-WORKER", "THREADS"),
        ]

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Leave the plugin with the scheduler; FleetFailedError if no worker there can have it."""
        if count is not None:
            raise _uncounted()
        self._is_begun = False
        async with self._asking() as cluster:
            self._is_begun = True
            plugin = _plugin(self._fleet, self._plugin, invitation)
            try:
                failures = await cluster.register(plugin, self._plugin)
                reasons = [failure for failure in failures.values() if failure is not None]
                if reasons and len(reasons) == len(failures):
                    raise reasons[0]
            except BaseException:
                self._is_begun = False
                await asyncio.shield(_unregister(cluster, self._plugin))
                raise
        return {}

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Refuse: the workers are Dask's."""
        raise _uncounted()

    async def members(self) -> tuple[Member, ...]:
        """Return the analysers of all workers that there are, by name."""
        async with self._asking() as cluster:
            workers = await cluster.workers()
            return members_of(workers, await cluster.reports(self._plugin), self._fleet)

    async def stop(self) -> None:
        """Take the plugin back; analysers drain, those of workers just lost are lost with them."""
        if self._is_begun:
            async with self._asking() as cluster:
                await _unregister(cluster, self._plugin)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[Cluster]:
        """Hold a connection to the scheduler; an error becomes one line."""
        try:
            async with asyncio.timeout(CALL_S), self._connect(self._where) as cluster:
                yield cluster
        except FleetFailedError:
            raise
        except TimeoutError:
            raise FleetFailedError(f"{self._where} gave no answer in {CALL_S:g} s") from None
        except Exception as error:  # any: workers and Dask raise all kinds
            raise FleetFailedError(f"{self._where}: {_line(error)}") from error


def members_of(
    workers: Mapping[str, Mapping[str, Any]], reports: Reports, fleet: str
) -> tuple[Member, ...]:
    """Return the analysers of workers as members, by name.

    Args:
        workers: by address, as a scheduler describes them.
        reports: messages of their plugins, in order of time.
    """
    from master.fleets.dask_plugin import GONE, member_name  # noqa: PLC0415  # an extra

    last = {message["worker"]: message for _, message in reports}
    found = [
        _member(member_name(fleet, worker["name"], address), worker, said)
        for address, worker in workers.items()
        if (said := last.get(address, {})).get("state") != GONE
    ]
    return tuple(sorted(found, key=lambda member: member.name))


def _member(name: str, worker: Mapping[str, Any], said: Mapping[str, str]) -> Member:
    status, host = str(worker.get("status", "")), str(worker.get("host", ""))
    if status in _ENDING:
        return Member(name, MemberState.ENDING, f"worker {status}", host)
    if not said:
        return Member(name, MemberState.PENDING, f"worker {status}, analyser unheard of", host)
    return Member(name, MemberState(ChildState(said["state"]).value), said["text"], host)


def _plugin(fleet: str, topic: str, invitation: Invitation) -> WorkerPlugin:
    from master.fleets.dask_plugin import AnalyserPlugin  # noqa: PLC0415  # an extra

    return AnalyserPlugin(fleet, topic, invitation.arguments(), invitation.secret)


async def _unregister(cluster: Cluster, name: str) -> None:
    """Take a plugin back; one that is not there, and workers that have just gone, are no error."""
    with suppress(ValueError, OSError):
        await cluster.unregister(name)


def _uncounted() -> FleetFailedError:
    return FleetFailedError(
        "a fleet on Dask has one analyser a worker: scale the Dask cluster, and it follows"
    )


def _failure(raised: BaseException | None) -> Exception:
    return raised if isinstance(raised, Exception) else Exception(repr(raised))


def _line(error: Exception) -> str:
    """Return the error, and its remedy if that is known, in one line."""
    if isinstance(error, ModuleNotFoundError):
        return f"no worker has manyply installed for its Python: {error}"
    return one_line(error) or type(error).__name__


@asynccontextmanager
async def connected(where: str) -> AsyncIterator[Cluster]:
    """Connect to a scheduler, with the certificates of Dask's own configuration.

    Raises:
        FleetFailedError: Dask is not installed, or nothing answers there.
    """
    try:
        from distributed import Client  # noqa: PLC0415  # an extra
    except ImportError:
        raise FleetFailedError("this takes Dask: pip install 'manyply[dask]'") from None
    client = Client(where, asynchronous=True, timeout=CONNECT_S, set_as_default=False)
    try:
        await _open(client, where)
        yield _Connection(client)
    finally:
        await client.close()


async def _open(client: Client, where: str) -> None:
    """Wait for a client's connection; FleetFailedError."""
    from distributed.versions import VersionMismatchWarning  # noqa: PLC0415  # an extra

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)  # it goes on for lines
            await client
    except (OSError, TimeoutError):
        raise FleetFailedError(f"no scheduler of Dask answers at {where}") from None


class _Connection:
    """A Cluster by way of Dask's client."""

    def __init__(self, client: Any) -> None:
        self._client = client

    async def register(self, plugin: WorkerPlugin, name: str) -> Mapping[str, Exception | None]:
        from distributed.core import clean_exception  # noqa: PLC0415  # an extra
        from distributed.protocol.pickle import dumps  # noqa: PLC0415

        # The client's own method raises the first worker's exception, and hides those of others.
        answers = await self._client.scheduler.register_worker_plugin(
            plugin=dumps(plugin), name=name, idempotent=False
        )
        return {
            address: None if answer["status"] == "OK" else _failure(clean_exception(**answer)[1])
            for address, answer in answers.items()
        }

    async def unregister(self, name: str) -> None:
        await self._client.unregister_worker_plugin(name)

    async def workers(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Any] = await self._client.scheduler.identity()
        workers: Mapping[str, Mapping[str, Any]] = found["workers"]
        return workers

    async def reports(self, topic: str) -> Reports:
        return tuple(await self._client.get_events(topic))

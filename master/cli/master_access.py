"""Gives access to a master: in this process with local analysers, or a running one.

The only module here that imports both daemons' code. That code is imported where it runs: a client
of a master elsewhere starts in half the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from engine_ext import services
from engine_ext.front import SEARCH
from master.api.client import MasterClient
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place, socket_path
from master.config.fleet_list import FleetEntry
from master.config.paths import default_state_dir
from master.contract.master import Master
from master.contract.views import JobView, Notice, NoticeKind
from master.games.table import GAMES
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import memory_pair
from protocol.aio.shortages import shortage
from protocol.guards.home_paths import home_path
from protocol.guards.secret_files import SecretError, find_secret
from protocol.guards.tls import TlsError, TlsIdentity

if TYPE_CHECKING:
    from master.fleets.inviting import InvitedFleet
    from master.service.service import MasterService
    from master.service.showing import LivingTimeline


class ShownJobs(Protocol):
    """The part of a master that display commands need."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether jobs go on without us, when this process has gone."""

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first."""

    async def show(self, job: int) -> JobView:
        """Return the state of a job."""


GamesOf = Callable[[Master], Awaitable[tuple[str, ...] | None]]
"""Returns the games that a master's workers are to compute, before it computes any."""


def job_games() -> tuple[str, ...]:
    """Return the games that jobs and questions are about, which local workers compute.

    Of a game that is only searched no engine is loaded, which takes a moment, but for a search.
    """
    return tuple(game for game in GAMES if {*services.game_services(game)} - {SEARCH})


PATIENCE_S = 3.0
"""Time that a job waits for its analysers before it is begun without any."""

NO_ANSWER = "no answer yet"

FLEET_S_MAX = 120.0
"""Time limit for an engine to place the first analyser of a command that needs one at once. It
takes seconds if the engine has room. For a longer queue, use a job or a master."""

WAITED_FOR_SHOWN = 4
"""Analysers of an engine that are named while none of them is ready."""

LOADING_S_MAX = 30.0
"""Time limit for an analyser that has answered to load its engines, even if the wait is short."""

READY_POLL_S = 0.2
"""How soon an analyser is noticed that became ready at a later call than its first."""


@asynccontextmanager
async def open_master(
    place: Place,
    on_notice: Callable[[Notice], None] | None = None,
    games: GamesOf | tuple[str, ...] | None = None,
    on_waiting: Callable[[str], None] | None = None,
) -> AsyncIterator[Master]:
    """Yield the master that runs jobs: a daemon's client, or one in this process.

    Args:
        place: where the jobs run.
        on_notice: called for each warning and incident of a master in this process; the updates of
            a watched job have them too.
        games: those that local workers compute, or a function that finds them; None: those of
            trials and questions.
        on_waiting: called with one line if nobody can be reached yet and at least one analyser may
            still come; None: that is an error too.

    Raises:
        CommandError: every analyser was tried, and none can be used.
        MasterError: no master answers, or the state directory cannot be used.
    """

    path = socket_path(place, default_state_dir())
    if path is None:
        wait_s = place.patience_s
        async with open_service(place, on_notice, games, on_waiting, wait_s=wait_s) as service:
            yield service
        return
    async with MasterClient(path) as client:
        yield client


@asynccontextmanager
async def open_stored(place: Place) -> AsyncIterator[ShownJobs]:
    """Yield the jobs that a master elsewhere has, or as they are stored; nothing is written.

    Raises:
        MasterError: no master answers, or the state directory cannot be used.
    """
    from master.service.job_records import StoredJobs  # noqa: PLC0415  # see the module

    path = socket_path(place, default_state_dir())
    if path is None:
        async with StoredJobs(default_state_dir()) as stored:
            yield stored
        return
    async with MasterClient(path) as client:
        yield client


@asynccontextmanager
async def open_service(
    place: Place,
    on_notice: Callable[[Notice], None] | None = None,
    games: GamesOf | tuple[str, ...] | None = None,
    on_waiting: Callable[[str], None] | None = None,
    timeline: LivingTimeline | None = None,
    on_state_lost: Callable[[], None] = lambda: None,
    wait_s: float = math.inf,
) -> AsyncIterator[MasterService]:
    """Yield a master in this process with the place's analysers; see `open_master`.

    Args:
        place: see open_master, as the next three.
        on_notice, games, on_waiting: likewise.
        timeline: records the events of its jobs and searches.
        on_state_lost: called if its database is lost; see MasterService.
        wait_s: time limit for jobs and questions without an analyser.
    """
    from master.fleets.inviting import invited_fleets  # noqa: PLC0415  # see the module
    from master.scheduler import SchedulerOptions  # noqa: PLC0415  # see the module
    from master.service.service import MasterService  # noqa: PLC0415  # see the module

    def warn(text: str) -> None:
        if on_notice is not None:
            on_notice(Notice(NoticeKind.WARNING, text))

    if place.is_computing:
        _check_memory(_local_worker_count(place))
    async with (
        MasterService(
            default_state_dir(),
            options=None if timeline is None else SchedulerOptions(log=timeline.log),
            on_notice=on_notice,
            access=_access(place),
            local_port=place.local_port,
            watch=None if timeline is None else timeline.searches,
            on_state_lost=on_state_lost,
            wait_s=wait_s,
        ) as service,
        contextlib.AsyncExitStack() as stack,
    ):
        if place.is_computing:
            known = await games(service) if callable(games) else games
            fleets = invited_fleets(place.fleets, place.listen, service.serve_link, warn)
            invited = await stack.enter_async_context(fleets)
            await _add_analysers(
                service, place, known or job_games(), on_waiting, stack, invited, wait_s
            )
        yield service


def _local_worker_count(place: Place) -> int:
    return len(os.sched_getaffinity(0)) if place.local is None else place.local


def _check_memory(worker_count: int) -> None:
    """Raise CommandError if so many local workers do not fit, before anything is stored."""
    from analyser.limits import check_address_space  # noqa: PLC0415  # see the module

    if not worker_count:
        return
    try:
        check_address_space(worker_count)
    except OSError as error:
        text = f"{shortage(error)}; fewer workers take less (--workers N)"
        raise CommandError(text, ExitCode.JOB_FAILED) from None


def _access(place: Place) -> Access:
    """Return access control for links to analysers over a network."""
    if not any(isinstance(entry.address, Address) for entry in place.analysers):
        return NOBODY_ELSE
    try:
        identity = None if place.tls is None else TlsIdentity(home_path(place.tls))
        return Access(find_secret(place.secret), identity)
    except (SecretError, TlsError) as error:
        raise CommandError(str(error)) from error


async def _add_analysers(
    service: MasterService,
    place: Place,
    games: tuple[str, ...],
    on_waiting: Callable[[str], None] | None,
    stack: contextlib.AsyncExitStack,
    fleets: Sequence[InvitedFleet],
    wait_s: float,
) -> None:
    """Start local workers and dial the others; without local ones, wait for the first."""
    local = _local_worker_count(place)
    if local:
        await stack.enter_async_context(_local_analyser(service, local, games))
    first_calls = [asyncio.create_task(service.add_analyser(entry)) for entry in place.analysers]
    stack.push_async_callback(_forget, first_calls)
    if not local:
        on_waiting = on_waiting if wait_s > 0.0 else None  # then that is an error
        await _wait_for_one(service, place.analysers, first_calls, on_waiting, fleets, wait_s)


async def _wait_for_one(
    service: MasterService,
    entries: Sequence[FleetEntry],
    first_calls: Sequence[asyncio.Task[str]],
    on_waiting: Callable[[str], None] | None,
    fleets: Sequence[InvitedFleet],
    wait_s: float,
) -> None:
    """Return when one analyser is ready; the others are tried on in the background.

    One that failed at first may be ready at a later call, while another's first call hangs; those
    of an engine come when it has room for them.
    """
    waiting = set(first_calls)
    bound_s = FLEET_S_MAX if fleets else max(wait_s, LOADING_S_MAX)
    began = time.monotonic()
    until = began + (bound_s if on_waiting is None else PATIENCE_S)
    while waiting or fleets:
        if time.monotonic() >= until:
            # Processes that run already need no more than the time to load.
            if until >= began + LOADING_S_MAX or not await _all_run(fleets):
                break
            until = began + LOADING_S_MAX
        done = await _done_within(waiting, READY_POLL_S)
        waiting -= done
        is_ready = any(line.state == "ready" for line in service.analysers())
        if is_ready or not all(call.result() for call in done):
            return
    if fleets:
        lines = [line for fleet in fleets for line in await fleet.lines()]
        text = f"no analyser of the fleet is here yet ({'; '.join(lines[:WAITED_FOR_SHOWN])})"
        if on_waiting is None:
            raise CommandError(f"{text}, after {FLEET_S_MAX:g} s", ExitCode.JOB_FAILED)
        on_waiting(text)
        return
    reasons = [call.result() if call.done() else NO_ANSWER for call in first_calls]
    if on_waiting is not None and any(map(_may_come, entries, reasons)):
        names = ", ".join(str(entry.address) for entry in entries)
        is_off = all(reason != NO_ANSWER for reason in reasons)
        what = "can be reached" if is_off else "has answered"
        on_waiting(f"no analyser {what} yet ({names}): they are tried until one answers")
        return
    text = "; ".join(f"{e.name or e.address}: {r}" for e, r in zip(entries, reasons, strict=True))
    raise CommandError(f"no analyser can be used: {text or 'none is given'}", ExitCode.JOB_FAILED)


async def _all_run(fleets: Sequence[InvitedFleet]) -> bool:
    """Return whether there are fleets, and every analyser requested is a process that runs."""
    from master.fleets.placing import MemberState  # noqa: PLC0415  # see the module

    states = [await fleet.states() for fleet in fleets]
    return bool(states) and all(state == {MemberState.RUNNING} for state in states)


async def _done_within(calls: set[asyncio.Task[str]], seconds: float) -> set[asyncio.Task[str]]:
    """Return the calls that end first, if one does within some seconds."""
    if not calls:
        await asyncio.sleep(seconds)
        return set()
    done, _ = await asyncio.wait(calls, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    return done


def _may_come(entry: FleetEntry, reason: str) -> bool:
    """Return whether an analyser may come later, as when its machine is off; wrong answers stay."""
    from master.service.analysers.dialler import CANNOT_CONNECT  # noqa: PLC0415  # see the module

    is_off = isinstance(entry.address, Address) and reason.startswith(CANNOT_CONNECT)
    return is_off or reason == NO_ANSWER


async def _forget(tasks: Sequence[asyncio.Task[str]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def _local_analyser(
    service: MasterService, worker_count: int, games: tuple[str, ...]
) -> AsyncIterator[None]:
    """Run an analyser in this process, linked by real lines without a socket."""
    from analyser.agent import Agent, AgentConfig  # noqa: PLC0415  # see the module

    agent = Agent(AgentConfig(name="local", worker_count=worker_count, games=games))
    master_link, analyser_link = memory_pair(service.new_side(), agent.make_side())
    serving = asyncio.create_task(agent.serve(analyser_link))
    service.add_link(master_link, "local", "this process")
    try:
        yield
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await agent.close()

"""A master of `manyply web`'s own: in this process, with its page and its control socket."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Callable
from pathlib import Path

from master.api.server import MasterServer, PageServer, PortTakenError
from master.cli.jobs.progress import ProgressDisplay
from master.cli.jobs.watching import signals_of
from master.cli.master_access import open_service
from master.cli.output import echo_notice
from master.cli.place import Place
from master.config.paths import control_socket_path, default_state_dir
from master.contract.job_words import JobState
from master.games.table import GAMES
from master.reports.texts import counted
from master.service.service import MasterService
from master.timeline.showing import LivingTimeline
from protocol.address import Address

PORT = 8642

PORTS_TRIED = 20
"""Ports from the usual one on: for several pages on one machine, and still easy to guess."""

HOST = "localhost"

OnOpen = Callable[[str, Path], None]
"""Called with the URL of the page and the master's state directory."""


async def serve_page(place: Place, port: int | None, on_open: OnOpen) -> None:
    """Serve a page of a master in this process until SIGINT or SIGTERM; then halt its jobs.

    Args:
        place: the analysers.
        port: port of the page; None: the usual port, or the first free one after it.
        on_open: called once the page can be opened.

    Raises:
        MasterError: the port, the control socket or the store cannot be used.
        CommandError: no analyser can be used.
    """
    state_dir = default_state_dir()
    name = socket.gethostname() or "master"
    with ProgressDisplay(is_quiet=True) as progress, signals_of(progress) as interruption:
        timeline = LivingTimeline(asyncio.get_running_loop().time)
        async with open_service(
            place,
            progress.show_notice,
            tuple(GAMES),
            progress.show_text,
            timeline,
            interruption.requested.set,
            math.inf if place.wait_s is None else place.wait_s,
        ) as service:
            server = MasterServer(service, service.keeper, name, state_dir, timeline.shown())
            try:
                await server.open_socket(control_socket_path(state_dir))
                await open_page(server, port)
                on_open(server.site.page, state_dir)
                interruption.starting = None
                await interruption.requested.wait()
                await _halt(service)
            finally:
                await service.drain()
                await server.aclose()


async def open_page(server: PageServer, port: int | None) -> None:
    """Open the page on this machine.

    Raises:
        PortTakenError: another program has the port, or all that are tried.
    """
    last = PORT + PORTS_TRIED - 1
    for tried in range(PORT, last + 1) if port is None else (port,):
        try:
            await server.open_page(Address(HOST, tried))
        except PortTakenError:
            if port is not None:
                raise
            continue
        return
    raise PortTakenError(f"cannot serve the page: ports {PORT} to {last} are taken: give --port")


async def _halt(service: MasterService) -> None:
    """Halt the running jobs and wait until they are stored; say how to go on with them."""
    count = service.running_count
    if count:
        jobs = counted(count, "job")
        echo_notice(f"halting {jobs}; press Ctrl-C again to quit at once (nothing stored is lost)")
    before = [view.job for view in await service.jobs() if view.state is JobState.RUNNING]
    await service.drain()
    states = {view.job: view.state for view in await service.jobs()}
    halted = [job for job in before if states.get(job) is JobState.HALTED]
    if halted:
        commands = ", ".join(f"manyply resume {job}" for job in halted)
        echo_notice(f"go on with: {commands}; or with Resume on the page of `manyply web`")

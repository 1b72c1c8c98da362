"""The master as a daemon: its endpoints, its signals, and its end.

Knows how the pieces are put together. Must not know command lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from master.api.server import MasterServer
from master.config.fleet_list import FleetEntry
from master.config.fleet_specs import FleetSpec
from master.contract.commands import Command
from master.contract.errors import MasterError
from master.contract.events import Event
from master.fleets.inviting import invited_fleets
from master.fleets.kept import FleetFolder
from master.reports.texts import printable
from master.scheduler import SchedulerOptions
from master.scheduler.event_log import CUT, first_line, turn_line
from master.scheduler.limits import Log
from master.service.analysers.endpoints import listen_for_analysers
from master.service.service import MasterService
from master.service.showing import LivingTimeline
from master.store.records import RunsIn
from master.timeline.showing import NOTHING_SHOWN
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import Listener
from protocol.aio.notify import keep_watchdog, notify_parent
from protocol.exit_codes import ExitCode
from protocol.guards.file_errors import file_error_text

LOG_BYTES_MAX = 1 << 30
"""A gigabyte: some two million parts. A fault that is looked for comes sooner, and a log that was
forgotten fills no disk."""


class Recording:
    """A log that is being written; used as a context manager.  A disk that is full ends it."""

    def __init__(
        self, path: Path, warn: Callable[[str], None], bytes_max: int = LOG_BYTES_MAX
    ) -> None:
        """Begin a new file; a log holds questions and answers, so only its owner can read it.

        Raises:
            MasterError: it cannot be made, or is there already.
        """
        self._path, self._warn, self._left = path, warn, bytes_max
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise MasterError(f"cannot record to {path}: {file_error_text(error)}") from None
        self._file = os.fdopen(descriptor, "w", encoding="ascii")
        self._is_open = True
        self.write(first_line(SchedulerOptions()))

    def turn(self, now: float, events: Sequence[Event], commands: Sequence[Command]) -> None:
        """Add a turn of the scheduler."""
        if self._is_open:
            self.write(turn_line(now, events, commands))

    def write(self, line: str) -> None:
        """Add a line, unless the log has ended."""
        if not self._is_open:
            return
        self._left -= len(line) + 1
        is_cut = self._left < 0
        try:
            self._file.write((json.dumps(CUT) if is_cut else line) + "\n")
            if is_cut:
                self._file.flush()
        except OSError as error:
            self._end(f"{self._path}: {file_error_text(error)}: nothing more is recorded")
        else:
            if is_cut:
                self._end(f"{self._path} is full: nothing more is recorded")

    def _end(self, text: str) -> None:
        self._is_open = False
        self._warn(text)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; warn of lines that could not be written, and hide no other error."""
        try:
            self._file.close()
        except OSError as failed:
            if self._is_open:
                self._end(f"{self._path}: {file_error_text(failed)}: the record is not whole")


STATUS_INTERVAL_S = 5.0
"""How often systemd is told how many analysers there are."""

EXIT_AT_ONCE = ExitCode.INTERRUPTED
"""A second signal."""


@dataclass(frozen=True)
class DaemonOptions:
    """What a daemon is started with.

    Args:
        state_dir: where jobs are kept.
        control: path of the control socket.
        listen: where analysers may dial in; None: nowhere.
        fleet: analysers to call on, or to start as child processes.
        placed: fleets that a cluster places while the daemon runs.
        name: how this master introduces itself.
        record: where its decisions are written down; None: nowhere.
        access: what analysers have to show.
        local_port: source port of links to those of the fleet; None: any.
        metrics: where the master's numbers are read; None: nowhere.
        web: where its page is served; None: nowhere.
        control_group: whose members may use the control socket; empty: none.
    """

    state_dir: Path
    control: Path
    listen: Address | None = None
    fleet: tuple[FleetEntry, ...] = ()
    placed: tuple[FleetSpec, ...] = ()
    name: str = ""
    record: Path | None = None
    access: Access = NOBODY_ELSE
    local_port: int | None = None
    metrics: Address | None = None
    web: Address | None = None
    control_group: str = ""


async def run_daemon(options: DaemonOptions) -> None:
    """Serve until SIGTERM or SIGINT; then halt all jobs, store everything, and return.

    Jobs that the last daemon on the state directory was running go on.

    Raises:
        MasterError: an endpoint cannot be opened, or the store cannot be used, or is lost.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, stop, number.name)
    name = options.name or socket.gethostname() or "master"
    async with contextlib.AsyncExitStack() as stack:
        living = None if options.web is None else LivingTimeline(loop.time)  # only the page looks
        logs: list[Log] = []
        if options.record is not None:
            logs.append(stack.enter_context(Recording(options.record, _print_line)).turn)
        if living is not None:
            logs.append(living.log)
        service = MasterService(
            options.state_dir,
            name,
            RunsIn.DAEMON,
            SchedulerOptions(log=_log_to(logs)),
            lambda notice: _print_line(notice.text),
            replace(options.access, secret_of=FleetFolder(options.state_dir).secret_of),
            options.local_port,
            None if living is None else living.searches,
            stop.set,
            log=_print_line,
        )
        await stack.enter_async_context(service)
        shown = NOTHING_SHOWN if living is None else living.shown()
        server = MasterServer(service, service.keeper, name, options.state_dir, shown)
        listener = None
        try:
            await server.open_socket(options.control, options.control_group)
            await _open_page_and_metrics(server, options)
            listener = await _listen(service, options.listen)
            if listener is not None and options.listen is not None:
                server.site.listens = str(replace(options.listen, port=listener.port))
            placed = invited_fleets(options.placed, None, service.serve_link, _print_line)
            async with placed:
                await _serve(service, options, stop)
        finally:
            notify_parent("STOPPING=1")
            await service.drain()
            await server.aclose()
            if listener is not None:
                await listener.aclose()


def _log_to(logs: Sequence[Log]) -> Log | None:
    """Return what tells all of them of a turn; None: there are none."""
    if len(logs) < 2:
        return logs[0] if logs else None

    def log(now: float, events: Sequence[Event], commands: Sequence[Command]) -> None:
        for each in logs:
            each(now, events, commands)

    return log


async def _serve(service: MasterService, options: DaemonOptions, stop: asyncio.Event) -> None:
    beside: list[asyncio.Task[object]] = [
        asyncio.create_task(service.add_analyser(entry)) for entry in options.fleet
    ]
    beside.append(asyncio.create_task(keep_watchdog()))
    try:
        await _resume_own(service)
        notify_parent("READY=1")
        _print_line(f"ready: control socket {options.control}")
        while not stop.is_set():
            ready = sum(line.state == "ready" for line in service.analysers())
            notify_parent(f"STATUS={ready} analysers, {service.running_count} jobs")
            try:
                async with asyncio.timeout(STATUS_INTERVAL_S):
                    await stop.wait()
            except TimeoutError:
                continue
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)


async def _resume_own(service: MasterService) -> None:
    """Go on with the last daemon's jobs; one that cannot go on holds no other up."""
    for job in await service.own_jobs():
        try:
            await service.resume(job)
        except MasterError as error:
            _print_line(str(error))


async def _listen(service: MasterService, address: Address | None) -> Listener | None:
    if address is None:
        return None
    listener = await listen_for_analysers(address, service.keeper, service.serve_link)
    _print_line(f"listening for analysers on port {listener.port}")
    return listener


async def _open_page_and_metrics(server: MasterServer, options: DaemonOptions) -> None:
    if options.metrics is not None:
        port = await server.open_metrics(options.metrics)
        _print_line(f"metrics on http://{replace(options.metrics, port=port)}/metrics")
    if options.web is not None:
        await server.open_page(options.web)
        _print_line(f"the page is on {server.site.page} (`manyply web` opens it)")


def _on_signal(stop: asyncio.Event, name: str) -> None:
    if stop.is_set():
        os._exit(EXIT_AT_ONCE)  # What is stored stays; the rest is computed again.
    _print_line(f"{name}: jobs are halted and stored, then this master ends")
    stop.set()


def _print_line(text: str) -> None:
    print(f"manyply-master: {printable(text)}", file=sys.stderr, flush=True)

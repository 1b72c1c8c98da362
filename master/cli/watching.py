"""Following a job to its end, Ctrl-C included.

Knows a master (here or elsewhere), the progress display and the terminal's signals.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo_json
from master.cli.progress import Progress
from master.cli.rollout_report import rollout_lines, rollout_report, round_count
from master.cli.session import Master, Place, open_master
from master.client import MasterGoneError
from master.errors import MasterError
from master.service import MasterService
from master.store import StoreError
from master.views import JobView

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the fastest loop there is."""
    try:
        import uvloop  # noqa: PLC0415  # absent on some systems; asyncio's own loop will do
    except ImportError:
        runner = asyncio.Runner()
    else:
        runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    try:
        with runner:
            return runner.run(work)
    except MasterGoneError as error:
        raise CommandError(str(error), ExitCode.UNREACHABLE) from error
    except StoreError as error:
        raise CommandError(str(error), ExitCode.STORAGE) from error
    except MasterError as error:
        raise CommandError(str(error)) from error


def run_job(place: Place, start: Callable[[Master], Awaitable[int]], *, is_json: bool) -> None:
    """Start a job, watch it to its end, print its result, and end with the exit code."""

    async def work() -> tuple[JobView, bool]:
        async with open_master(place) as master:
            with Progress(is_quiet=is_json) as progress:
                return await _watch(master, await start(master), progress)

    view, is_interrupted = run_async(work())
    print_result(view, is_json=is_json)
    raise SystemExit(_exit_code(view, is_interrupted))


async def _watch(master: Master, job: int, progress: Progress) -> tuple[JobView, bool]:
    """Show updates until the job ends or the user interrupts; return its last view."""
    interrupted = asyncio.Event()
    view: JobView | None = None
    with _signals(interrupted):
        stopping = asyncio.create_task(_stop_when(interrupted, master, job, progress))
        try:
            async for update in master.subscribe(job):
                view = update.job
                progress.show(update)
                if interrupted.is_set() and not isinstance(master, MasterService):
                    break
        finally:
            stopping.cancel()
            await asyncio.gather(stopping, return_exceptions=True)
    assert view is not None, "a subscription yields at least once"
    return view, interrupted.is_set()


async def _stop_when(
    interrupted: asyncio.Event, master: Master, job: int, progress: Progress
) -> None:
    """Halt a job of this process at Ctrl-C; a job of a master elsewhere goes on without us."""
    await interrupted.wait()
    if isinstance(master, MasterService):
        progress.say("stopping; press Ctrl-C again to quit at once (nothing stored is lost)")
        await master.halt(job)


@contextmanager
def _signals(interrupted: asyncio.Event):  # type: ignore[no-untyped-def]
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if interrupted.is_set():
            os._exit(ExitCode.INTERRUPTED)  # what is stored is stored; see `manyply resume`
        interrupted.set()

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, on_signal)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def print_result(view: JobView, *, is_json: bool) -> None:
    """Print a job's result: its object, or its table and how to go on."""
    if is_json:
        echo_json(rollout_report(view))
    else:
        click.echo(headline(view))
        for line in rollout_lines(view):
            click.echo(line)
    if view.error:
        click.echo(f"manyply: job {view.job}: {view.error}", err=True)
    if view.stopped_by in ("halted", "interrupted", "drained", "failed"):
        click.echo(f"manyply: go on with: manyply resume {view.job}", err=True)
    elif not view.stopped_by:
        click.echo(
            f"manyply: job {view.job} is running; watch it with: manyply attach {view.job}",
            err=True,
        )


def headline(view: JobView) -> str:
    """Return the table's first line: what was rolled out and how far."""
    how = {"": "running", "trials": "complete", "stop_se": "standard error reached"}
    state = how.get(view.stopped_by, view.stopped_by)
    return f"Job {view.job}: {view.label} - {round_count(view)} trials each, {state}"


def _exit_code(view: JobView, is_interrupted: bool) -> ExitCode:
    if view.stopped_by == "failed":
        return ExitCode.JOB_FAILED
    return ExitCode.INTERRUPTED if is_interrupted and view.stopped_by != "trials" else ExitCode.OK

"""Following a job to its end, Ctrl-C included.

The master is here or elsewhere.
"""

from __future__ import annotations

import asyncio
import os
import signal
import textwrap
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from engine_ext.services import kill_engines
from master.api.client import MasterGoneError
from master.cli.drawings import write_drawing
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import ProgressDisplay
from master.cli.jobs.unserved import Unserved, reason
from master.cli.master_access import GamesOf, open_master
from master.cli.output import echo, echo_json, echo_notice
from master.cli.place import Place
from master.cli.terminal import terminal_width
from master.contract.errors import MasterError, NoAnalyserError
from master.contract.master import Master
from master.contract.views import JobView
from master.fleets.placing import FleetFailedError
from master.games.table import front_of, position_of
from master.reports.job_table import named_question, round_count, state_word
from master.store.errors import JobBusyError, StateLostError, StoreError, UnknownJobError
from protocol.aio import new_runner

T = TypeVar("T")

STORING_S_MAX = 2.0
"""Time limit for storing a job after Ctrl-C: the user waits for the line that says how to go on."""

PIPE_WIDTH = 100
"""Columns of prose where there is no terminal to ask."""


@dataclass(frozen=True)
class WatchOutcome:
    """The end of watching a job.

    Args:
        view: the job's last state.
        is_interrupted: the user pressed Ctrl-C.
        is_elsewhere: a master runs the job, and goes on with it without us.
        lost: the database is not in its place; the text names the place of its content.
        unserved: the reason that the master has no ready analyser; empty: the job was not given up.
    """

    view: JobView
    is_interrupted: bool = False
    is_elsewhere: bool = False
    lost: StateLostError | None = None
    unserved: str = ""


@dataclass
class Interruption:
    """The effect of Ctrl-C: it cancels the task that starts a job, or asks the one watching it."""

    requested: asyncio.Event
    starting: asyncio.Task[object] | None


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end on the fastest loop there is.

    Raises:
        CommandError: for all errors of a master or its store.
        OSError: too few descriptors are allowed.
        SystemExit: it was interrupted before it began to watch.
    """
    try:
        runner = new_runner()
    except OSError:
        work.close()
        raise
    try:
        with runner:
            return runner.run(work)
    except asyncio.CancelledError:
        raise SystemExit(ExitCode.INTERRUPTED) from None
    except MasterError as error:
        raise CommandError(str(error), error_code(error)) from error


def error_code(error: MasterError) -> ExitCode:
    """Return the exit code after an error of a master."""
    if isinstance(error, MasterGoneError):
        return ExitCode.UNREACHABLE
    if isinstance(error, FleetFailedError | NoAnalyserError):
        return ExitCode.JOB_FAILED
    is_asked_wrongly = isinstance(error, UnknownJobError | JobBusyError)
    if isinstance(error, StoreError) and not is_asked_wrongly:
        return ExitCode.STORAGE
    return ExitCode.BAD_INPUT


def run_job(
    place: Place,
    start: Callable[[Master], Awaitable[int]],
    *,
    is_json: bool,
    games: GamesOf | tuple[str, ...] | None = None,
    svg: Path | None = None,
    layout: str | None = None,
) -> None:
    """Start a job, watch it to its end, print its result, and end with the exit code.

    Args:
        place: where it runs.
        start: returns its number.
        is_json: the result is printed as an object.
        games: that the workers of a master in this process compute; see open_master.
        svg: where its result is drawn, too.
        layout: one of the game's texts, instead of the table.
    """

    async def work() -> WatchOutcome:
        outcome: WatchOutcome | None = None
        with ProgressDisplay(is_quiet=is_json) as progress, signals_of(progress) as interruption:
            try:
                async with open_master(place, games=games, on_waiting=progress.show_text) as master:
                    outcome = await watch(
                        master, start(master), progress, interruption, place.patience_s
                    )
            except StateLostError as error:
                if outcome is None:
                    raise
                outcome = replace(outcome, lost=error)
        return outcome

    outcome = run_async(work())
    print_result(outcome, is_json=is_json, layout=layout)
    if svg is not None:
        draw_result(outcome.view, svg)
    raise SystemExit(exit_code(outcome))


async def watch(
    master: Master,
    starting: Awaitable[int],
    progress: ProgressDisplay,
    interruption: Interruption,
    wait_s: float,
) -> WatchOutcome:
    """Await a job's number, then show updates until it ends or the user interrupts.

    A job of a master elsewhere that has no analyser ready for `wait_s` is watched no more.

    Returns:
        How it stood at last.
    """
    job = await _number_of(starting, interruption)
    view: JobView | None = None
    given_up = ""
    interrupted, unserved = interruption.requested, Unserved(is_elsewhere=master.is_elsewhere)
    stopping = asyncio.create_task(_stop_when(interrupted, master, job, progress))
    try:
        async for update in master.subscribe(job):
            view = update.job
            progress.show(update)
            if text := unserved.line(update, time.monotonic()):
                progress.show_text(text)
            if master.is_elsewhere and unserved.is_for(wait_s, time.monotonic()):
                given_up = reason(update.analysers)
            if master.is_elsewhere and (given_up or interrupted.is_set()):
                break
    finally:
        stopping.cancel()
        await asyncio.gather(stopping, return_exceptions=True)
    assert view is not None, "a subscription yields at least once"
    return WatchOutcome(view, interrupted.is_set(), master.is_elsewhere, unserved=given_up)


async def _number_of(starting: Awaitable[int], interruption: Interruption) -> int:
    """Return a job's number; at Ctrl-C too, for the job may be stored already.

    Raises:
        asyncio.CancelledError: it was interrupted, and there is no number within STORING_S_MAX.
    """
    interruption.starting = None
    number = asyncio.ensure_future(starting)
    interrupted = asyncio.create_task(interruption.requested.wait())
    try:
        await asyncio.wait((number, interrupted), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((number,), timeout=STORING_S_MAX)
        if not number.done():
            raise asyncio.CancelledError
        return number.result()
    finally:
        number.cancel()
        interrupted.cancel()
        await asyncio.gather(number, interrupted, return_exceptions=True)


async def _stop_when(
    interrupted: asyncio.Event, master: Master, job: int, progress: ProgressDisplay
) -> None:
    """Halt a job of this process at Ctrl-C; a job of a master elsewhere goes on without us."""
    await interrupted.wait()
    if not master.is_elsewhere:
        progress.show_text("stopping; press Ctrl-C again to quit at once (nothing stored is lost)")
        await master.halt(job)


@contextmanager
def signals_of(progress: ProgressDisplay) -> Iterator[Interruption]:
    """Handle SIGINT and SIGTERM until the end: the first asks, the second ends the process."""
    loop = asyncio.get_running_loop()
    interruption = Interruption(asyncio.Event(), asyncio.current_task())

    def on_signal() -> None:
        if interruption.requested.is_set():
            progress.leave()
            kill_engines()
            os._exit(ExitCode.INTERRUPTED)  # stored trials are safe; see `manyply resume`
        interruption.requested.set()
        if interruption.starting is not None:
            interruption.starting.cancel()

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        loop.add_signal_handler(number, on_signal)
    try:
        yield interruption
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def print_result(outcome: WatchOutcome, *, is_json: bool, layout: str | None = None) -> None:
    """Print a job's result: its object, or its table or another text and how to go on."""
    view = outcome.view
    front = front_of(view.game)
    if layout is not None and layout not in front.job_texts:
        raise CommandError(f"a job of {view.game} has no text for --{layout}")
    if is_json:
        echo_json(front.job_report(view))
    elif layout is not None:
        echo("\n".join(front.job_texts[layout](view)))
    else:
        echo(headline(view))
        width = terminal_width()
        for line in _question_lines(view, width):
            echo(line)
        for line in front.job_lines(view, width):
            echo(line)
    say_how_to_go_on(outcome)


def draw_result(
    view: JobView, path: Path, write: Callable[[Path, str], None] = write_drawing
) -> None:
    """Draw a job's result into a file; raises CommandError where the game draws none."""
    job_svg = front_of(view.game).job_svg
    if job_svg is None:
        raise CommandError(f"there is no drawing of a job of {view.game}")
    if view.alternatives:
        write(path, job_svg(view))
    else:
        echo_notice(f"{path} is not written: job {view.job} has no result yet")


def say_how_to_go_on(outcome: WatchOutcome) -> None:
    """Print why a job is not done, and how to come back to it."""
    view = outcome.view
    if outcome.lost is not None:
        echo_notice(str(outcome.lost))
        return
    if outcome.unserved:
        echo_notice(outcome.unserved)
    if view.error:
        echo_notice(f"job {view.job}: {view.error}")
    if view.state.value == "halted":
        echo_notice(f"go on with: manyply resume {view.job}")
    elif view.state.value == "running" and outcome.is_elsewhere:
        job = view.job
        echo_notice(f"job {job} runs on; watch: manyply attach {job}; end: manyply halt {job}")


def _question_lines(view: JobView, width: int | None) -> list[str]:
    """Return a job's question, in lines; `echo` breaks it on a terminal."""
    question = named_question(view, position_of(view))
    if width is None or not question:
        return textwrap.wrap(question, PIPE_WIDTH)
    return [question]


def headline(view: JobView) -> str:
    """Return the table's first line: the question and its progress."""
    how = {
        "": "running", "trials": "complete", "stop_se": "standard error reached",
        "answered": "complete",
    }  # fmt: skip
    state = how.get(view.stopped_by) or state_word(view)
    if view.search is not None:
        return f"Job {view.job}: {view.label} - {state}"
    each = " each" if len(view.alternative_names) > 1 else ""
    return f"Job {view.job}: {view.label} - {round_count(view)} trials{each}, {state}"


def exit_code(outcome: WatchOutcome) -> ExitCode:
    """Return the exit code of a command that waited for the end of a job."""
    if outcome.lost is not None:
        return ExitCode.STORAGE
    stopped_by = outcome.view.stopped_by
    is_done = stopped_by in ("trials", "stop_se", "settled", "answered")
    if is_done:
        return ExitCode.OK
    if outcome.is_interrupted and stopped_by != "failed" and not outcome.view.error:
        return ExitCode.INTERRUPTED
    return ExitCode.JOB_FAILED  # also if somebody else halted it: the result is a part

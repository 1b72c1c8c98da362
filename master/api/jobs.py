"""Answers requests about the master, its jobs, questions, analysers and numbers."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from master.api.connections import IS_OWNER
from master.api.messages import (
    API_VERSION,
    INTERVAL_S_MAX,
    INTERVAL_S_MIN,
    About,
    Analysers,
    Done,
    Extension,
    GivenAnswers,
    JobRow,
    Jobs,
    MasterState,
    PriorityChange,
    Problem,
    Questions,
    StatusLines,
)
from master.api.routing import Operation, adapter
from master.api.rules import SECURITY_FIELDS, Need, Refusal, RefusedError
from master.api.site import Site
from master.api.streams import DONE, EventStream, frame
from master.api.watching import JobRows, job_row
from master.contract.errors import MasterError
from master.contract.job_words import JobNumber
from master.contract.questions import QuestionError
from master.contract.views import UPDATE_INTERVAL_S, Figures, JobRequest, Update
from master.games.table import front_of
from master.reports.report import Report
from master.service.job_requests import request_again

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""All readers of the format take this one, KEDA too."""

_EXTRA = "--metrics takes an extra: pip install 'manyply[metrics]'"


def check_installed() -> None:
    """Raise MasterError, which names the command, if the package is not there."""
    try:
        importlib.import_module("prometheus_client")
    except ImportError:
        raise MasterError(_EXTRA) from None


def to_text(figures: Figures) -> bytes:
    """Return the numbers as the body of an answer."""
    from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(figures))
    return generate_latest(registry)


@dataclass(frozen=True, eq=False)
class _Collector:
    """The package's source of numbers: only ours are shown, none of the process."""

    figures: Figures

    def collect(self) -> Iterator[Metric]:
        """Yield each number with its description."""
        from prometheus_client.core import (  # noqa: PLC0415
            CounterMetricFamily,
            GaugeMetricFamily,
        )

        def by_state(name: str, text: str, counts: Mapping[str, int]) -> Metric:
            family = GaugeMetricFamily(name, text, labels=["state"])
            for state, count in counts.items():
                family.add_metric([state], count)
            return family

        seen = self.figures
        waiting = "Parts that could be handed to further analysers now."
        yield GaugeMetricFamily("manyply_parts_waiting", waiting, seen.parts_waiting)
        busy = "Worker threads that have a part to compute."
        yield GaugeMetricFamily("manyply_workers_busy", busy, seen.workers_busy)
        yield by_state("manyply_analysers", "Analysers, by state.", seen.analysers)
        yield by_state("manyply_jobs", "Jobs that are stored, by state.", seen.jobs)
        new = "Results of trials and questions that were new."
        yield CounterMetricFamily("manyply_results", new, seen.results)
        twice = "Results that were computed twice and equal."
        yield CounterMetricFamily("manyply_duplicates", twice, seen.duplicates)
        gone = "Results of parts that were gone."
        yield CounterMetricFamily("manyply_dropped", gone, seen.dropped)


QUESTIONS_BYTES_MAX = 1 << 26
"""Of a request with questions: as many as can be asked at once, of a kilobyte each."""

TOGETHER_S = 0.005
"""Answers that come within this time are sent together: an event for each costs more than it."""

QUESTIONS_S = 60.0
"""Time limit for them on their way."""

T = TypeVar("T")

_SECONDS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,9})?")

_JOB = "/api/jobs/{job}"


class MetricsHandlers:
    """Answers monitoring programs."""

    def __init__(self, site: Site) -> None:
        self._master = site.master

    @Operation("GET", "/healthz", Need.NOTHING, media="text/plain")
    async def health(self) -> Response:
        """Say that the master answers."""
        return Response("ok\n", media_type="text/plain", headers=SECURITY_FIELDS)

    @Operation("GET", "/metrics", Need.READING, media="text/plain")
    async def metrics(self) -> Response:
        """Show the numbers as Prometheus reads them."""
        try:
            check_installed()
            body = to_text(await self._master.figures())
        except MasterError as error:
            raise RefusedError(Refusal(503, "no-metrics", str(error))) from None
        return Response(body, headers=SECURITY_FIELDS | {"Content-Type": CONTENT_TYPE})


class JobHandlers:
    """Answers requests about the master, its jobs, questions and analysers."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._master = site.master
        self._rows = JobRows()

    # The master.

    @Operation("GET", "/api/about", Need.READING)
    async def about(self, request: Request) -> About:
        """Show the master, and where it listens."""
        site = self._site
        is_owner = bool(request.scope.get("state", {}).get(IS_OWNER, False))
        return About(
            site.name,
            API_VERSION,
            os.getpid(),
            str(site.state_dir) if is_owner else None,
            site.listens or None,
            site.page or None,
        )

    @Operation("GET", "/api/master", Need.READING)
    async def master(self) -> MasterState:
        """Show the master and its numbers."""
        return await self._site.watching.master_state()

    @Operation("GET", "/api/status", Need.READING)
    async def status(self) -> StatusLines:
        """Say how the master is, in lines for people."""
        return StatusLines(tuple(await self._master.status()))

    @Operation("GET", "/api/analysers", Need.READING)
    async def analysers(self) -> Analysers:
        """List all analysers."""
        return Analysers(await self._master.who())

    # Jobs.

    @Operation("GET", "/api/jobs", Need.READING)
    async def jobs(self) -> Jobs:
        """List all jobs, oldest first."""
        return Jobs(tuple(self._rows.rows(await self._master.jobs())))

    @Operation("POST", "/api/jobs", Need.TOKEN)
    async def submit(self, body: JobRequest) -> Done:
        """Start a job: trials of a context, or the search of a position."""
        return Done(await self._carried_out(self._master.submit(body)))

    @Operation("GET", _JOB, Need.READING)
    async def job(self, job: JobNumber) -> JobRow:
        """Show a job."""
        return job_row(await self._master.show(job))

    @Operation("GET", f"{_JOB}/report", Need.READING)
    async def report(self, job: JobNumber) -> Report:
        """Show a job's report, the object that `manyply show --json` prints."""
        view = await self._master.show(job)
        return front_of(view.game).job_report(view)

    @Operation("POST", f"{_JOB}/halt", Need.TOKEN)
    async def halt(self, job: JobNumber) -> Done:
        """Stop a job; answered when all that was computed is stored."""
        return await self._changed(job, self._master.halt(job))

    @Operation("POST", f"{_JOB}/resume", Need.TOKEN)
    async def resume(self, job: JobNumber) -> Done:
        """Go on with a job."""
        return await self._changed(job, self._master.resume(job))

    @Operation("POST", f"{_JOB}/again", Need.TOKEN)
    async def again(self, job: JobNumber) -> Done:
        """Begin a job's question anew under the engine of today; answered with the new job."""
        request = await asyncio.to_thread(request_again, await self._master.show(job))
        return Done(await self._carried_out(self._master.submit(request)))

    @Operation("POST", f"{_JOB}/extend", Need.TOKEN)
    async def extend(self, job: JobNumber, body: Extension) -> Done:
        """Add trials of each alternative, and go on."""
        return await self._changed(job, self._master.extend(job, body.trials))

    @Operation("POST", f"{_JOB}/priority", Need.TOKEN)
    async def prioritise(self, job: JobNumber, body: PriorityChange) -> Done:
        """Put a running job of trials into the background, or back."""
        return await self._changed(job, self._master.prioritise(job, body.priority))

    @Operation("POST", f"{_JOB}/forget", Need.TOKEN)
    async def forget(self, job: JobNumber) -> Done:
        """Delete a job with all that is stored of it; a running one is refused."""
        return await self._changed(job, self._master.forget(job))

    async def _changed(self, job: int, change: Coroutine[Any, Any, None]) -> Done:
        await self._carried_out(change)
        return Done(job)

    async def _carried_out(self, change: Coroutine[Any, Any, T]) -> T:
        """Await a change. It goes on when the client leaves, or when the time is over."""
        return await asyncio.shield(self._site.background.begin(change))

    # Streams.

    @Operation("GET", "/api/events", Need.READING, media="text/event-stream")
    async def events(self, request: Request) -> Response | EventStream:
        """Follow analysers, jobs and numbers.

        The event `state` has everything, each event `changes` only the changes since then, and
        `alive` means that there are none.
        """
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=SECURITY_FIELDS)
        seen = request.headers.get("last-event-id")
        host = request.client.host if request.client is not None else ""
        return EventStream(self._site.watching.frames(seen, host))

    @Operation("GET", f"{_JOB}/updates", Need.READING, media="text/event-stream")
    async def updates(self, job: JobNumber, interval_s: str) -> EventStream:
        """Follow a job: an event `update` now and again and once more at its end, then `done`."""
        updates = self._master.subscribe(job, read_interval(interval_s))
        first = await anext(updates, None)  # an unknown job is refused before the stream begins
        return EventStream(_update_frames(first, updates))

    @Operation(
        "POST", "/api/questions", Need.TOKEN, media="text/event-stream",
        body_bytes_max=QUESTIONS_BYTES_MAX, body_s=QUESTIONS_S,
    )  # fmt: skip
    async def ask(self, body: Questions) -> EventStream:
        """Answer questions: events `answers` as they come, then `done` or `refused`.

        An answer has the index of its question. Leaving stops the questions without one.
        """
        return EventStream(self._answers(body))

    async def _answers(self, body: Questions) -> AsyncGenerator[bytes, None]:
        """Yield answers; one waits while the client reads slowly, the work does not."""
        given: list[tuple[int, str]] = []  # as many as questions
        has_news = asyncio.Event()

        def note(index: int, text: str) -> None:
            given.append((index, text))
            has_news.set()

        call = asyncio.create_task(
            self._master.ask(body.questions, priority=body.priority, on_answer=note)
        )
        call.add_done_callback(lambda _: has_news.set())
        try:
            while not call.done() or given:
                await has_news.wait()
                has_news.clear()
                if given:
                    news, given[:] = tuple(given), []
                    yield frame("answers", adapter(GivenAnswers).dump_json(GivenAnswers(news)))
                    await asyncio.wait((call,), timeout=TOGETHER_S)
            yield _end_of(call)
        finally:
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)


def _end_of(call: asyncio.Task[list[str]]) -> bytes:
    """Return the last event of an answer to questions."""
    try:
        call.result()
    except QuestionError as error:
        problem = Problem("bad-question", error.text, error.index)
    except MasterError as error:
        problem = Problem("refused", str(error))
    else:
        return DONE
    return frame("refused", adapter(Problem).dump_json(problem))


async def _update_frames(
    first: Update | None, rest: AsyncIterator[Update]
) -> AsyncGenerator[bytes, None]:
    if first is not None:
        yield frame("update", adapter(Update).dump_json(first))
    async for update in rest:
        yield frame("update", adapter(Update).dump_json(update))
    yield DONE


def read_interval(text: str) -> float:
    """Return the seconds between two updates; RefusedError."""
    if not text:
        return UPDATE_INTERVAL_S
    seconds = float(text) if _SECONDS.fullmatch(text) is not None else 0.0
    if not INTERVAL_S_MIN <= seconds <= INTERVAL_S_MAX:
        expected = f"expected interval_s, {INTERVAL_S_MIN:g} to {INTERVAL_S_MAX:g} seconds"
        raise RefusedError(Refusal(422, "bad-query", expected))
    return seconds

"""A master of the web door's tests: its jobs are what the test says, and it notes what is asked."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from engine_ext.noop.runner import noop_context
from master.contract.errors import MasterError
from master.contract.events import Priority
from master.contract.figures import ANALYSER_STATES, Figures
from master.contract.views import (
    AnalyserLine,
    HeldPart,
    JobRequest,
    JobState,
    JobView,
    PastIncident,
    Update,
)
from master.store import UnknownJobError

CONTEXT = noop_context()

VIEW = JobView(
    job=1,
    context=CONTEXT,
    digest="0" * 16,
    game="noop",
    engine="e" * 16,
    alternative_names=("a",),
    value_names=("value",),
    label="mine",
    created="2026-01-02T03:04:05+00:00",
    trials=1000,
    stop_se=None,
    state=JobState.RUNNING,
    stopped_by="",
    error="",
    folded=10,
    held=0,
    trials_per_s=2.5,
    eta_s=396.0,
    alternatives=(),
)

INCIDENT = PastIncident("2026-01-02T03:04:05+00:00", "stalled", "trial 7 made no progress")
LINE = AnalyserLine(
    "attic",
    "attic:4321",
    "ready",
    workers=4,
    parts=2,
    trials=77,
    trials_per_s=1.5,
    powers=(("noop", 1234.5),),
    round_trip_s=0.0123,
    part=HeldPart(1, 120, 8),
    incident_counts=(("stalled", 2),),
    incidents=(INCIDENT,),
)


class FakeMaster:
    """A `Master`; the parts that the door does not use are refused."""

    is_elsewhere = False

    def __init__(self, *views: JobView) -> None:
        self.views = {view.job: view for view in views}
        self.lines: tuple[AnalyserLine, ...] = (LINE,)
        self.asked: list[tuple[object, ...]] = []
        self.error: MasterError | None = None
        self.looks = 0

    def change(self, job: int, **fields: object) -> None:
        self.views[job] = replace(self.views[job], **fields)  # type: ignore[arg-type]

    def _note(self, *asked: object) -> None:
        if self.error is not None:
            raise self.error
        job = asked[1]
        assert isinstance(job, int)
        if job not in self.views:
            raise UnknownJobError(job)
        self.asked.append(asked)

    async def halt(self, job: int) -> None:
        self._note("halt", job)
        self.change(job, state=JobState.HALTED, stopped_by="halted")

    async def resume(self, job: int) -> None:
        self._note("resume", job)
        self.change(job, state=JobState.RUNNING, stopped_by="")

    async def extend(self, job: int, extra: int) -> None:
        self._note("extend", job, extra)
        self.change(job, trials=(self.views[job].trials or 0) + extra)

    async def prioritise(self, job: int, priority: Priority) -> None:
        self._note("prioritise", job, priority)
        self.change(job, priority=priority)

    async def forget(self, job: int) -> None:
        self._note("forget", job)
        del self.views[job]

    async def jobs(self) -> list[JobView]:
        self.looks += 1
        if self.error is not None:
            raise self.error
        return list(self.views.values())

    async def show(self, job: int) -> JobView:
        self._note("show", job)
        return self.views[job]

    async def who(self) -> tuple[AnalyserLine, ...]:
        return self.lines

    async def figures(self) -> Figures:
        states = [line.state for line in self.lines]
        kinds = {state.value: 0 for state in JobState}
        return Figures(1, 2, {state: states.count(state) for state in ANALYSER_STATES}, kinds, 3)

    async def submit(self, request: JobRequest) -> int:
        raise MasterError("no jobs are received")

    def subscribe(self, job: int, interval_s: float = 0.5) -> AsyncIterator[Update]:
        raise MasterError("nothing is followed")

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        raise MasterError("no questions are answered")

    async def status(self) -> list[str]:
        return []

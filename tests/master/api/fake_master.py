"""A master for tests of its interface: its jobs are given, and it notes requests."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from engine_ext.noop.runner import noop_context
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.questions import sort_questions
from master.contract.search_views import NodeState, SearchTreeView, SearchView, TreeNode
from master.contract.views import (
    ANALYSER_STATES,
    AnalyserLine,
    Figures,
    HeldPart,
    JobConvergence,
    JobFlow,
    JobRequest,
    JobView,
    PastIncident,
    Update,
)
from master.service.showing import with_keys
from master.store.errors import UnknownJobError
from tests.master.games.askers import Answering

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
    powers=(("noop", 5.5), ("othello", 1234.5)),
    round_trip_s=0.0123,
    part=HeldPart(1, 120, 8),
    incident_counts=(("stalled", 2),),
    incidents=(INCIDENT,),
)


ROOT = TreeNode(
    path=(), depth=9, lower=-3, upper=None, window=(-3, 5), state=NodeState.SPLIT, is_shot=False,
    searchers=(), busy=2, nodes=1000, age_s=None, child_count=2,
)  # fmt: skip
HOT = replace(
    ROOT, path=(1,), depth=8, lower=None, upper=3, window=(-5, 3), state=NodeState.SEARCHED,
    searchers=("attic", "attic"), nodes=900, age_s=2.5, child_count=0,
)  # fmt: skip
TREE = SearchTreeView(
    "noop",
    True,
    SearchView("depth 9", "root", -3, None, 1, nodes=1000, seconds=4.0, parts=7, shot=2),
    (ROOT, HOT),
)


class FakeMaster:
    """A `Master` whose views, answers and refusals a test sets.

    `updates` are those of each job; they wait for `may_update`, and `has_left` is set when their
    reader has left or has all of them. `ask` waits for `may_answer`, `is_stopped` is set when it
    was cancelled.
    """

    is_elsewhere = False

    def __init__(self, *views: JobView) -> None:
        self.views = {view.job: view for view in views}
        self.trees: dict[int, SearchTreeView] = {}
        self.lines: tuple[AnalyserLine, ...] = (LINE,)
        self.asked: list[tuple[object, ...]] = []
        self.error: MasterError | None = None
        self.probes = 0
        self.convergences: dict[int, JobConvergence] = {}
        self.flows: dict[int, JobFlow] = {}
        self.submitted: list[JobRequest] = []
        self.asker = Answering()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.is_asked = asyncio.Event()
        self.is_stopped = asyncio.Event()
        self.updates: list[Update] = []
        self.may_update = asyncio.Event()
        self.may_update.set()
        self.has_left = asyncio.Event()
        self.lines_of_status: list[str] = []

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
        self.probes += 1
        if self.error is not None:
            raise self.error
        return list(self.views.values())

    async def show(self, job: int) -> JobView:
        self._note("show", job)
        return self.views[job]

    async def convergence(self, job: int) -> JobConvergence:
        self._note("course", job)
        return self.convergences.get(job, JobConvergence())

    async def flow(self, job: int) -> JobFlow:
        self._note("flow", job)
        return self.flows.get(job, JobFlow())

    async def search_tree(self, job: int) -> SearchTreeView:
        self._note("search_tree", job)
        return self.trees.get(job, TREE)

    async def who(self) -> tuple[AnalyserLine, ...]:
        return with_keys(self.lines)

    async def figures(self) -> Figures:
        states = [line.state for line in self.lines]
        kinds = {state.value: 0 for state in JobState}
        return Figures(1, 2, {state: states.count(state) for state in ANALYSER_STATES}, kinds, 3)

    async def submit(self, request: JobRequest) -> int:
        if self.error is not None:
            raise self.error
        self.submitted.append(request)
        return len(self.submitted)

    async def subscribe(self, job: int, interval_s: float = 0.5) -> AsyncIterator[Update]:
        self._note("subscribe", job, interval_s)
        try:
            for update in self.updates:
                await self.may_update.wait()
                yield update
        finally:
            self.has_left.set()

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Answer here, once `may_answer`."""
        sort_questions(questions)
        self.is_asked.set()
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.is_stopped.set()
            raise
        if self.error is not None:
            raise self.error
        return await self.asker.ask(questions, priority=priority, on_answer=on_answer)

    async def status(self) -> list[str]:
        if self.error is not None:
            raise self.error
        return list(self.lines_of_status)

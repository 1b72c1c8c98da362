"""The interface of a master for every client, and for the page that it serves.

The service and the client of the socket are the two forms of the first.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Protocol

from master.contract.job_words import Priority
from master.contract.search_views import SearchTreeView
from master.contract.views import (
    UPDATE_INTERVAL_S,
    AnalyserLine,
    Figures,
    JobConvergence,
    JobFlow,
    JobRequest,
    JobView,
    Update,
)


class Master(Protocol):
    """One master; each call raises MasterError where it cannot be done."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether jobs go on without us, when this process has gone."""

    async def submit(self, request: JobRequest) -> int:
        """Store a job and start it; return its number."""

    async def resume(self, job: int) -> None:
        """Go on with a job; one that runs already simply goes on."""

    async def extend(self, job: int, extra: int) -> None:
        """Add `extra` games of each alternative to a job, and go on with it."""

    async def halt(self, job: int) -> None:
        """Stop a running job and wait until everything computed for it is stored."""

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Put a running job of trials into the background, or back to normal.

        It stays so when the job is halted and goes on.
        """

    async def forget(self, job: int) -> None:
        """Delete a job with all that is stored of it; one that runs is refused."""

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""

    async def show(self, job: int) -> JobView:
        """Return the view of a job, running or not."""

    def subscribe(self, job: int, interval_s: float = UPDATE_INTERVAL_S) -> AsyncIterator[Update]:
        """Yield views of a job, now and again, and once more at its end."""

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Return the answers to questions (engine_ext.services), in the questions' order.

        Questions answered before are not asked again. When cancelled, it stops the unanswered ones.

        Args:
            questions: one line each; the same one may occur several times.
            priority: of the questions' work.
            on_answer: called with a question's index and answer as soon as it is known, kept ones
                first; again, should an answer be proved wrong before the last one is there.

        Raises:
            QuestionError: a question is none, or cannot be answered.
            MasterError: too many are asked, or the master is ending.
        """

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name: those that work, and those of the fleet that do not."""

    async def status(self) -> list[str]:
        """Return how this master is, as lines for people."""


class PageMaster(Master, Protocol):
    """A master in this process that serves a page; calls raise MasterError as those of Master."""

    async def figures(self) -> Figures:
        """Return its state in numbers."""

    async def convergence(self, job: int) -> JobConvergence:
        """Return the way of a job's means; of a search there is none."""

    async def flow(self, job: int) -> JobFlow:
        """Return how results of a job came in; of one that did not run here nothing is known."""

    async def search_tree(self, job: int) -> SearchTreeView:
        """Return the top of the tree of a job that is a search."""

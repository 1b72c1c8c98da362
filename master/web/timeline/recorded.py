"""A read-only master for a record that is shown: nothing runs, and commands are refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from master.contract.convergences import JobConvergence, JobFlow
from master.contract.errors import MasterError
from master.contract.figures import Figures
from master.contract.job_words import Priority
from master.contract.search_views import SearchTreeView
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine, JobRequest, JobView, Update


class RecordedMaster:
    """A `PageMaster` that refuses everything.

    Args:
        text: why, for people.
    """

    is_elsewhere = False

    def __init__(self, text: str) -> None:
        self._text = text

    def _refusal(self) -> MasterError:
        return MasterError(self._text)

    async def submit(self, request: JobRequest) -> int:
        """Refuse."""
        raise self._refusal()

    async def resume(self, job: int) -> None:
        """Refuse."""
        raise self._refusal()

    async def extend(self, job: int, extra: int) -> None:
        """Refuse."""
        raise self._refusal()

    async def halt(self, job: int) -> None:
        """Refuse."""
        raise self._refusal()

    async def forget(self, job: int) -> None:
        """Refuse."""
        raise self._refusal()

    async def jobs(self) -> list[JobView]:
        """Refuse."""
        raise self._refusal()

    async def show(self, job: int) -> JobView:
        """Refuse."""
        raise self._refusal()

    def subscribe(self, job: int, interval_s: float = UPDATE_INTERVAL_S) -> AsyncIterator[Update]:
        """Refuse."""
        raise self._refusal()

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Refuse."""
        raise self._refusal()

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Refuse."""
        raise self._refusal()

    async def status(self) -> list[str]:
        """Refuse."""
        raise self._refusal()

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Refuse."""
        raise self._refusal()

    async def figures(self) -> Figures:
        """Refuse."""
        raise self._refusal()

    async def convergence(self, job: int) -> JobConvergence:
        """Refuse."""
        raise self._refusal()

    async def flow(self, job: int) -> JobFlow:
        """Refuse."""
        raise self._refusal()

    async def search_tree(self, job: int) -> SearchTreeView:
        """Refuse."""
        raise self._refusal()

"""What stands for a master where a record is shown: nothing runs, and whoever asks is told so.

Knows what can be asked of a master.  Must not know the record.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from master.contract.errors import MasterError
from master.contract.events import Priority
from master.contract.figures import Figures
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine, JobRequest, JobView, Update


class RecordedMaster:
    """A `Master` that refuses everything.

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

    async def figures(self) -> Figures:
        """Refuse."""
        raise self._refusal()

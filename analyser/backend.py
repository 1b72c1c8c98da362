"""The interface between an agent and its computing: own threads, or a fleet behind a relay."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from protocol.messages import Engine, Entries, Message, PartRequest, Progress


class Outlet(NamedTuple):
    """Receives the messages of a backend.

    Args:
        deliver: Called with messages in the order of each part, from any thread. Once
            `Backend.cancel_all` has returned, it is not called with a message of an earlier part.
        announce: Called in the loop's thread when `Backend.offers` or `worker_count` changed.
        results_max: Results allowed at first.
    """

    deliver: Callable[[list[Message]], None]
    announce: Callable[[], None]
    results_max: int


class Backend(Protocol):
    """Computes parts. Results are counted since the start or the last `cancel_all`."""

    @property
    def worker_count(self) -> int:
        """Parts computed at a time; 0: there is no worker, and `load` waits for one."""

    @property
    def games(self) -> tuple[str, ...]:
        """Games that it can compute, as far as known before `load`."""

    @property
    def offers(self) -> tuple[Engine, ...]:
        """The engines, once `load` has returned."""

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""

    @property
    def paused_count(self) -> int:
        """Parts paused for urgent ones, as far as known."""

    async def load(self) -> None:
        """Get ready to compute; return once it can."""

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        """Begin a part, or end it at once by `fail` if it is refused.

        Returns:
            All its messages, if it ended at once; empty: they are delivered later.
        """

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a part; its final message still comes."""

    def learn(self, entries: Entries) -> None:
        """Use table entries in the searches; ContextError if they cannot be read."""

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""

    def hold(self, is_held: bool) -> None:
        """Make no further results while `is_held`, beyond those begun."""

    def cancel_all(self) -> None:
        """Forget every part, every count and every table entry that was learned."""

    def progress(self) -> list[Progress]:
        """Return a report for each part that has begun."""

    async def close(self) -> None:
        """Cancel everything and stop computing."""


NewBackend = Callable[[Outlet], Backend]

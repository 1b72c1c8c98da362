"""The common part of all jobs that this process runs."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from master.contract.search_views import SearchTreeView
from master.contract.views import JobView
from master.store.lock import JobLock
from master.store.records import JobRecord


@dataclass(eq=False)
class RunningJob(ABC):
    """A job that this process runs.

    `error` is the text of an error, for its record. `is_ending` says that it takes no more wishes:
    it was halted, or has come to its end. `final` is its last view: set, and `ended` with it, when
    everything of it is stored. `on_end` is called with it then.
    """

    record: JobRecord
    lock: JobLock
    error: str = ""
    is_ending: bool = False
    final: JobView | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    on_end: Callable[[JobView], None] = lambda view: None

    @abstractmethod
    def halt(self) -> None:
        """Have it end before its end; `ended` is set when everything is stored."""

    @abstractmethod
    def view(self, is_summed: bool = True) -> JobView:
        """Return its view; `is_summed` asks for the alternatives' statistics."""

    def tree(self) -> SearchTreeView | None:
        """Return the top of its search tree; None: it is no search."""
        return None

    def end(self, view: JobView) -> None:
        """Notify all that wait: nothing is left to be stored."""
        self.lock.release()
        self.final = view
        self.ended.set()
        self.on_end(view)

"""What all handlers of an interface share: the master, its name and files, background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from master.api.watching import Watching
from master.contract.master import PageMaster
from master.timeline.showing import NOTHING_SHOWN, ShownTimeline

T = TypeVar("T")


class Background:
    """Tasks that go on after their request was answered, or its client has left."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Return the task that carries work out; it ends with the interface, if not before."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def aclose(self) -> None:
        """End all that goes on."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Site:
    """A master with its interface.

    Args:
        master: carries requests out.
        watching: follows the master.
        state_dir: the master's.
        timeline: the timeline to show.
        background: tasks that outlive their request.
        listens: HOST:PORT where analysers dial in; empty: nowhere.
        page: URL of the page; empty: there is none.
    """

    master: PageMaster
    watching: Watching
    state_dir: Path
    timeline: ShownTimeline = NOTHING_SHOWN
    background: Background = field(default_factory=Background)
    listens: str = ""
    page: str = ""

    @property
    def name(self) -> str:
        """The master's name."""
        return self.watching.name

"""Tasks that run beside each other until the master ends; an error in one is always reported."""

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger("manyply.master")


class BackgroundTasks:
    """The tasks of a master; `on_died` is called with a text when one dies of a bug."""

    def __init__(self, on_died: Callable[[str], None]) -> None:
        """Start with none."""
        self._on_died = on_died
        self._tasks: set[asyncio.Task[object]] = set()

    def spawn(self, work: "asyncio._CoroutineLike[object]") -> None:
        """Start a task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_ended)

    def _on_ended(self, task: "asyncio.Task[object]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a task of the master died", exc_info=error)
            self._on_died(f"internal error: {type(error).__name__}: {error}")

    async def cancel(self) -> None:
        """End all tasks and wait for them."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

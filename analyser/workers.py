"""Worker threads: they take parts from a queue and hand messages to the link's thread.

Knows threads and tasks.  Must not know links or sessions.  The engine releases the GIL,
so one process keeps all cores busy.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from analyser.tasks import SLICE_TRIALS_MAX, Task
from protocol.messages import Message, Progress

Deliver = Callable[[list[Message]], None]

BATCH_TASKS_MAX = 64
"""Parts that one worker takes at once when they are tiny: batches the hand-over of results."""

BATCH_S = 0.002
"""A worker hands over what it has after this long, finished or not."""


class WorkerPool:
    """Computes tasks in `worker_count` threads, oldest first.

    Args:
        worker_count: Threads.
        deliver: Called from worker threads with messages in the order of each part; must
            be thread-safe and quick.  Once `cancel_all` has returned, it is not called with
            a message of an earlier task.
    """

    def __init__(self, worker_count: int, deliver: Deliver) -> None:
        self.worker_count = worker_count
        self._deliver = deliver
        self._changed = threading.Condition()
        self._queue: deque[Task] = deque()
        self._live: dict[tuple[int, int], Task] = {}
        self._generation = 0  # of tasks; raised by cancel_all
        self._is_paused = False
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{i}", daemon=True)
            for i in range(worker_count)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def undelivered_max(self) -> int:
        """Messages that may still arrive after `pause`: a slice and a batch of each worker."""
        return self.worker_count * (SLICE_TRIALS_MAX + 1 + 2 * BATCH_TASKS_MAX)

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return len(self._live)

    def submit(self, task: Task) -> None:
        """Queue a task."""
        with self._changed:
            self._live[task.key] = task
            self._queue.append(task)
            self._changed.notify()

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a task; its final message still comes."""
        task = self._live.get(key)
        if task is not None:
            task.control.stop()

    def cancel_all(self) -> None:
        """Forget every task: none of their messages is delivered from now on."""
        with self._changed:
            for task in self._live.values():
                task.control.stop()
            self._live.clear()
            self._queue.clear()
            self._generation += 1

    def pause(self) -> None:
        """Start no further slice until `resume`."""
        self._is_paused = True

    def resume(self) -> None:
        """Go on after `pause`."""
        if self._is_paused:
            with self._changed:
                self._is_paused = False
                self._changed.notify_all()

    def progress(self) -> list[Progress]:
        """Return a report for each task that has begun."""
        return [task.progress() for task in list(self._live.values()) if task.control.steps]

    def close(self) -> None:
        """End the threads; a running slice is stopped first."""
        self.cancel_all()
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _take(self) -> tuple[int, list[Task]]:
        """Wait for tasks; return their generation and this worker's share of those waiting."""
        with self._changed:
            while not self._is_closed and (self._is_paused or not self._queue):
                self._changed.wait()
            if self._is_closed:
                return self._generation, []
            share = -(-len(self._queue) // self.worker_count)
            tasks = [self._queue.popleft() for _ in range(min(share, BATCH_TASKS_MAX))]
            return self._generation, tasks

    def _put_back(self, generation: int, tasks: list[Task]) -> None:
        with self._changed:
            if generation == self._generation:
                self._queue.extendleft(reversed(tasks))
                self._changed.notify_all()

    def _hand_over(self, generation: int, messages: list[Message]) -> None:
        with self._changed:
            if messages and generation == self._generation:
                self._deliver(messages)

    def _work(self) -> None:
        while True:
            generation, tasks = self._take()
            if not tasks:
                return
            self._run_batch(generation, tasks)

    def _run_batch(self, generation: int, tasks: list[Task]) -> None:
        """Run tasks one after another; give the rest back as soon as the time is up."""
        ready: list[Message] = []
        batch_end = time.monotonic() + BATCH_S
        for index, task in enumerate(tasks):
            ready = self._run_task(generation, task, ready)
            if time.monotonic() >= batch_end or self._is_paused:
                self._put_back(generation, tasks[index + 1 :])
                break
        self._hand_over(generation, ready)

    def _run_task(self, generation: int, task: Task, ready: list[Message]) -> list[Message]:
        """Run one task to its end, slice by slice; return what is not handed over yet."""
        is_final = False
        while not is_final and generation == self._generation:
            self._wait_while_paused()
            started, before = time.monotonic(), task.done_count
            messages, is_final = task.run_slice()
            elapsed_s = time.monotonic() - started
            task.adapt_slice(max(1, task.done_count - before), elapsed_s)
            ready += messages
            if is_final and generation == self._generation:
                self._live.pop(task.key, None)
            if elapsed_s >= BATCH_S or not is_final:
                self._hand_over(generation, ready)
                ready = []
        return ready

    def _wait_while_paused(self) -> None:
        if self._is_paused:
            with self._changed:
                while self._is_paused and not self._is_closed:
                    self._changed.wait()

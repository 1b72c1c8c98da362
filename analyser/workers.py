"""Worker threads: they take parts from a queue and hand messages to the link's thread.

Knows threads and tasks.  Must not know links or sessions.  The engine releases the GIL,
so one process keeps all cores busy.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from analyser.tasks import Task
from protocol.messages import Message, Progress

Deliver = Callable[[list[Message]], None]

BATCH_TASKS_MAX = 64
"""Parts that one worker takes at once when they are tiny: batches the hand-over of results."""

BATCH_S = 0.002
"""A worker hands over what it has after this long, and gives back what it has not begun."""

CLOSE_S = 5.0
"""An engine call that does not notice its stop in this time is left behind at the end."""


@dataclass
class _Batch:
    """What one worker has in hand.

    Args:
        generation: Of the tasks; another one now means that they are cancelled.
        tasks: Not finished yet, the one at work first.
        finished: Their final messages are among `ready`.
        ready: Messages not handed over yet.
        unused: Results that were reserved and did not come.
    """

    generation: int
    tasks: deque[Task]
    finished: list[Task] = field(default_factory=list)
    ready: list[Message] = field(default_factory=list)
    unused: int = 0


class WorkerPool:
    """Computes tasks in `worker_count` threads, oldest first.

    Results are counted since the start or the last `cancel_all`.  A slice begins only when
    the count with all its results stays within what `allow` said.

    Args:
        worker_count: Threads.
        deliver: Called from worker threads with messages in the order of each part; must
            be thread-safe and quick.  Once `cancel_all` has returned, it is not called with
            a message of an earlier task.
        results_max: Results allowed at first; two at least, the last trial of a part and
            its final message.
    """

    def __init__(self, worker_count: int, deliver: Deliver, results_max: int) -> None:
        self._deliver = deliver
        self._worker_count = worker_count
        self._results_max = results_max
        # One lock guards everything below.
        self._lock = threading.RLock()
        self._work_came = threading.Condition(self._lock)
        self._room_came = threading.Condition(self._lock)
        self._queue: deque[Task] = deque()
        self._live: dict[tuple[int, int], Task] = {}
        self._generation = 0
        self._allowed = results_max
        self._reserved = 0  # results made, or being made
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{i}", daemon=True)
            for i in range(worker_count)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return len(self._live)

    def submit(self, task: Task) -> None:
        """Queue a task; one that is refused goes first, since it takes no time."""
        with self._lock:
            self._live[task.key] = task
            if task.is_refused:
                self._queue.appendleft(task)
            else:
                self._queue.append(task)
            self._work_came.notify()

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a task; its final message still comes."""
        with self._lock:
            if key in self._live:
                self._live[key].control.stop()

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""
        with self._lock:
            if result_count > self._allowed:
                self._allowed = result_count
                self._room_came.notify_all()

    def cancel_all(self) -> None:
        """Forget every task and count; none of their messages is delivered from now on."""
        with self._lock:
            for task in self._live.values():
                task.control.stop()
            self._live.clear()
            self._queue.clear()
            self._generation += 1
            self._allowed, self._reserved = self._results_max, 0
            self._room_came.notify_all()

    def progress(self) -> list[Progress]:
        """Return a report for each task that has begun."""
        with self._lock:
            return [task.progress() for task in self._live.values() if task.has_begun]

    def close(self) -> None:
        """Cancel everything and end the threads."""
        with self._lock:
            self._is_closed = True
            self.cancel_all()
            self._work_came.notify_all()
        end = time.monotonic() + CLOSE_S
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self) -> None:
        while (batch := self._take()) is not None:
            self._run_batch(batch)

    def _take(self) -> _Batch | None:
        """Wait for tasks; return this worker's share of those waiting, None at the end."""
        with self._lock:
            while not self._queue and not self._is_closed:
                self._work_came.wait()
            if self._is_closed:
                return None
            share = min(-(-len(self._queue) // self._worker_count), BATCH_TASKS_MAX)
            tasks = deque(self._queue.popleft() for _ in range(share))
            return _Batch(self._generation, tasks)

    def _run_batch(self, batch: _Batch) -> None:
        """Run tasks slice by slice; keep one that takes long, and give back the others."""
        end = time.monotonic() + BATCH_S
        while batch.tasks and (trials_max := self._reserve(batch)):
            task = batch.tasks[0]
            started, before = time.monotonic(), task.done_count
            messages, is_final = task.run_slice(trials_max)
            now = time.monotonic()
            task.adapt_slice(task.done_count - before, now - started)
            batch.ready += messages
            batch.unused = trials_max + 1 - len(messages)
            if is_final:
                batch.finished.append(batch.tasks.popleft())
            if now >= end or not is_final:
                self._hand_over(batch, keep_count=0 if is_final else 1)
        self._hand_over(batch, keep_count=0)

    def _reserve(self, batch: _Batch) -> int:
        """Wait until the next slice may be made; return its trials, 0 if it is cancelled.

        The room for them and for a final message is taken.
        """
        with self._lock:
            self._return_unused(batch)
            while batch.generation == self._generation:
                count = min(batch.tasks[0].next_trials, self._allowed - self._reserved - 1)
                if count > 0:
                    self._reserved += count + 1
                    return count
                self._hand_over(batch, keep_count=1)
                self._room_came.wait()
            return 0

    def _return_unused(self, batch: _Batch) -> None:
        if batch.unused and batch.generation == self._generation:
            self._reserved -= batch.unused
            self._room_came.notify_all()
        batch.unused = 0

    def _hand_over(self, batch: _Batch, keep_count: int) -> None:
        """Deliver what is ready; give tasks behind the first `keep_count` back to the queue."""
        with self._lock:
            self._return_unused(batch)
            if batch.generation == self._generation:
                for task in batch.finished:
                    self._live.pop(task.key, None)
                if batch.ready:
                    self._deliver(batch.ready)
                self._give_back(batch.tasks, keep_count)
        batch.ready = []
        batch.finished = []

    def _give_back(self, tasks: deque[Task], keep_count: int) -> None:
        if len(tasks) > keep_count:
            while len(tasks) > keep_count:
                self._queue.appendleft(tasks.pop())
            self._work_came.notify_all()

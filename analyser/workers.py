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

BATCH_S = 0.010
"""Messages of tiny parts are handed over together, but none waits longer than about this."""

NOW_S_MAX = 0.0001
"""Parts shorter than this are computed where they arrive: two thread switches take as long."""

CLOSE_S = 5.0
"""An engine call that does not notice its stop in this time is left behind at the end."""


@dataclass
class _Hand:
    """What one worker holds.

    Args:
        generation: Of the task and the messages; another one now means: cancelled.
        task: Being computed.
        ready: Messages not handed over yet.
        finished: Tasks whose final messages are among them.
        ready_until: When they must go.
        unused: Results that were reserved and did not come.
        context: Of the last slice; one of its trials took about `trial_s`.
    """

    generation: int = 0
    task: Task | None = None
    ready: list[Message] = field(default_factory=list)
    finished: list[Task] = field(default_factory=list)
    ready_until: float = 0.0
    unused: int = 0
    context: str = ""
    trial_s: float = 0.0

    def note_slice(self, task: Task, trial_count: int, started: float, ended: float) -> None:
        """Learn how long a trial of the context takes."""
        self.context = task.request.context
        self.trial_s = (ended - started) / max(1, trial_count)
        if not self.ready:
            self.ready_until = ended + BATCH_S

    def is_in_time(self, count: int) -> bool:
        """Whether so many further trials are likely to be over when `ready` must go."""
        assert self.task is not None
        is_known = self.task.request.context == self.context
        return is_known and time.monotonic() + count * self.trial_s < self.ready_until


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
        # The context computed last, and the seconds that one of its trials took.
        self._pace: tuple[str, float] = ("", 0.0)
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

    def run_now(self, task: Task) -> list[Message]:
        """Compute a part in the caller's thread, if it is sure to be over at once.

        Returns:
            All its messages; none: it was not begun, and is to be submitted.
        """
        count, context = task.request.count, task.request.context
        known_context, trial_s = self._pace
        if context != known_context or count * trial_s > NOW_S_MAX:
            return []
        with self._lock:
            if self._live or count > self._room or task.is_refused:
                return []
            self._reserved += count + 1
        task.slice_trials = count
        started = time.perf_counter()
        messages, _ = task.run_slice(count)
        self._pace = (context, (time.perf_counter() - started) / count)
        unused = count + 1 - len(messages)
        if unused:
            with self._lock:
                self._reserved -= unused
        return messages

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
        hand = _Hand()
        while trials_max := self._next_slice(hand):
            task = hand.task
            assert task is not None
            started, before = time.monotonic(), task.done_count
            cpu_started = time.thread_time()
            messages, is_final = task.run_slice(trials_max)
            cpu_s = time.thread_time() - cpu_started  # the wall clock also counts waiting
            self._pace = (task.request.context, cpu_s / max(1, task.done_count - before))
            ended, trial_count = time.monotonic(), task.done_count - before
            task.adapt_slice(trial_count, ended - started)
            hand.note_slice(task, trial_count, started, ended)
            hand.ready += messages
            hand.unused = trials_max + 1 - len(messages)
            if is_final:
                hand.finished.append(task)
                hand.task = None

    def _next_slice(self, hand: _Hand) -> int:
        """Wait for a slice that may be made; return its trials, 0 at the end of the pool.

        The room for them and for a final message is taken.
        """
        with self._lock:
            self._put_down(hand)
            while not self._is_closed:
                if hand.task is None and self._queue:
                    hand.task = self._queue.popleft()
                if hand.task is None:
                    self._hand_over(hand)
                    self._work_came.wait()
                elif count := min(hand.task.next_trials, self._room):
                    self._reserved += count + 1
                    if len(hand.finished) > len(self._queue) or not hand.is_in_time(count):
                        self._hand_over(hand)
                    return count
                else:
                    self._hand_over(hand)
                    self._room_came.wait()
                self._put_down(hand)
            return 0

    @property
    def _room(self) -> int:
        """Trials that may be made now, with a final message behind them."""
        return max(0, self._allowed - self._reserved - 1)

    def _put_down(self, hand: _Hand) -> None:
        """Give back the room that was not needed; drop everything that was cancelled."""
        if hand.generation != self._generation:
            hand.generation = self._generation
            hand.task = None
            hand.ready, hand.finished = [], []
        elif hand.unused:
            self._reserved -= hand.unused
            self._room_came.notify_all()
        hand.unused = 0

    def _hand_over(self, hand: _Hand) -> None:
        """Deliver what is ready."""
        for task in hand.finished:
            del self._live[task.key]
        if hand.ready:
            self._deliver(hand.ready)
        hand.ready, hand.finished = [], []

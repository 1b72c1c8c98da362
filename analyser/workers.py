"""Worker threads: they take parts from a queue and pass messages to the link's thread.

The engine releases the GIL, so one process keeps all cores busy.

A part for which a person waits is urgent. It is begun at once in a thread of its own. Other parts
are paused until no more than `worker_count` compute.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from analyser.tasks import Task
from protocol.messages import Entries, Message, Progress, Search, Trials

Deliver = Callable[[list[Message]], None]

BATCH_S = 0.010
"""Messages of tiny parts are delivered together, but none waits longer than about this."""

NOW_S_MAX = 0.0001
"""Parts shorter than this are computed in the calling thread: two thread switches take as long."""

CLOSE_S = 5.0
"""At the end, an engine call that does not stop within this time is not waited for."""

log = logging.getLogger("manyply.analyser")


@dataclass(eq=False)
class _Hand:
    """The state of one thread. The lock guards it, except `task` while a slice is computed.

    Args:
        generation: Of the task and the messages; they are cancelled if the pool's is another.
        task: Being computed.
        made: Messages of the last slice, results and table entries, not under the lock yet.
        is_over: Whether they end the task.
        is_starved: Whether the task is urgent and waits for room.
        ready: Messages not delivered yet.
        finished: Tasks whose final messages are among them.
        ready_until: The time when `ready` must be delivered.
        unused: Results that were reserved and did not come.
        context: Of the last slice; one of its trials took about `trial_s`.
    """

    generation: int = 0
    task: Task | None = None
    made: list[Message] = field(default_factory=list)
    is_over: bool = False
    is_starved: bool = False
    ready: list[Message] = field(default_factory=list)
    finished: list[Task] = field(default_factory=list)
    ready_until: float = 0.0
    unused: int = 0
    context: str = ""
    trial_s: float = 0.0

    def record_slice(self, task: Task, trial_count: int, started: float, ended: float) -> None:
        """Record the time of one trial of the context."""
        self.context = task.request.context
        self.trial_s = (ended - started) / max(1, trial_count)
        if task.is_urgent:
            self.ready_until = ended
        elif not self.ready:
            self.ready_until = ended + BATCH_S

    @property
    def result_count(self) -> int:
        """Results of the last slice: trials and answers come without table entries."""
        if self.task is not None and isinstance(self.task.request, Search):
            return sum(type(message) is not Entries for message in self.made)
        return len(self.made)

    def is_in_time(self, count: int) -> bool:
        """Whether so many further trials are likely to end before `ready_until`."""
        assert self.task is not None
        is_known = self.task.request.context == self.context
        return is_known and time.monotonic() + count * self.trial_s < self.ready_until


class WorkerPool:
    """Computes `worker_count` tasks at a time, urgent ones first, then the oldest.

    As many more may be paused, each in its thread.  Results are counted since the start
    or the last `cancel_all`.  A slice begins only when the count with all its results stays
    within the limit that `allow` has set.

    Args:
        worker_count: Tasks computed at a time.
        deliver: Called from worker threads with messages in the order of each part; must
            be thread-safe and quick.  Once `cancel_all` has returned, it is not called with
            a message of an earlier task.
        results_max: Results allowed at first; two at least, the last trial of a part and
            its final message.
    """

    def __init__(self, worker_count: int, deliver: Deliver, results_max: int) -> None:
        self._worker_count = worker_count
        self._deliver = deliver
        self._results_max = results_max
        # One lock guards everything below.
        self._lock = threading.RLock()
        self._work_came = threading.Condition(self._lock)
        self._way_came = threading.Condition(self._lock)  # room for results, or a pause's end
        self._queue: deque[Task] = deque()
        self._urgent_queue: deque[Task] = deque()
        # Threads with a task, in the order in which they took it: urgent ones and the others.
        self._urgent: dict[_Hand, None] = {}
        self._others: dict[_Hand, None] = {}
        self._live: dict[tuple[int, int], Task] = {}
        self._generation = 0
        self._allowed = results_max
        self._reserved = 0  # results made, or being made
        self._is_held = False
        self._is_closed = False
        # The context computed last, and the seconds that one of its trials took.
        self._pace: tuple[str, float] = ("", 0.0)
        self._threads: list[threading.Thread] = []
        for _ in range(worker_count):
            self._start_thread()

    def _start_thread(self) -> None:
        thread = threading.Thread(
            target=self._work, name=f"worker-{len(self._threads)}", daemon=True
        )
        thread.start()
        self._threads.append(thread)

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return len(self._live)

    @property
    def paused_count(self) -> int:
        """Parts paused for urgent ones."""
        with self._lock:
            return sum(task.control.is_paused for task in self._live.values())

    def submit(self, task: Task) -> None:
        """Queue a task; one that is refused ends at once, if there is room for its result."""
        with self._lock:
            self._live[task.key] = task
            if task.is_refused and self._allowed > self._reserved:
                self._end_unbegun(task)
                return
            if task.is_refused:
                self._queue.appendleft(task)
            elif task.is_urgent:
                self._urgent_queue.append(task)
                self._spare_thread()
            else:
                self._queue.append(task)
            self._work_came.notify()

    def _spare_thread(self) -> None:
        """Start a thread if an urgent task that may begin would have to wait for one."""
        urgent_count = len(self._urgent) + len(self._urgent_queue)
        if len(self._others) + min(urgent_count, self._worker_count) > len(self._threads):
            try:
                self._start_thread()
            except RuntimeError:  # limited memory: the task waits for a thread
                log.warning("an urgent part waits: no memory for a further thread")

    def run_now(self, task: Task) -> list[Message]:
        """Compute a part in the caller's thread, if it is sure to be over at once.

        Returns:
            All its messages; empty: it was not begun, so submit it.
        """
        count, context = task.count, task.request.context
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
            task = self._live.get(key)
            if task is not None:
                task.control.stop()
                self._end_waiting(task)
                self._way_came.notify_all()

    def _end_waiting(self, task: Task) -> None:
        """End a stopped search that has not begun: the master waits for its final message."""
        queue = self._urgent_queue if task.is_urgent else self._queue
        if isinstance(task.request, Search) and task in queue and self._allowed > self._reserved:
            queue.remove(task)
            self._end_unbegun(task)

    def _end_unbegun(self, task: Task) -> None:
        """Deliver the final message of a task without computing it; there is room for it."""
        del self._live[task.key]
        self._reserved += 1
        messages, _ = task.run_slice(1)
        self._deliver(messages)

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""
        with self._lock:
            if result_count > self._allowed:
                self._allowed = result_count
                self._way_came.notify_all()

    def hold(self, is_held: bool) -> None:
        """Begin no slice while `is_held`; those that run are finished."""
        if is_held is not self._is_held:
            with self._lock:
                self._is_held = is_held
                self._way_came.notify_all()

    def cancel_all(self) -> None:
        """Forget every task and count; none of their messages is delivered from now on."""
        with self._lock:
            for task in self._live.values():
                task.control.stop()
            for tasks in (self._live, self._queue, self._urgent_queue, self._urgent, self._others):
                tasks.clear()
            self._generation += 1
            self._allowed, self._reserved = self._results_max, 0
            self._is_held = False
            self._way_came.notify_all()

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
            hand.made, hand.is_over = task.run_slice(trials_max)
            cpu_s = time.thread_time() - cpu_started  # the wall clock also counts waiting
            trial_count = task.done_count - before
            if isinstance(task.request, Trials):
                self._pace = (task.request.context, cpu_s / max(1, trial_count))
            ended = time.monotonic()
            task.adapt_slice(trial_count, ended - started)
            hand.record_slice(task, trial_count, started, ended)
            hand.unused = trials_max + 1 - hand.result_count

    def _next_slice(self, hand: _Hand) -> int:
        """Wait for a slice that may be made; return its trials, 0 at the end of the pool.

        The room for them and for a final message is taken.
        """
        with self._lock:
            self._put_down(hand)
            while not self._is_closed:
                if hand.task is None:
                    self._pick_up(hand)
                if hand.task is None:
                    self._hand_over(hand)
                    self._work_came.wait()
                elif count := self._grant(hand.task):
                    self._reserved += count + 1
                    self._record_starved(hand, is_starved=False)
                    if len(hand.finished) > len(self._queue) or not hand.is_in_time(count):
                        self._hand_over(hand)
                    return count
                else:
                    self._hand_over(hand)
                    self._record_starved(hand, is_starved=hand.task.is_urgent)
                    self._way_came.wait()
                self._put_down(hand)
            return 0

    @property
    def _room(self) -> int:
        """Trials that may be made now, with a final message behind them."""
        return 0 if self._is_held else max(0, self._allowed - self._reserved - 1)

    def _grant(self, task: Task) -> int:
        """Return the trials of the next slice; none: it has to wait for room or for its turn."""
        is_first = task.is_urgent or not any(hand.is_starved for hand in self._urgent)
        may_go = is_first and not task.control.is_paused
        return min(task.next_trials, self._room) if may_go else 0

    def _pick_up(self, hand: _Hand) -> None:
        """Take a task that may begin now, urgent ones first, within the limits of workers."""
        if self._urgent_queue and len(self._urgent) < self._worker_count:
            hand.task = self._urgent_queue.popleft()
            self._urgent[hand] = None
            self._share_cores()
        elif self._queue and len(self._urgent) + len(self._others) < self._worker_count:
            hand.task = self._queue.popleft()
            self._others[hand] = None

    def _record_starved(self, hand: _Hand, *, is_starved: bool) -> None:
        """Note whether an urgent task waits for room; then others run, as they may hold room."""
        if hand.is_starved is not is_starved:
            hand.is_starved = is_starved
            self._share_cores()

    def _share_cores(self) -> None:
        """Pause the tasks that do not fit beside the urgent ones, the last begun first."""
        urgent_count = sum(not hand.is_starved for hand in self._urgent)
        for place, hand in enumerate(self._others):
            assert hand.task is not None
            control = hand.task.control
            if place < self._worker_count - urgent_count:
                control.resume()
            elif not control.is_paused:
                control.pause()
                self._hand_over(hand)
        self._way_came.notify_all()

    def _put_down(self, hand: _Hand) -> None:
        """Take the messages of the last slice, and release the unused room.

        Messages of cancelled tasks are dropped.
        """
        made, hand.made = hand.made, []
        if hand.generation != self._generation:
            hand.generation = self._generation
            hand.task, hand.is_starved = None, False
            hand.ready, hand.finished = [], []
        else:
            hand.ready += made
            if hand.is_over:
                self._finish(hand)
            if hand.unused:
                self._reserved -= hand.unused
                self._way_came.notify_all()
        hand.unused, hand.is_over = 0, False

    def _finish(self, hand: _Hand) -> None:
        assert hand.task is not None
        hand.finished.append(hand.task)
        hand.task = None
        was_urgent = hand in self._urgent
        (self._urgent if was_urgent else self._others).pop(hand)
        if was_urgent or self._urgent:
            self._share_cores()

    def _hand_over(self, hand: _Hand) -> None:
        """Deliver the messages that are ready."""
        for task in hand.finished:
            del self._live[task.key]
        if hand.ready:
            self._deliver(hand.ready)
        hand.ready, hand.finished = [], []

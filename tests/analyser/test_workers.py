import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyser.tasks import Task
from analyser.workers import WorkerPool
from engine_ext.noop.question import noop_question
from engine_ext.othello.parts import read_entries
from protocol.messages import (
    Done,
    Entries,
    Fail,
    Message,
    PartRequest,
    PartResult,
    Question,
    Stopped,
    Trial,
    Trials,
)
from tests.analyser.broken_engine import LATE_SEQ
from tests.analyser.driven_master import (
    ENDLESS,
    ENDLESS_QUESTION,
    NOOP,
    QUESTION,
    by_part,
    expected,
)
from tests.analyser.search_parts import check_announced_once, long_boards, new_search, small_boards

WAIT_S_MAX = 20.0


class Inbox:
    """Collects what is delivered, and waits for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.messages: list[Message] = []

    def deliver(self, messages: list[Message]) -> None:
        with self._changed:
            self.messages += messages
            self._changed.notify_all()

    def wait_for(self, count: int) -> list[Message]:
        with self._changed:
            is_there = self._changed.wait_for(lambda: len(self.messages) >= count, WAIT_S_MAX)
            assert is_there, f"{len(self.messages)} of {count} messages came"
            return list(self.messages)

    def wait_for_finals(self, count: int) -> int:
        """Wait for the end of that many parts; return how many have ended."""

        def final_count() -> int:
            return sum(isinstance(message, Done | Stopped | Fail) for message in self.messages)

        with self._changed:
            assert self._changed.wait_for(lambda: final_count() >= count, WAIT_S_MAX)
            return final_count()

    def wait_for_final(self, part: int) -> Message:
        def found() -> Message | None:
            finals = (m for m in self.messages if isinstance(m, Done | Stopped | Fail))
            return next((m for m in finals if m.part == part), None)

        with self._changed:
            final = self._changed.wait_for(found, WAIT_S_MAX)
            assert final is not None, f"no end of part {part}"
            return final


@contextmanager
def new_pool(worker_count: int, results_max: int = 10**6) -> Iterator[tuple[WorkerPool, Inbox]]:
    inbox = Inbox()
    pool = WorkerPool(worker_count, inbox.deliver, results_max)
    try:
        yield pool, inbox
    finally:
        pool.close()
        assert not any(thread.is_alive() for thread in pool._threads)


def check_all_comes(pool: WorkerPool, inbox: Inbox, total: int, results_max: int) -> None:
    """Acknowledge all that comes as soon as it comes; more than was allowed never does."""
    acked = 0
    while acked < total:
        # One trial and a final result always fit, so something comes while two are free.
        came = len(inbox.wait_for(acked + 1))
        assert came <= acked + results_max
        acked = came
        pool.allow(acked + results_max)
    assert len(inbox.messages) == total


def request(part: int, count: int = 1, context: str = NOOP, first_seq: int = 0) -> Trials:
    return Trials(part=part, attempt=0, first_seq=first_seq, count=count, context=context)


@given(
    counts=st.lists(st.integers(1, 400), min_size=1, max_size=80),
    worker_count=st.integers(1, 4),
)
@settings(deadline=None, max_examples=15)
def test_each_part_is_answered_once_and_in_order(counts: list[int], worker_count: int) -> None:
    requests = [request(part, count, first_seq=part) for part, count in enumerate(counts)]
    with new_pool(worker_count) as (pool, inbox):
        for each in requests:
            pool.submit(Task(each))
        results = by_part(inbox.wait_for(sum(counts) + len(counts)))  # type: ignore[arg-type]
        assert pool.live_count == 0
    assert results == {each.part: expected(each) for each in requests}


@given(
    counts=st.lists(st.integers(1, 30), min_size=1, max_size=12),
    worker_count=st.integers(1, 3),
    results_max=st.integers(2, 12),
)
@settings(deadline=None, max_examples=25)
def test_no_more_results_are_made_than_are_allowed(
    counts: list[int], worker_count: int, results_max: int
) -> None:
    total = sum(counts) + len(counts)
    with new_pool(worker_count, results_max) as (pool, inbox):
        for part, count in enumerate(counts):
            pool.submit(Task(request(part, count)))
        check_all_comes(pool, inbox, total, results_max)


def test_search_that_waits_for_its_turn_ends_as_soon_as_it_is_stopped() -> None:
    with new_pool(1) as (pool, inbox):
        for part in range(6):
            pool.submit(Task(new_search(part, urgent=part % 2 == 0)))
        for part in (4, 1, 5, 2):
            pool.stop((part, 0))
        finals = [inbox.wait_for_final(part) for part in (4, 1, 5, 2)]
        assert [m.count for m in finals if isinstance(m, Stopped)] == [0] * 4
        assert pool.live_count == 2
        pool.stop((0, 0))
        assert inbox.wait_for_final(0)


@pytest.mark.slow
@pytest.mark.parametrize("worker_count", [1, 3])
@pytest.mark.when_changed
def test_table_entries_are_no_results_and_each_is_sent_once(worker_count: int) -> None:
    boards = long_boards(6)
    with new_pool(worker_count, results_max=2 * worker_count) as (pool, inbox):
        for part, board in enumerate(boards):
            pool.submit(Task(new_search(part, board, news=14)))
        done_count = 0
        while done_count < len(boards):
            done_count = inbox.wait_for_finals(done_count + 1)
            pool.allow(2 * (done_count + worker_count))
        assert pool._reserved == 2 * len(boards)
        texts = [message.text for message in inbox.messages if isinstance(message, Entries)]
    reported = [entry for text in texts for entry in read_entries(text)[1]]
    check_announced_once(reported)


def test_long_part_does_not_hold_the_tiny_ones_behind_it() -> None:
    with new_pool(2) as (pool, inbox):
        pool.submit(Task(request(0, context=ENDLESS)))
        for part in range(1, 100):
            pool.submit(Task(request(part)))
        for part in range(1, 100):
            assert isinstance(inbox.wait_for_final(part), Done)
        assert pool.live_count == 1


def test_stopped_part_gives_its_final_message() -> None:
    with new_pool(1) as (pool, inbox):
        pool.submit(Task(request(1, context=ENDLESS)))
        pool.stop((1, 0))
        assert isinstance(inbox.wait_for_final(1), Stopped)
        pool.stop((1, 0))  # it is gone: nothing happens


def test_refused_part_is_answered_before_all_others() -> None:
    with new_pool(1, results_max=2) as (pool, inbox):
        pool.submit(Task(request(0, count=2)))
        inbox.wait_for(1)  # no room for more: the worker waits with part 0 in hand
        pool.submit(Task(request(1)))
        pool.submit(Task(request(2), is_refused=True))
        pool.allow(100)
        assert [m.part for m in inbox.wait_for(6) if isinstance(m, Trial | Done)].count(2) == 0
        finals = [m.part for m in inbox.messages if isinstance(m, Done | Fail)]
        assert finals == [2, 0, 1]


def test_progress_names_the_parts_that_have_begun() -> None:
    with new_pool(1) as (pool, _):
        first, second = Task(request(1, context=ENDLESS)), Task(request(2, context=ENDLESS))
        pool.submit(first)
        pool.submit(second)
        while not first.control.steps:
            assert pool.live_count == 2
        assert [report.part for report in pool.progress()] == [1]


@pytest.mark.parametrize("worker_count", [1, 3])
def test_nothing_of_a_cancelled_task_is_delivered(worker_count: int) -> None:
    with new_pool(worker_count) as (pool, inbox):
        for generation in range(50):
            for part in range(10):
                pool.submit(Task(request(part, count=100, first_seq=1000 * generation)))
            inbox.wait_for(1)
            pool.cancel_all()
            inbox.messages.clear()
        last = request(3, count=100, first_seq=77)
        pool.submit(Task(last))
        assert inbox.wait_for(101) == expected(last)


def test_cancelling_frees_the_room_of_what_is_forgotten() -> None:
    with new_pool(2, results_max=4) as (pool, inbox):
        for _ in range(20):
            pool.submit(Task(request(1, count=50)))
            inbox.wait_for(1)
            pool.cancel_all()
            inbox.messages.clear()
        pool.submit(Task(request(1, count=3)))
        assert len(inbox.wait_for(4)) == 4


def test_closing_ends_an_endless_part() -> None:
    with new_pool(2) as (pool, _):
        pool.submit(Task(request(1, context=ENDLESS)))


def known_short(pool: WorkerPool, inbox: Inbox) -> None:
    """Let the pool learn that the no-op context's trials take next to no time."""
    pool.submit(Task(request(0)))
    inbox.wait_for_final(0)
    context, _ = pool._pace
    pool._pace = context, 1e-6  # it takes longer on a busy machine


def test_part_known_to_be_short_is_computed_where_it_arrives() -> None:
    with new_pool(1) as (pool, inbox):
        assert pool.run_now(Task(request(1))) == []
        known_short(pool, inbox)
        asked = request(1, 3, first_seq=5)
        messages = pool.run_now(Task(asked))
        assert by_part(messages) == {1: expected(asked)}  # type: ignore[arg-type]
        assert len(inbox.messages) == 2
        assert pool.live_count == 0


def test_long_unknown_and_refused_parts_are_left_to_the_threads() -> None:
    with new_pool(1) as (pool, inbox):
        known_short(pool, inbox)
        for task in (
            Task(request(1, 1_000_000)),
            Task(request(1, context=ENDLESS)),
            Task(request(1), is_refused=True),
        ):
            assert pool.run_now(task) == []
        pool.submit(Task(request(1, context=ENDLESS)))
        assert pool.run_now(Task(request(2))) == []


def test_short_parts_keep_to_the_room_there_is() -> None:
    with new_pool(1, results_max=6) as (pool, inbox):
        known_short(pool, inbox)
        assert pool.run_now(Task(request(1, 4))) == []
        assert len(pool.run_now(Task(request(1, 3)))) == 4
        assert pool.run_now(Task(request(2))) == []
        pool.allow(8)
        assert len(pool.run_now(Task(request(2)))) == 2


# Urgent parts.

SHORT = "noop/1 alternatives=1 rounds=100000"  # about 0.1 ms a trial


def question(part: int, context: str = QUESTION, *, urgent: bool = True) -> Task:
    return Task(Question(service="analyse", part=part, attempt=0, context=context, urgent=urgent))


def endless(part: int) -> Task:
    return Task(request(part, context=ENDLESS))


def begin(pool: WorkerPool, *tasks: Task) -> None:
    """Submit tasks and wait, one after the other, until they compute."""
    for task in tasks:
        pool.submit(task)
        while not task.control.steps:
            assert pool.live_count


def test_urgent_question_is_answered_while_every_worker_is_busy() -> None:
    with new_pool(2) as (pool, inbox):
        busy = [endless(part) for part in (1, 2)]
        begin(pool, *busy)
        pool.submit(question(3, urgent=False))
        pool.submit(urgent := question(4))
        assert isinstance(inbox.wait_for_final(4), Done)
        assert inbox.messages == expected(urgent.request)
        assert pool.paused_count == 0
        for task in busy:  # both go on
            steps = task.control.steps
            while task.control.steps == steps:
                assert pool.live_count == 3


def test_as_many_parts_are_paused_as_urgent_ones_compute_the_last_begun_first() -> None:
    with new_pool(2) as (pool, inbox):
        first, second = endless(1), endless(2)
        begin(pool, first, second)
        begin(pool, question(3, ENDLESS_QUESTION))
        assert [task.control.is_paused for task in (first, second)] == [False, True]
        begin(pool, question(4, ENDLESS_QUESTION))
        assert pool.paused_count == 2
        pool.submit(question(5))
        pool.submit(question(6, urgent=False))
        assert sorted(report.part for report in pool.progress()) == [1, 2, 3, 4]
        pool.stop((3, 0))
        assert isinstance(inbox.wait_for_final(5), Done)
        assert [task.control.is_paused for task in (first, second)] == [False, True]
        pool.stop((4, 0))
        stopped = inbox.wait_for_final(4)
        assert isinstance(stopped, Stopped)
        assert stopped.count == 0
        assert pool.paused_count == 0


def test_urgent_question_pauses_nobody_while_a_worker_is_free() -> None:
    with new_pool(2) as (pool, _):
        begin(pool, busy := endless(1), question(2, ENDLESS_QUESTION))
        assert not busy.control.is_paused
        steps = busy.control.steps
        while busy.control.steps == steps:
            assert pool.live_count == 2


def test_stop_ends_a_paused_part_at_once() -> None:
    with new_pool(1) as (pool, inbox):
        begin(pool, busy := endless(1))
        begin(pool, question(2, ENDLESS_QUESTION))
        assert busy.control.is_paused
        pool.stop((1, 0))
        assert isinstance(inbox.wait_for_final(1), Stopped)
        pool.stop((2, 0))
        inbox.wait_for_final(2)


def test_what_a_part_has_made_is_handed_over_when_it_is_paused() -> None:
    with new_pool(1) as (pool, inbox):
        pool.submit(task := Task(request(1, count=10**6)))
        inbox.wait_for(100)
        begin(pool, question(2, ENDLESS_QUESTION))
        # A trial of no rounds never polls: the part stops between two slices, all of it sent.
        assert task.control.is_paused
        assert len(inbox.wait_for(task.done_count)) <= task.done_count + 256
        assert all(isinstance(message, Trial) for message in inbox.messages)


@pytest.mark.usefixtures("broken_game")
def test_results_kept_together_do_not_wait_for_the_end_of_a_pause() -> None:
    with new_pool(1) as (pool, inbox):
        begin(pool, task := Task(request(1, count=100, context="broken/1 late")))
        begin(pool, question(2, ENDLESS_QUESTION))
        assert task.control.is_paused
        assert len(inbox.wait_for(LATE_SEQ)) == LATE_SEQ


def test_reports_of_a_paused_part_grow() -> None:
    with new_pool(1) as (pool, _):
        begin(pool, endless(1), question(2, ENDLESS_QUESTION))
        steps = [report.steps for _ in range(5) for report in pool.progress() if report.part == 1]
        assert len(steps) == 5
        assert sorted(set(steps)) == steps


@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=6),
    urgent=st.lists(st.tuples(st.booleans(), st.integers(0, 200_000)), max_size=12),
    worker_count=st.integers(1, 3),
)
@settings(deadline=None, max_examples=15)
def test_pauses_change_no_result(
    counts: list[int], urgent: list[tuple[bool, int]], worker_count: int
) -> None:
    requests: list[PartRequest] = [
        request(part, count, SHORT, first_seq=part) for part, count in enumerate(counts)
    ]
    for part, (is_question, rounds) in enumerate(urgent, len(counts)):
        asked = Question(
            service="analyse",
            part=part,
            attempt=0,
            context=noop_question(rounds, part),
            urgent=True,
        )
        trials = Trials(
            part=part, attempt=0, first_seq=0, count=1 + rounds % 9, context=SHORT, urgent=True
        )
        requests.append(asked if is_question else trials)
    wanted = {each.part: expected(each) for each in requests}
    with new_pool(worker_count) as (pool, inbox):
        for each in requests:
            pool.submit(Task(each))
        results = by_part(inbox.wait_for(sum(map(len, wanted.values()))))  # type: ignore[arg-type]
        assert (pool.live_count, pool.paused_count) == (0, 0)
    assert results == wanted


@given(
    parts=st.lists(st.tuples(st.sampled_from("tqu"), st.integers(1, 8)), max_size=12),
    worker_count=st.integers(1, 3),
    results_max=st.integers(2, 9),
)
@settings(deadline=None, max_examples=25)
def test_urgent_parts_keep_to_the_room_there_is_and_none_waits_for_ever(
    parts: list[tuple[str, int]], worker_count: int, results_max: int
) -> None:
    tasks = [
        Task(request(part, count, SHORT)) if kind == "t" else question(part, urgent=kind == "u")
        for part, (kind, count) in enumerate(parts)
    ]
    total = sum(task.count + 1 for task in tasks)
    with new_pool(worker_count, results_max) as (pool, inbox):
        for task in tasks:
            pool.submit(task)
        check_all_comes(pool, inbox, total, results_max)


def test_part_that_holds_the_room_an_urgent_one_needs_is_not_paused() -> None:
    with new_pool(1, results_max=2) as (pool, inbox):
        begin(pool, Task(request(1, context="noop/1 alternatives=1 rounds=20000000")))
        pool.submit(question(2))
        assert [type(message) for message in inbox.wait_for(2)] == [Trial, Done]
        pool.allow(4)
        assert isinstance(inbox.wait_for_final(2), Done)


def test_urgent_part_gets_the_first_room_there_is() -> None:
    with new_pool(1, results_max=3) as (pool, inbox):
        pool.submit(Task(request(1, count=10**6)))
        inbox.wait_for(2)
        pool.submit(question(2))
        while not pool._urgent:
            assert pool.live_count == 2
        before = 2
        while not any(message.part == 2 for message in inbox.messages):  # type: ignore[attr-defined]
            pool.allow(before + 3)
            before = len(inbox.wait_for(before + 1))
        assert before <= 2 + 3 + 3


@pytest.mark.parametrize("worker_count", [1, 3])
def test_cancelling_ends_paused_and_urgent_parts(worker_count: int) -> None:
    with new_pool(worker_count) as (pool, inbox):
        for _ in range(20):
            for part in range(worker_count):
                pool.submit(endless(part))
            for part in range(worker_count, 3 * worker_count):
                pool.submit(question(part, ENDLESS_QUESTION))
            pool.submit(question(99, urgent=False))
            pool.cancel_all()
        pool.submit(last := question(7, urgent=False))
        assert inbox.wait_for(2) == expected(last.request)
        assert pool.live_count == 0


def test_closing_ends_paused_parts() -> None:
    with new_pool(2) as (pool, _):
        begin(pool, endless(1), endless(2), question(3, ENDLESS_QUESTION))


def test_pool_that_is_held_begins_nothing() -> None:
    with new_pool(1) as (pool, inbox):
        known_short(pool, inbox)
        pool.hold(True)
        pool.submit(Task(request(1)))
        pool.submit(question(2))
        assert pool.run_now(Task(request(3))) == []
        pool.hold(False)
        assert isinstance(inbox.wait_for_final(1), Done)
        finals: list[PartResult] = [inbox.wait_for_final(2)]  # type: ignore[list-item]
        assert [final.part for final in finals] == [2]
        pool.hold(True)
        pool.cancel_all()
        pool.submit(Task(request(4)))
        assert isinstance(inbox.wait_for_final(4), Done)


def test_urgent_part_waits_for_a_thread_where_no_further_one_can_be_had(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with new_pool(1) as (pool, inbox):
        pool.submit(Task(request(1, context=ENDLESS)))
        while not pool.progress():
            time.sleep(0)  # its thread has its turn
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", start)
            pool.submit(Task(new_search(2, small_boards(1)[0], urgent=True)))
        assert "no memory for a further thread" in caplog.text
        pool.stop((1, 0))
        assert isinstance(inbox.wait_for_final(1), Stopped)
        assert isinstance(inbox.wait_for_final(2), Done)

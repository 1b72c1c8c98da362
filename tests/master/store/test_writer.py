import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from master.contract.goals import Goal
from master.store import writer
from master.store.answers import SWEEP_ANSWERS, AnswerRow
from master.store.errors import StoreError
from master.store.records import NewJob, StoredSearch
from master.store.runs import TrialRun
from master.store.store import Store
from master.store.writer import GROUP_TRIALS_MAX, GroupWriter

REQUEST = NewJob("noop/1", "d1", "noop", "e1", ("only",), ("value",), Goal())
WRITER = """
import sys
import threading
from pathlib import Path
from master.store.store import Store
from master.store.writer import GroupWriter
stored = threading.Semaphore(0)
ends = {}
def on_stored(ticket):
    print(ends[ticket], flush=True)
    stored.release()
writer = GroupWriter(Store(Path(sys.argv[1])).path, on_stored, print)
seq = int(sys.argv[2])
while True:
    for _ in range(3):
        ends[writer.last_ticket + 1] = seq + 10
        writer.add_run(1, seq, [((seq + i) / 4,) for i in range(10)])
        seq += 10
    writer.flush()
    stored.acquire()
"""


class Bench:
    """A store with a writer, and what the writer has reported."""

    def __init__(self, state_dir: Path) -> None:
        self.store = Store(state_dir)
        self.job = self.store.create_job(REQUEST)
        self.reports: list[int | StoreError] = []
        self._changed = threading.Condition()
        self.lost: list[StoreError] = []
        self.writer = GroupWriter(self.store.path, self._report, self._report, self.lost.append)

    def _report(self, report: int | StoreError) -> None:
        with self._changed:
            self.reports.append(report)
            self._changed.notify()

    def wait(self, is_met: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(is_met, timeout=10)

    def seqs(self) -> list[int]:
        return [
            run.first_seq + i
            for run in self.store.trial_runs(self.job)
            for i in range(len(run.values))
        ]

    def close(self) -> None:
        self.writer.close()
        self.store.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def test_ticket_is_reported_after_the_commit(bench: Bench) -> None:
    bench.writer.add_run(bench.job, 3, [(-0.0,)])
    bench.writer.add_run(bench.job, 0, [(0.5,)])
    ticket = bench.writer.add_run(bench.job, 1, [(1.5,)])
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    runs = [(run.first_seq, tuple(run.values)) for run in bench.store.trial_runs(bench.job)]
    assert runs == [(0, ((0.5,), (1.5,))), (3, ((-0.0,),))]


def test_runs_of_several_jobs_have_one_ticket(bench: Bench) -> None:
    other = bench.store.create_job(REQUEST)
    runs = [
        (bench.job, TrialRun(0, [(0.5,)])),
        (other, TrialRun(2, [(1.5,), (2.5,)])),
        (bench.job, TrialRun(1, [(3.5,)])),
    ]
    ticket = bench.writer.add_runs(runs)
    bench.writer.flush()
    bench.wait(lambda: bench.reports == [ticket])
    assert bench.seqs() == [0, 1]
    (run,) = bench.store.trial_runs(other)
    assert (run.first_seq, tuple(run.values)) == (2, ((1.5,), (2.5,)))


def test_full_group_is_stored_without_being_asked(bench: Bench) -> None:
    ticket = bench.writer.add_run(bench.job, 0, [(0.0,)] * GROUP_TRIALS_MAX)
    bench.wait(lambda: bench.reports == [ticket])


def test_trial_stored_twice_is_read_once(bench: Bench) -> None:
    bench.writer.add_run(bench.job, 0, [(0.5,)])
    bench.writer.flush()
    bench.wait(lambda: len(bench.reports) == 1)
    bench.writer.add_run(bench.job, 0, [(0.5,), (0.25,)])
    bench.writer.flush()
    bench.wait(lambda: len(bench.reports) == 2)
    assert bench.seqs() == [0, 1]


def test_where_a_search_stands_is_stored_and_replaced(bench: Bench) -> None:
    bench.writer.add_search(bench.job, StoredSearch(nodes=1))
    ticket = bench.writer.add_search(bench.job, StoredSearch(nodes=2, bounds=b"more"))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    assert bench.store.search(bench.job) == StoredSearch(nodes=2, bounds=b"more")


def test_snapshot_is_stored_and_replaced(bench: Bench) -> None:
    bench.writer.add_snapshot(bench.job, 1, "one")
    ticket = bench.writer.add_snapshot(bench.job, 2, "two")
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    assert bench.store.snapshot(bench.job) == (2, "two")


def test_corrected_trial_reads_back_as_corrected(bench: Bench) -> None:
    bench.writer.add_run(bench.job, 0, [(0.0,), (1.0,), (2.0,)])
    bench.writer.add_snapshot(bench.job, 3, "with the wrong one")
    ticket = bench.writer.add_correction(bench.job, 1, (1.5,))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    (run,) = bench.store.trial_runs(bench.job)
    assert tuple(run.values) == ((0.0,), (1.5,), (2.0,))
    assert bench.store.snapshot(bench.job) is None


def test_closing_stores_what_is_queued(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.writer.add_run(bench.job, 0, [(1.0,)])
    bench.writer.close()
    assert bench.seqs() == [0]
    bench.store.close()


def test_full_disk_stores_nothing_more_and_reports_nothing_as_stored(bench: Bench) -> None:
    bench.writer.database.execute("PRAGMA max_page_count = 1")
    bench.writer.add_run(bench.job, 0, [(0.0,) * 50] * GROUP_TRIALS_MAX)
    bench.wait(lambda: len(bench.reports) == 1)
    (error,) = bench.reports
    assert str(error) == f"cannot use {bench.store.path}: the disk is full"
    bench.writer.add_run(bench.job, 0, [(0.0,)])
    bench.writer.flush()
    assert bench.seqs() == []


def test_writer_goes_on_after_the_disk_has_space_again(bench: Bench) -> None:
    bench.writer.database.execute("PRAGMA max_page_count = 1")
    bench.writer.add_run(bench.job, 0, [(0.0,) * 50] * GROUP_TRIALS_MAX)
    bench.wait(lambda: len(bench.reports) == 1)
    bench.writer.database.execute("PRAGMA max_page_count = 1000000")
    bench.writer.reset()
    ticket = bench.writer.add_run(bench.job, 7, [(0.0,)])
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1] == ticket)
    assert bench.seqs() == [7]


@pytest.mark.slow
@pytest.mark.when_changed
def test_every_reported_result_survives_kill_9(tmp_path: Path) -> None:
    generator = random.Random(20)
    store = Store(tmp_path)
    job = store.create_job(REQUEST)
    stored = 0
    for _ in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(stored)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            for _ in range(generator.randrange(1, 30)):
                reported = int(process.stdout.readline())
            process.kill()
            last = process.stdout.read().splitlines()
            reported = int(last[-1]) if last and last[-1].isdigit() else reported
        seqs = [
            (run.first_seq + i, values)
            for run in store.trial_runs(job)
            for i, values in enumerate(run.values)
        ]
        stored = len(seqs)
        assert stored >= reported
        assert seqs == [(seq, (seq / 4,)) for seq in range(stored)]
    store.close()


def answer_row(number: int, text: str = "") -> AnswerRow:
    return AnswerRow(number.to_bytes(32, "big"), "e", text or f"answer {number}")


def test_answers_are_stored_in_the_group_and_later_ones_count(bench: Bench) -> None:
    bench.writer.add_answer(answer_row(1, "wrong"))
    bench.writer.add_run(bench.job, 0, [(0.5,)])
    ticket = bench.writer.add_answer(answer_row(1, "right"))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    assert bench.store.answers([answer_row(1).digest])[0] == {answer_row(1).digest: "right"}
    assert bench.seqs() == [0]


def test_answers_beyond_the_bound_go_oldest_first(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "ANSWERS_MAX", 3)
    for number in range(SWEEP_ANSWERS):
        ticket = bench.writer.add_answer(answer_row(number))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    kept, _ = bench.store.answers([answer_row(n).digest for n in range(SWEEP_ANSWERS)])
    assert sorted(kept.values()) == [f"answer {SWEEP_ANSWERS - n}" for n in (3, 2, 1)]


def test_answers_that_cannot_be_stored_are_reported_and_hold_nothing_up(bench: Bench) -> None:
    bench.writer.database.execute("PRAGMA max_page_count = 1")
    ticket = bench.writer.add_answer(answer_row(1, "x" * 20_000))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket])
    assert [str(error).endswith("the disk is full") for error in bench.lost] == [True]
    bench.writer.database.execute("PRAGMA max_page_count = 1000000")
    ticket = bench.writer.record_used([answer_row(1).digest])
    bench.writer.add_answer(answer_row(2))
    bench.writer.flush()
    bench.wait(lambda: bench.reports[-1:] == [ticket + 1])
    assert list(bench.store.answers([answer_row(n).digest for n in (1, 2)])[0].values()) == [
        "answer 2"
    ]

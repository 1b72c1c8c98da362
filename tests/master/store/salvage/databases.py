"""Databases with jobs of known results, and the ways in which one page of them is damaged."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path

from master.config.paths import database_path
from master.contract.goals import Goal
from master.contract.job_words import JobState
from master.fold.trials import TrialFold
from master.store.answers import AnswerRow
from master.store.records import JobEnd, NewJob, RunsIn
from master.store.store import Store
from master.store.writer import GroupWriter

JOBS = 6
PAGE_BYTES = 4096


def refuse(error: Exception) -> None:
    raise error


def make_jobs(state_dir: Path, jobs: int = JOBS) -> None:
    """Store jobs, done and halted ones by turns, their trials, snapshots and some answers."""
    rng, store = random.Random(39), Store(state_dir)
    writer = GroupWriter(store.path, lambda ticket: None, refuse)
    for number in range(jobs):
        names, label = ("one", "other"), f"label {number} " + "x" * rng.randrange(900)
        request = NewJob(f"noop/{number}", "d", "noop", "e", names, ("v",), Goal(9000), label)
        job = store.create_job(request)
        store.set_running(job, RunsIn.COMMAND)
        fold, total = TrialFold(2, 1), 300 + 150 * number
        while fold.folded < total:
            first = fold.folded
            count = min(rng.randrange(1, 120), total - first)
            values = [(rng.randrange(2**30) * 2.0**-30,) for _ in range(count)]
            writer.add_run(job, first, values)
            for seq, trial in enumerate(values, first):
                fold.add(seq, trial)
        writer.add_snapshot(job, fold.folded, fold.snapshot())
        is_done = number % 2 == 0
        end = JobEnd("trials" if is_done else "halted", "", fold.folded)
        store.set_ended(job, JobState.DONE if is_done else JobState.HALTED, end)
    for index in range(40):
        digest = hashlib.sha256(b"%d" % index).digest()
        writer.add_answer(AnswerRow(digest, "e", f"answer {index} " * rng.randrange(1, 300)))
    writer.close()
    store.close()


def pages_of(state_dir: Path) -> list[bytes]:
    """Return the pages of a database that nobody has open."""
    content = database_path(state_dir).read_bytes()
    return [content[i : i + PAGE_BYTES] for i in range(0, len(content), PAGE_BYTES)]


def flipped(page: bytes, rng: random.Random, end: int = PAGE_BYTES) -> bytes:
    at = rng.randrange(end)
    return page[:at] + bytes([page[at] ^ 1 << rng.randrange(8)]) + page[at + 1 :]


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "zeroed": lambda page, rng: bytes(PAGE_BYTES),
    "scribbled": lambda page, rng: rng.randbytes(PAGE_BYTES),
    "half scribbled": lambda page, rng: rng.randbytes(2048) + page[2048:],
    "head scribbled": lambda page, rng: rng.randbytes(12) + page[12:],
    "a bit flipped": flipped,
    "a bit of the head flipped": lambda page, rng: flipped(page, rng, 108),
}

"""Courses read from the store: by and by, bounded, and in the end what the job says itself."""

import asyncio
import random
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.noop.runner import noop_context
from master.config.paths import database_path
from master.contract.job_words import JobState
from master.contract.views import FlowSample, JobConvergence, JobRequest, JobView
from master.fold.convergence import Convergence
from master.service.convergences import (
    CONVERGENCES_MAX,
    FLOWS_MAX,
    NAMES_MAX,
    OTHERS,
    SAMPLES_MAX,
    Flow,
    Flows,
    JobConvergences,
    Staircase,
    read_on,
)
from master.service.job_records import stored_view
from master.service.job_requests import to_new_job
from master.service.service import MasterService
from master.service.stored_folds import rule_of
from master.store import runs
from master.store.errors import UnknownJobError
from master.store.records import JobEnd, RunsIn
from master.store.runs import TrialRun
from master.store.store import Store
from tests.master.service.watching import REQUEST, until, watch

COUNT = 3
CONTEXT = noop_context(alternatives=COUNT)


@contextmanager
def stored(rows: dict[int, list[float]], **rules: Any) -> Iterator[tuple[Store, int]]:
    """Yield a store with a job of these runs of trials."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        job = store.create_job(to_new_job(JobRequest(CONTEXT, **rules)))
        write(store, job, rows)
        yield store, job
        store.close()


def write(store: Store, job: int, rows: dict[int, list[float]]) -> None:
    database = sqlite3.connect(database_path(store.state_dir))
    for first, values in rows.items():
        runs.insert_run(database, job, TrialRun(first, [(value,) for value in values]))
    database.commit()
    database.close()


def trials(seed: int, count: int) -> list[float]:
    rng = random.Random(seed)
    return [rng.randrange(1 << 20) / 2**32 + seq % COUNT / 4 for seq in range(count)]


def pieces(seed: int, values: list[float]) -> dict[int, list[float]]:
    """Return the trials in runs, some of which overlap."""
    rng, found, first = random.Random(seed), {}, 0
    while first < len(values):
        end = first + rng.randrange(1, 200)
        begin = max(0, first - rng.choice([0, 0, 3]))
        found[begin] = values[begin:end]
        first = end
    return found


def view(store: Store, job: int) -> JobConvergence:
    return asyncio.run(JobConvergences(store).convergence(job))


def agrees(convergence: JobConvergence, view: JobView) -> bool:
    most = max((found.trials for found in view.alternatives), default=0)
    if not most:
        return convergence.points == ()
    staying = [found if found.trials == most else None for found in view.alternatives]
    last = convergence.points[-1]
    return (last.rounds, last.means, last.std_errors) == (
        most,
        tuple(found and found.means[-1] for found in staying),
        tuple(found and found.std_errors[-1] for found in staying),
    )


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(0, 900), st.booleans(), st.integers(0, 900))
def test_last_point_is_the_jobs_own_summary(
    seed: int, count: int, is_settled: bool, gap: int
) -> None:
    values = trials(seed, count)
    rows = {
        first: run for first, run in pieces(seed, values).items() if not first <= gap < first + 20
    }
    with stored(rows, trials=5_000, stop_settled=2.0 if is_settled else None) as (store, job):
        assert agrees(view(store, job), stored_view(store, job))


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 999), st.lists(st.integers(1, 300), min_size=1, max_size=5))
def test_convergence_read_as_trials_come_is_the_one_read_at_the_end(
    seed: int, lengths: list[int]
) -> None:
    values = trials(seed, sum(lengths))
    with stored({}, trials=5_000) as (store, job):
        convergences, first = JobConvergences(store), 0

        async def follow() -> JobConvergence:
            return await convergences.convergence(job)

        for length in lengths:
            write(store, job, {first: values[first : first + length]})
            first += length
            followed = asyncio.run(follow())
        assert followed == view(store, job)


def test_done_job_ends_where_its_rule_ended_it() -> None:
    with stored({0: trials(1, 300)}, trials=50) as (store, job):
        with store.claim(job):
            store.set_running(job, RunsIn.COMMAND)
            store.set_ended(job, JobState.DONE, JobEnd("trials", "", 150))
        convergence = view(store, job)
        assert convergence.points[-1].rounds == 50
        assert agrees(convergence, stored_view(store, job))


def test_so_many_trials_are_read_at_a_time_and_the_next_time_more() -> None:
    values = trials(3, 900)
    with stored({first: values[first : first + 90] for first in range(0, 900, 90)}, trials=300) as (
        store,
        job,
    ):
        convergence = Convergence(COUNT, rule_of(store.job(job).request))
        assert read_on(store, job, convergence, trials_max=200)
        assert convergence.next_seq == 270
        assert not read_on(store, job, convergence, trials_max=1_000)
        assert convergence.points() == view(store, job).points
        assert not read_on(store, job, convergence, trials_max=1_000)


def test_damaged_trials_are_a_gap() -> None:
    with stored({0: trials(1, 90), 90: trials(2, 90)}, trials=300) as (store, job):
        database = sqlite3.connect(database_path(store.state_dir))
        database.execute("UPDATE trial_run SET checksum = x'00' WHERE first_seq = 90")
        database.commit()
        database.close()
        assert view(store, job).points[-1].rounds == 30


async def test_job_that_there_is_not_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(UnknownJobError):
        await JobConvergences(store).convergence(1)
    store.close()


async def test_convergences_of_the_last_jobs_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    convergences = JobConvergences(store)
    for _ in range(CONVERGENCES_MAX + 4):
        await convergences.convergence(store.create_job(to_new_job(REQUEST)))
    assert len(convergences._kept) == CONVERGENCES_MAX
    store.close()


async def test_convergence_and_flow_of_a_job_that_runs_and_of_one_that_is_done(
    service: MasterService, fake_analyser: Any
) -> None:
    analyser = fake_analyser("attic").join(service)
    job = await service.submit(replace(REQUEST, trials=400))
    await service.convergence(job)
    await watch(service, job)
    done = await service.show(job)
    assert agrees(await service.convergence(job), done)
    flow = await service.flow(job)
    assert (flow.is_live, flow.by_analyser, flow.stored) == (False, (("attic", 1_200),), 0)
    assert (flow.samples[-1].received, flow.samples[-1].folded) == (1_200, 1_200)
    await service.extend(job, 10)
    await watch(service, job)
    assert agrees(await service.convergence(job), await service.show(job))
    assert (await service.flow(job)).stored == 1_200
    await until(lambda: analyser.acked == analyser.sent)
    with pytest.raises(UnknownJobError):
        await service.flow(job + 1)


async def test_nothing_is_known_of_how_an_earlier_masters_results_came(
    tmp_path: Path, fake_analyser: Any
) -> None:
    async with MasterService(tmp_path) as service:
        fake_analyser().join(service)
        job = await service.submit(REQUEST)
        await watch(service, job)
        convergence = await service.convergence(job)
    async with MasterService(tmp_path) as service:
        assert await service.convergence(job) == convergence
        assert (await service.flow(job)).samples == ()


STEPS = st.lists(st.tuples(st.floats(0.0, 9.0), st.integers(0, 3), st.integers(0, 3)), max_size=99)


def samples(steps: list[tuple[float, int, int]], times: int = 1) -> list[FlowSample]:
    found, at_s, received, folded = [], 0.0, 0, 0
    for wait_s, more, less in steps * times:
        at_s += wait_s
        received += more
        folded = min(received, folded + less)
        found.append(FlowSample(at_s, received, folded))
    return found


@given(STEPS, st.integers(1, 30))
def test_staircase_keeps_few_samples_that_were_so_with_both_ends(
    steps: list[tuple[float, int, int]], times: int
) -> None:
    given_samples = samples(steps, times)
    staircase = Staircase()
    for sample in given_samples:
        staircase.record(sample)
    kept = list(staircase.samples())
    assert len(kept) <= SAMPLES_MAX + 2
    assert set(kept) <= set(given_samples)
    assert [each.at_s for each in kept] == sorted(each.at_s for each in kept)
    assert kept[:1] == given_samples[:1]
    assert kept[-1:] == given_samples[-1:]


def test_staircase_of_a_long_time_has_its_steps_evenly_apart() -> None:
    staircase = Staircase()
    for second in range(20_000):
        staircase.record(FlowSample(float(second), second, second))
    times = [each.at_s for each in staircase.samples()]
    gaps = [two - one for one, two in pairwise(times[:-1])]
    assert len(times) > SAMPLES_MAX // 3
    assert max(gaps) <= 3 * min(gaps)


def test_where_nothing_changes_two_samples_are_enough() -> None:
    staircase = Staircase()
    for second in range(1_000):
        staircase.record(FlowSample(float(second), 5, 5))
    staircase.record(FlowSample(1_000.0, 6, 6))
    assert [each.at_s for each in staircase.samples()] == [0.0, 999.0, 1_000.0]


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=9), st.randoms())
def test_trials_are_counted_by_who_they_are_from_whatever_was_taken_out(
    probes: list[tuple[int, bool]], rng: object
) -> None:
    owners = [f"m{seq % 3}" for seq in range(60)]
    flow, withdrawals, end = Flow(10.0, 7), 0, 0

    def sources(first: int, stop: int) -> Counter[str]:
        return Counter(owners[first:stop])

    for number, (stop, is_withdrawn) in enumerate(probes):
        if is_withdrawn:
            withdrawals += 1
            owners[:] = [f"m{(seq + number) % 4}" for seq in range(60)]
        end = stop if is_withdrawn else max(end, stop)
        flow.observe(11.0 + number, (end, end), end, withdrawals, sources)
    view = flow.view()
    assert dict(view.by_analyser) == dict(Counter(owners[:end]))
    assert view.stored == 7
    assert [sample.at_s for sample in view.samples[:1]] == [1.0] * bool(probes)
    assert list(view.by_analyser) == sorted(view.by_analyser, key=lambda pair: (-pair[1], pair[0]))


def test_many_analysers_are_shown_together_behind_the_first() -> None:
    flow = Flow(0.0, 0)
    counts = Counter({f"m{number:03}": 500 - number for number in range(100)})
    flow.observe(0.0, (9, 9), 9, 0, lambda first, end: counts)
    view = flow.view().by_analyser
    assert len(view) == NAMES_MAX + 1
    assert (view[0], view[-1][0]) == (("m000", 500), OTHERS)
    assert sum(count for _, count in view) == sum(counts.values())


def test_flows_of_the_last_jobs_are_remembered() -> None:
    flows = Flows()
    for job in range(1, FLOWS_MAX + 3):
        flows.begin(job, 0.0, job)
    assert flows.view(2, is_live=True) is None
    found = flows.view(3, is_live=True)
    assert found is not None
    assert (found.stored, found.is_live) == (3, True)
    flows.begin(3, 5.0, 40)
    again = flows.view(3, is_live=False)
    assert again is not None
    assert (again.stored, again.is_live) == (40, False)

"""How results come in: whatever is sampled, little is kept, and nothing that was not so."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from master.contract.views import FlowSample
from master.service.convergences.flow import (
    FLOWS_MAX,
    NAMES_MAX,
    OTHERS,
    SAMPLES_MAX,
    Flow,
    Flows,
    Staircase,
)

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

    def sources(first: int, until: int) -> Counter[str]:
        return Counter(owners[first:until])

    for number, (until, is_withdrawn) in enumerate(probes):
        if is_withdrawn:
            withdrawals += 1
            owners[:] = [f"m{(seq + number) % 4}" for seq in range(60)]
        end = until if is_withdrawn else max(end, until)
        flow.observe(11.0 + number, (end, end), end, withdrawals, sources)
    view = flow.view()
    assert dict(view.by_analyser) == dict(Counter(owners[:end]))
    assert view.stored == 7
    assert [sample.at_s for sample in view.samples[:1]] == [1.0] * bool(probes)
    assert list(view.by_analyser) == sorted(view.by_analyser, key=lambda pair: (-pair[1], pair[0]))


def test_many_analysers_are_told_together_behind_the_first() -> None:
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

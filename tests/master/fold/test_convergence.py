"""The course of a job: in any pieces the same, and at its end what the job itself says."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.contract.goals import Goal
from master.contract.views import AlternativeSummary
from master.fold.convergence import NUMBERS_MAX, POINTS_MAX, Convergence, points_max
from master.fold.stop_rule import StopRule
from master.fold.trials import SEQ_MAX, TrialFold

NEVER = StopRule(Goal())
SEEDS = st.integers(0, 2**32)


def values(seed: int, count: int, alternatives: int) -> list[float]:
    """Return ranking values whose alternatives are the farther apart, the later they stand."""
    rng = random.Random(seed)
    return [rng.randrange(-(1 << 32), 1 << 32) / 2**32 - i % alternatives for i in range(count)]


def ranking(alternatives: tuple[AlternativeSummary, ...]) -> list[tuple[object, ...]]:
    """Return what is said of the ranking value, the last one."""
    return [
        (one.trials, one.means[-1], one.std_errors[-1], one.diff_to_best, one.diff_std_error)
        for one in alternatives
    ]


def folded(rows: list[float], alternatives: int, rule: StopRule) -> TrialFold:
    """Return a job's own fold of trials of two values, with its rule's looks."""
    fold = TrialFold(alternatives, 2)
    fold.limit = 0 if rule.goal.stop_settled is not None else SEQ_MAX
    for seq, value in enumerate(rows):
        fold.add(seq, (0.25, value))
    while fold.limit <= fold.folded:
        fold.retire(rule.beaten(fold.summary()))
        check = rule.next_check(fold.rounds)
        limit = SEQ_MAX if check is None else check * alternatives
        if limit <= fold.folded:
            break
        fold.raise_limit(limit)
    return fold


@pytest.mark.slow
@given(SEEDS, st.integers(0, 900), st.integers(1, 4), st.booleans())
def test_last_point_is_what_the_job_says(
    seed: int, count: int, alternatives: int, is_settled: bool
) -> None:
    rule = StopRule(Goal(None, None, 2.0)) if is_settled else NEVER
    rows = values(seed, count, alternatives)
    convergence = Convergence(alternatives, rule)
    assert convergence.add_run(0, rows)
    fold = folded(rows, alternatives, rule)
    assert ranking(convergence.summary().alternatives) == ranking(fold.summary().alternatives)
    points = convergence.points()
    assert bool(points) == bool(fold.rounds)
    if points:
        summary = fold.summary()
        assert points[-1].rounds == summary.rounds
        staying = [one if one.trials == summary.rounds else None for one in summary.alternatives]
        assert points[-1].means == tuple(one and one.means[-1] for one in staying)
        assert points[-1].std_errors == tuple(one and one.std_errors[-1] for one in staying)


@pytest.mark.slow
@settings(max_examples=40)
@given(SEEDS, st.lists(st.integers(0, 400), max_size=6), st.booleans(), st.data())
def test_convergence_in_pieces_is_the_one_at_once(
    seed: int, lengths: list[int], is_settled: bool, data: st.DataObject
) -> None:
    rule = StopRule(Goal(None, None, 1.0)) if is_settled else NEVER
    rows = values(seed, sum(lengths), 3)
    whole, pieces, first = Convergence(3, rule), Convergence(3, rule), 0
    whole.add_run(0, rows)
    for length in lengths:
        twins = data.draw(st.integers(0, min(first, 5)))
        assert pieces.add_run(first - twins, rows[first - twins : first + length])
        first += length
        if data.draw(st.booleans()):
            pieces.points()
    assert pieces.points() == whole.points()
    assert pieces.next_seq == whole.next_seq


@pytest.mark.slow
@settings(max_examples=15)
@given(SEEDS, st.integers(150, 200))
def test_trials_that_are_not_needed_are_no_gap(seed: int, rounds: int) -> None:
    rule = StopRule(Goal(None, None, 1.0))
    rows = values(seed, 3 * rounds, 3)
    whole, sparse = Convergence(3, rule), Convergence(3, rule)
    whole.add_run(0, rows)
    retired = {i for i, one in enumerate(whole.summary().alternatives) if one.trials < rounds}
    assert retired, "a whole point apart is settled at the first look"
    for seq, value in enumerate(rows):
        if seq % 3 not in retired or seq < 3 * 144:
            assert sparse.add_run(seq, [value])
    assert sparse.points() == whole.points()


@given(st.integers(1, 50), st.integers(1, 50))
def test_trial_that_is_missing_ends_the_convergence(before: int, gap: int) -> None:
    convergence = Convergence(2, NEVER)
    convergence.add_run(0, values(1, before, 2))
    assert not convergence.add_run(before + gap, [0.5])
    assert convergence.next_seq == before
    assert convergence.add_run(before, [0.5] * gap)


@given(st.integers(0, 60), st.integers(0, 30))
def test_trials_behind_the_end_do_not_count(count: int, rounds: int) -> None:
    convergence = Convergence(2, NEVER, end=2 * rounds)
    assert convergence.add_run(0, values(2, count, 2))
    assert convergence.next_seq == min(count, 2 * rounds)
    assert convergence.add_run(2 * rounds + 5, [1.0]) == (count >= 2 * rounds)


def test_points_are_evenly_apart_and_never_more_than_a_screen_has() -> None:
    convergence = Convergence(1, NEVER)
    rng = random.Random(3)
    for first in range(0, 3000, 50):
        convergence.add_run(first, [rng.randrange(9) / 8 for _ in range(50)])
        rounds = [point.rounds for point in convergence.points()]
        assert len(rounds) <= POINTS_MAX + 1
        assert rounds[-1] == first + 50
        assert all(one < two for one, two in pairwise(rounds))
        assert len({two - one for one, two in pairwise(rounds[:-1])}) == 1


def test_convergence_of_many_alternatives_has_as_many_numbers() -> None:
    assert points_max(1) == POINTS_MAX
    assert points_max(30) == 136
    assert all(points_max(count) * count <= NUMBERS_MAX for count in (16, 40, 64, 2048))
    assert points_max(1 << 20) == 2

"""The folds of trials and of answers: any order gives the same."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fold.answers import AnswerFold
from master.fold.sums import FoldSummary
from master.fold.trials import BadValueError, FoldOutcome, TrialFold, TrialValues

UNIT = 2.0**-32


def results(seed: int, count: int, value_count: int = 2) -> list[TrialValues]:
    rng = random.Random(seed)
    return [
        tuple(rng.randrange(-(9 << 32), 9 << 32) / 2**32 for _ in range(value_count))
        for _ in range(count)
    ]


def straight(rows: list[TrialValues], alternatives: int) -> TrialFold:
    fold = TrialFold(alternatives, 2)
    for seq, values in enumerate(rows):
        assert fold.add(seq, values) is FoldOutcome.NEW
    return fold


@given(
    st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 4), st.integers(0, 2**32), st.data()
)
def test_any_order_with_twins_and_restarts_gives_the_same_bits(
    seed: int, count: int, alternatives: int, shuffle: int, data: st.DataObject
) -> None:
    rows = results(seed, count)
    order = list(range(count)) + data.draw(st.lists(st.integers(0, max(0, count - 1)), max_size=9))
    order = order if count else []
    random.Random(shuffle).shuffle(order)
    restarts = data.draw(st.sets(st.integers(0, len(order)), max_size=3))
    fold = TrialFold(alternatives, 2)
    for position, seq in enumerate(order):
        if position in restarts:
            fold = TrialFold.restore(fold.snapshot())
        assert fold.add(seq, rows[seq]) is not FoldOutcome.MISMATCH
    expected = straight(rows, alternatives)
    assert fold.summary(has_quantiles=True) == expected.summary(has_quantiles=True)
    assert fold.snapshot() == expected.snapshot()


@given(st.integers(0, 2**32), st.lists(st.integers(1, 9), max_size=9))
def test_runs_fold_as_single_trials_do(seed: int, lengths: list[int]) -> None:
    rows = results(seed, sum(lengths))
    fold, start = TrialFold(3, 2), 0
    for length in lengths:
        assert fold.add_run(start, rows[start : start + length])
        start += length
    assert fold.snapshot() == straight(rows, 3).snapshot()


def test_run_that_is_not_the_next_takes_nothing() -> None:
    fold = TrialFold(1, 2)
    assert not fold.add_run(1, results(1, 2))
    fold.add(1, (0.0, 0.0))
    assert not fold.add_run(0, results(1, 1))
    assert (fold.folded, fold.held_count, fold.known_end) == (0, 1, 2)


def test_run_is_taken_up_to_the_limit_and_no_further() -> None:
    fold, rows = TrialFold(1, 2), results(1, 4)
    fold.limit = 3
    assert not fold.add_run(0, rows)
    assert fold.add_run(0, rows[:3])
    assert fold.folded == 3


def test_trial_folded_twice_counts_once() -> None:
    fold = straight(results(1, 3), 1)
    before = fold.snapshot()
    assert fold.add(1, results(1, 3)[1]) is FoldOutcome.DUPLICATE
    assert fold.snapshot() == before


def test_result_ahead_of_a_gap_is_held_until_it_closes() -> None:
    fold = TrialFold(1, 1)
    fold.add(1, (1.0,))
    assert (fold.folded, fold.held_count, fold.has(1), fold.has(0)) == (0, 1, True, False)
    fold.add(0, (3.0,))
    assert (fold.folded, fold.held_count) == (2, 0)
    assert fold.summary().alternatives[0].means == (2.0,)


@pytest.mark.parametrize("place", [0, 2])
def test_other_values_for_a_known_trial_are_a_mismatch(place: int) -> None:
    fold = TrialFold(1, 1)
    fold.add(0, (1.0,))
    fold.add(2, (1.0,))
    assert fold.add(place, (1.0 + UNIT,)) is FoldOutcome.MISMATCH
    assert fold.values_at(place) == (1.0,)


def test_limit_holds_the_prefix_back_until_it_is_raised() -> None:
    rows = results(2, 9)
    fold = TrialFold(1, 2)
    fold.limit = 4
    for seq, values in enumerate(rows):
        fold.add(seq, values)
    assert (fold.folded, fold.held_count) == (4, 5)
    copy = TrialFold.restore(fold.snapshot())
    assert copy.snapshot() == fold.snapshot()
    fold.raise_limit(1 << 40)
    assert fold.snapshot() == straight(rows, 1).snapshot()


def test_trials_of_a_round_not_yet_whole_wait_for_it() -> None:
    fold = straight(results(3, 7), 3)
    assert (fold.rounds, fold.folded) == (2, 7)
    assert [a.trials for a in fold.summary().alternatives] == [2, 2, 2]


@pytest.mark.parametrize(
    "values",
    [
        (0.1,),
        (UNIT / 2,),
        (2.0**20,),
        (-(2.0**20),),
        (float("nan"),),
        (float("inf"),),
        (),
        (0.0, 0.0),
    ],
)
def test_value_no_trial_can_have_is_refused(values: TrialValues) -> None:
    fold = TrialFold(1, 1)
    with pytest.raises(BadValueError):
        fold.add(0, values)
    with pytest.raises(BadValueError):
        fold.add_run(0, [values])
    assert fold.folded == 0


def test_replaced_fold_is_the_fold_of_the_right_results() -> None:
    rows = results(4, 10)
    wrong = [*rows[:3], (7.0, 7.0), *rows[4:]]
    fold = straight(wrong, 2).replaced(3, rows[3])
    assert fold.folded == 0
    fold.raise_limit(1 << 40)
    assert fold.snapshot() == straight(rows, 2).snapshot()


def test_snapshot_without_counts_is_one_of_an_older_version() -> None:
    fold = straight(results(6, 8), 2)
    head, _, rest = fold.snapshot().partition('"counts":')
    older = TrialFold.restore(head + rest[rest.index('"tail"') :])
    assert fold.is_counted
    assert not older.is_counted
    older.add(8, results(7, 1)[0])
    assert older.summary(has_quantiles=True) == older.summary() == fold.summary()
    damaged = f'{head}"counts":[[]],{rest[rest.index(chr(34) + "tail") :]}'
    with pytest.raises(ValueError, match="counts of another shape"):
        TrialFold.restore(damaged)


def test_results_come_back_in_seq_order() -> None:
    rows = results(5, 6)
    fold = TrialFold(1, 2)
    for seq in (5, 0, 1, 4):
        fold.add(seq, rows[seq])
    assert list(fold.results()) == [(seq, rows[seq]) for seq in (0, 1, 4, 5)]


@pytest.mark.parametrize("text", ["", "fold/2 {}", "fold/1 {}", "fold/1 [", "fold/1 []"])
def test_text_that_is_no_snapshot_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"fold|JSON|Expecting"):
        TrialFold.restore(text)


def ruled(rows: list[TrialValues], order: list[int], retiring: dict[int, list[int]]) -> TrialFold:
    """Fold in an order; at the ends of these rounds these alternatives retire."""
    fold = TrialFold(4, 2)
    stops = sorted(retiring)
    fold.limit = 4 * stops[0]
    for seq in order:
        fold.add(seq, rows[seq])
        while stops and fold.folded == 4 * stops[0]:
            fold.retire(retiring[stops.pop(0)])
            fold.raise_limit(4 * stops[0] if stops else len(rows))
    return fold


@given(st.integers(0, 2**32), st.integers(0, 2**32), st.data())
def test_retirement_gives_the_same_bits_in_any_order(
    seed: int, shuffle: int, data: st.DataObject
) -> None:
    rows = results(seed, 4 * 12)
    leaving = data.draw(st.permutations(range(4)))[: data.draw(st.integers(1, 3))]
    rounds = sorted(data.draw(st.sets(st.integers(1, 11), min_size=1, max_size=len(leaving))))
    retiring = {each: leaving[place :: len(rounds)] for place, each in enumerate(rounds)}
    order = list(range(len(rows)))
    straight_fold = ruled(rows, order, retiring)
    random.Random(shuffle).shuffle(order)
    fold = ruled(rows, order, retiring)
    assert fold.folded == len(rows)
    assert fold.summary(has_quantiles=True) == straight_fold.summary(has_quantiles=True)
    assert fold.snapshot() == straight_fold.snapshot()
    restored = TrialFold.restore(fold.snapshot())
    assert restored.snapshot() == fold.snapshot()
    assert restored.summary() == fold.summary()
    needed = [seq for seq in range(len(rows)) if not fold.is_retired(seq)]
    assert fold.result_count == len(needed) == len(list(fold.results()))


def test_trial_of_a_retired_alternative_is_not_needed() -> None:
    rows = results(1, 12)
    fold = TrialFold(2, 2)
    fold.limit = 4
    for seq in (0, 1, 2, 3, 5):
        fold.add(seq, rows[seq])
    fold.retire([1])
    assert (fold.held_count, fold.retired_count) == (0, 1)
    assert [fold.has(seq) for seq in range(3, 8)] == [True, False, True, False, True]
    fold.raise_limit(12)
    assert fold.add(7, rows[7]) is FoldOutcome.NOT_NEEDED
    assert not fold.add_run(4, rows[4:6])
    assert fold.add(4, rows[4]) is FoldOutcome.NEW
    assert (fold.folded, fold.values_at(5)) == (6, None)


@given(st.integers(0, 2**32), st.integers(0, 47))
def test_who_retired_behind_a_withdrawn_trial_is_back(seed: int, withdrawn: int) -> None:
    rows = results(seed, 4 * 12)
    fold = ruled(rows, list(range(len(rows))), {4: [1], 8: [3]})
    before = fold.snapshot()
    if fold.is_retired(withdrawn):
        return
    fold.withdraw([(withdrawn, withdrawn + 1)])
    assert fold.retired_count == sum(withdrawn >= 4 * rounds for rounds in (4, 8))
    assert fold.folded == withdrawn
    fold.limit = min([limit for limit in (16, 32) if limit > withdrawn], default=len(rows))
    fold.raise_limit(fold.limit)
    for seq in range(len(rows)):
        fold.add(seq, rows[seq])
        for rounds, who in ((4, [1]), (8, [3])):
            if fold.folded == fold.limit == 4 * rounds:
                fold.retire(who)
                fold.raise_limit({4: 32, 8: len(rows)}[rounds])
    assert fold.snapshot() == before


COUNT = 6
deliveries = st.lists(st.integers(0, COUNT - 1), max_size=30)


def text_of(seq: int) -> str:
    return f"answer {seq}"


@given(deliveries)
def test_answers_in_any_order_any_number_of_times_give_the_same_fold(order: list[int]) -> None:
    fold = AnswerFold(COUNT)
    seen: set[int] = set()
    for seq in order:
        outcome = fold.add(seq, (text_of(seq),))
        assert outcome is (FoldOutcome.DUPLICATE if seq in seen else FoldOutcome.NEW)
        seen.add(seq)
        prefix = next(seq for seq in range(COUNT + 1) if seq not in seen)
        assert (fold.folded, fold.held_count) == (prefix, len(seen) - prefix)
    assert fold.known_end == max(seen, default=-1) + 1
    assert fold.answers() == [text_of(s) if s in seen else None for s in range(COUNT)]
    assert [fold.has(seq) for seq in range(COUNT)] == [seq in seen for seq in range(COUNT)]
    assert fold.rounds == fold.folded
    assert fold.summary() == FoldSummary(fold.folded, 0, 0, (), ())


def test_other_answer_to_a_known_question_is_a_mismatch_and_changes_nothing() -> None:
    fold = AnswerFold(2)
    fold.add(1, ("a",))
    assert fold.add(1, ("b",)) is FoldOutcome.MISMATCH
    assert fold.values_at(1) == ("a",)
    assert fold.values_at(0) is None


def test_replaced_answer_leaves_the_others() -> None:
    fold = AnswerFold(3)
    fold.add(0, ("a",))
    fold.add(2, ("c",))
    other = fold.replaced(0, ("b",))
    assert (other.answers(), other.folded, other.held_count) == (["b", None, "c"], 1, 1)
    assert fold.answers() == ["a", None, "c"]


@given(deliveries, st.integers(0, COUNT - 1), st.integers(1, COUNT))
def test_withdrawn_answers_leave_a_fold_that_never_had_them(
    order: list[int], first: int, count: int
) -> None:
    end = min(first + count, COUNT)
    fold, expected = AnswerFold(COUNT), AnswerFold(COUNT)
    for seq in {*order, *range(first, end)}:
        fold.add(seq, (text_of(seq),))
        if not first <= seq < end:
            expected.add(seq, (text_of(seq),))
    fold.withdraw([(first, end)])
    assert (fold.folded, fold.held_count) == (expected.folded, expected.held_count)
    assert fold.answers() == expected.answers()
    for seq in range(first, end):
        assert fold.add(seq, ("another",)) is FoldOutcome.NEW


@pytest.mark.parametrize("values", [(1.0,), (), ("a", "b")])
def test_anything_but_one_text_is_a_bad_value(values: tuple[str]) -> None:
    with pytest.raises(BadValueError):
        AnswerFold(1).add(0, values)


def test_runs_are_taken_one_by_one_and_the_limit_stands() -> None:
    fold = AnswerFold(2)
    assert not fold.add_run(0, [("a",), ("b",)])
    fold.raise_limit(7)
    assert fold.limit == 2

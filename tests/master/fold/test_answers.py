import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fold.answers import AnswerFold
from master.fold.trials import BadValueError, FoldOutcome

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
    assert fold.rounds == fold.summary().rounds == fold.folded


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


@pytest.mark.parametrize("values", [(1.0,), (), ("a", "b")])
def test_anything_but_one_text_is_a_bad_value(values: tuple[str]) -> None:
    with pytest.raises(BadValueError):
        AnswerFold(1).add(0, values)


def test_runs_are_taken_one_by_one_and_the_limit_stands() -> None:
    fold = AnswerFold(2)
    assert not fold.add_run(0, [("a",), ("b",)])
    fold.raise_limit(7)
    assert fold.limit == 2

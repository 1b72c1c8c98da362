import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store.trials import (
    RUN_TRIALS_MAX,
    TrialRun,
    from_blob,
    merged,
    patched,
    to_blob,
    without_twins,
)

values = st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False))


@given(st.lists(values, min_size=1))
def test_blob_gives_back_the_same_bits(rows: list[tuple[float, float]]) -> None:
    back = from_blob(to_blob(rows), len(rows))
    assert [[v.hex() for v in row] for row in back] == [[v.hex() for v in row] for row in rows]


def test_blob_keeps_the_sign_of_zero() -> None:
    ((zero,),) = from_blob(to_blob([(-0.0,)]), 1)
    assert math.copysign(1.0, zero) == -1.0


@pytest.mark.parametrize(("blob", "count"), [(b"", 1), (b"1234567", 1), (bytes(8), 2), (b"", 0)])
def test_blob_of_a_wrong_length_is_refused(blob: bytes, count: int) -> None:
    with pytest.raises(ValueError, match="are not"):
        from_blob(blob, count)


@given(st.lists(values, min_size=1), values, st.data())
def test_patching_a_blob_replaces_one_trial(
    rows: list[tuple[float, float]], other: tuple[float, float], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    expected = [*rows[:index], other, *rows[index + 1 :]]
    assert patched(to_blob(rows), index, other) == to_blob(expected)


@given(st.lists(st.tuples(st.integers(0, 60), st.lists(values, min_size=1, max_size=5))))
def test_merged_runs_hold_every_trial_once_in_seq_order(
    rows: list[tuple[int, list[tuple[float, float]]]],
) -> None:
    runs = merged(TrialRun(first, run) for first, run in rows)
    seqs = [run.first_seq + i for run in runs for i in range(len(run.values))]
    assert seqs == sorted({first + i for first, run in rows for i in range(len(run))})
    assert all(
        run.first_seq + len(run.values) < later.first_seq for run, later in itertools.pairwise(runs)
    )


def test_long_run_is_cut() -> None:
    runs = merged(TrialRun(seq, [(0.0,)]) for seq in range(RUN_TRIALS_MAX + 1))
    assert [len(run.values) for run in runs] == [RUN_TRIALS_MAX, 1]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8))))
def test_overlapping_runs_yield_every_seq_once(spans: list[tuple[int, int]]) -> None:
    runs = [
        TrialRun(first, tuple((float(number),) for _ in range(count)))
        for number, (first, count) in enumerate(sorted(spans))
    ]
    seqs = [run.first_seq + i for run in without_twins(runs) for i in range(len(run.values))]
    assert seqs == sorted({seq for first, count in spans for seq in range(first, first + count)})

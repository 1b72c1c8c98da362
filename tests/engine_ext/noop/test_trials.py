import threading

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.noop.trials import run_noop


@given(st.integers(0, 10**9), st.integers(0, 20), st.integers(0, 50))
def test_any_split_gives_the_same_values(first: int, count: int, rounds: int) -> None:
    whole = run_noop(first, count, rounds, RunControl())
    parts = [run_noop(first + i, 1, rounds, RunControl())[0] for i in range(count)]
    assert whole == parts


@given(st.integers(0, 2**63))
def test_values_are_multiples_of_two_to_the_minus_32(seq: int) -> None:
    ((value,),) = run_noop(seq, 1, 1, RunControl())
    assert 0 <= value < 1
    assert (value * 2**32).is_integer()


def test_a_stopped_run_returns_only_finished_trials() -> None:
    control = RunControl()
    timer = threading.Timer(0.02, control.stop)
    timer.start()
    values = run_noop(0, 1000, 5_000_000, control)
    assert len(values) < 1000
    assert values == run_noop(0, len(values), 5_000_000, RunControl())

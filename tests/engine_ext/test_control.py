from engine_ext.control import RunControl
from engine_ext.noop.trials import run_noop


def test_a_new_control_is_not_stopped_and_has_no_steps() -> None:
    control = RunControl()
    assert not control.is_stopped
    assert control.steps == 0


def test_a_stop_stays() -> None:
    control = RunControl()
    control.stop()
    control.stop()
    assert control.is_stopped


def test_steps_grow_with_work() -> None:
    control = RunControl()
    run_noop(0, 3, 10, control)
    before = control.steps
    run_noop(0, 3, 10_000, control)
    assert 0 < before < control.steps

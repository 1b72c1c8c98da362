import threading
from concurrent.futures import ThreadPoolExecutor

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


def test_a_paused_call_waits_and_then_goes_on_with_what_it_had() -> None:
    control, values = RunControl(), []
    control.pause()
    thread = threading.Thread(target=lambda: values.extend(run_noop(0, 2, 10_000, control)))
    thread.start()
    thread.join(timeout=0.05)
    assert thread.is_alive()
    assert control.is_paused
    assert control.steps == 0
    control.resume()
    thread.join()
    assert values == run_noop(0, 2, 10_000, RunControl())


def test_a_pause_midway_keeps_what_was_computed() -> None:
    control = RunControl()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_noop, 0, 50, 1_000_000, control)
        while control.steps == 0:
            pass
        control.pause()
        control.pause()
        control.resume()
        assert running.result() == run_noop(0, 50, 1_000_000, RunControl())


def test_a_stop_ends_a_paused_call() -> None:
    control = RunControl()
    control.pause()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_noop, 0, 1, 10**12, control)
        control.stop()
        assert running.result() == []
    assert not control.is_paused


def test_a_stopped_control_is_not_paused() -> None:
    control = RunControl()
    control.stop()
    control.pause()
    assert not control.is_paused
    assert run_noop(0, 1, 10**12, control) == []


def test_threads_of_one_control_pause_together() -> None:
    control = RunControl()
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(run_noop, i, 1, 100_000, control) for i in range(4)]
        for _ in range(100):
            control.pause()
            control.resume()
        values = [call.result()[0] for call in calls]
    assert values == run_noop(0, 4, 100_000, RunControl())

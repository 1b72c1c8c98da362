import pytest

from tests.master.hand_driven import Driver


def test_lost_trials_are_found() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    driver.ready(1)
    state = driver.scheduler._state
    job = state.jobs[1]
    job.grant_fresh(3)
    with pytest.raises(AssertionError, match="nobody's"):
        driver.scheduler.validate_state()


def test_window_that_is_exceeded_is_found() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    driver.ready(1)
    driver.scheduler._state.options = type(driver.scheduler._state.options)(window=1)
    with pytest.raises(AssertionError, match="window"):
        driver.scheduler.validate_state()

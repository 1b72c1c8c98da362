from master.scheduler.limits import SchedulerOptions
from master.scheduler.state import State
from tests.master.hand_driven import Driver, job_spec


def test_new_state_has_nothing_to_do() -> None:
    state = State(SchedulerOptions())
    assert (state.analysers, state.jobs, state.active, state.out) == ({}, {}, [], [])


def test_leases_of_a_job_come_in_the_order_of_their_trials() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(20))
    driver.ready(2)
    driver.ready(1)
    state = driver.scheduler._state
    assert [lease.first for lease in state.leases_of(state.jobs[1])] == [0, 5, 10, 15]

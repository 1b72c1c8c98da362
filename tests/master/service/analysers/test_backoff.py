import random

from master.service.analysers.dialler import WAIT_S_MAX, WAIT_S_MIN, Backoff


def test_waits_stay_in_their_range_and_reach_the_end_of_it() -> None:
    backoff = Backoff(random.Random(1).uniform)
    waits = [backoff.next_wait_s() for _ in range(200)]
    assert all(WAIT_S_MIN <= wait <= WAIT_S_MAX for wait in waits)
    assert max(waits) == WAIT_S_MAX


def test_first_wait_after_a_success_is_short() -> None:
    backoff = Backoff(lambda low, high: high)
    grown = [backoff.next_wait_s() for _ in range(3)]
    assert grown == sorted(grown)
    backoff.reset()
    assert backoff.next_wait_s() <= 3 * WAIT_S_MIN + 1e-9

"""Actions are values: equal by what they say."""

from master.relay.forwarding import HandDown, PoolChanged, StopDown
from tests.master.relay.fake_pool import trials


def test_actions_are_equal_by_what_they_say() -> None:
    assert HandDown(1, trials(2)) == HandDown(1, trials(2))
    assert StopDown(1, 2, 3) != StopDown(1, 2, 4)
    assert PoolChanged() == PoolChanged()

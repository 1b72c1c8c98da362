from master.scheduler import limits


def test_limits_that_depend_on_each_other_agree() -> None:
    assert limits.LEAD_TRIALS_MAX >= 2 * limits.PART_TRIALS_MAX * limits.LEAD_CAPACITIES
    assert limits.STALL_S_MIN < limits.STALL_S_MAX
    assert limits.TICK_INTERVAL_S < limits.PART_TARGET_S
    assert limits.WINDOW_MAX <= limits.WINDOW_OUTSTANDING_MAX
    assert limits.TWINS_MAX < limits.DEATHS_MAX

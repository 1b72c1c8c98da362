from master.contract.views import JobConvergence, JobFlow


def test_job_of_which_nothing_is_known_has_no_points_and_is_not_live() -> None:
    assert (JobConvergence().points, JobConvergence().is_behind) == ((), False)
    assert (JobFlow().samples, JobFlow().by_analyser, JobFlow().is_live) == ((), (), False)

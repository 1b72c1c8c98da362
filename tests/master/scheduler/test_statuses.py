from master.scheduler import AnalyserStatus, JobStatus
from master.scheduler.scheduler import LeaseStatus
from tests.master.hand_driven import Driver, job_spec


def test_views_show_what_is_out() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(50))
    first, _ = driver.ready(1, "attic")
    driver.send(first, 2)
    assert driver.scheduler.jobs() == [JobStatus(1, False, 50, 2, 0, 8)]
    assert driver.scheduler.analysers() == [
        AnalyserStatus(1, "attic", 1, "ready", 2, 2, 2, 0.0, LeaseStatus(1, 0, 5))
    ]

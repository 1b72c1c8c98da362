from master.contract.courses import Courses, JobCourse, JobFlow
from master.service.service import MasterService
from master.web.door import WebDoor
from tests.master.web.fake_master import FakeMaster


def test_master_and_its_stand_in_tell_courses(service: MasterService) -> None:
    told: list[Courses] = [service, FakeMaster()]
    assert all(callable(each.course) and callable(each.flow) for each in told)
    assert "courses" in WebDoor.__init__.__annotations__


def test_job_of_which_nothing_is_known_has_no_points_and_is_not_live() -> None:
    assert (JobCourse().points, JobCourse().is_behind) == ((), False)
    assert (JobFlow().samples, JobFlow().by_analyser, JobFlow().is_live) == ((), (), False)

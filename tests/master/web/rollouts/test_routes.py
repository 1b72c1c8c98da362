from master.web.rollouts.routes import ROUTES
from master.web.routes import ROUTES as ALL
from master.web.rules import Need


def test_pictures_are_read_of_one_job_and_change_nothing() -> None:
    assert set(ROUTES) <= set(ALL)
    for route in ROUTES:
        assert (route.method, route.need) == ("GET", Need.READING)
        assert route.path.startswith("/api/jobs/{job}/")

from master.web.application import Answers
from master.web.desks import DESKS
from master.web.routes import ROUTES


def test_each_route_is_answered_by_one_desk() -> None:
    for route in ROUTES:
        found = [desk for desk in (Answers, *DESKS) if hasattr(desk, route.name)]
        assert len(found) == 1, route.name

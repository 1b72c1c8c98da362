from master.web.routes import ROUTES
from master.web.rules import Need
from master.web.timeline.routes import TIMELINE_ROUTES


def test_timelines_are_read_by_whoever_may_read() -> None:
    assert [route.need for route in TIMELINE_ROUTES] == [Need.READING]
    assert set(TIMELINE_ROUTES) <= set(ROUTES)

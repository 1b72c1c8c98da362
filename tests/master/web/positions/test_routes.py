from master.web.positions.desk import PositionsDesk
from master.web.positions.routes import POSITION_ROUTES
from master.web.routes import ROUTES


def test_routes_are_served_and_answered_by_this_rooms_desk() -> None:
    assert set(POSITION_ROUTES) <= set(ROUTES)
    assert all(hasattr(PositionsDesk, route.name) for route in POSITION_ROUTES)

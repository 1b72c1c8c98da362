from master.web.positions.handlers import PositionsHandlers
from master.web.positions.routes import POSITION_ROUTES
from master.web.routes import ROUTES


def test_routes_are_served_and_answered_by_this_rooms_handlers() -> None:
    assert set(POSITION_ROUTES) <= set(ROUTES)
    assert all(hasattr(PositionsHandlers, route.name) for route in POSITION_ROUTES)

from master.web.matches.handlers import MatchesHandlers
from master.web.matches.routes import MATCH_ROUTES
from master.web.routes import ROUTES


def test_routes_are_served_and_answered_by_this_rooms_handlers() -> None:
    assert set(MATCH_ROUTES) <= set(ROUTES)
    assert all(hasattr(MatchesHandlers, route.name) for route in MATCH_ROUTES)

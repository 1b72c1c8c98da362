from master.web.routes import ROUTES
from master.web.searches.routes import SEARCH_ROUTES


def test_routes_of_searches_are_served() -> None:
    assert SEARCH_ROUTES
    assert set(SEARCH_ROUTES) <= set(ROUTES)

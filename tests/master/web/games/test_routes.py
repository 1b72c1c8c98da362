from master.web.games.routes import GAME_ROUTES
from master.web.routes import ROUTES


def test_routes_of_games_are_served() -> None:
    assert GAME_ROUTES
    assert set(GAME_ROUTES) <= set(ROUTES)

from master.web.routes import ROUTES
from master.web.rules import Need
from master.web.schemas import SCHEMAS


def test_what_changes_something_is_posted_with_the_token_and_nothing_else_is() -> None:
    for route in ROUTES:
        assert (route.method == "POST") == (route.need is Need.TOKEN)


def test_shapes_that_routes_name_are_there() -> None:
    for route in ROUTES:
        assert {route.answer, route.body} - {""} <= set(SCHEMAS)
        assert bool(route.answer) == (route.media == "application/json")


def test_no_way_is_there_twice() -> None:
    ways = [(route.method, route.path) for route in ROUTES]
    assert len(set(ways)) == len(ways)

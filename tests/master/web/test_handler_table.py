from master.web.application import Answers
from master.web.handler_table import HANDLER_TABLE
from master.web.routes import ROUTES


def test_each_route_is_answered_by_one_handlers() -> None:
    for route in ROUTES:
        found = [
            handlers for handlers in (Answers, *HANDLER_TABLE) if hasattr(handlers, route.name)
        ]
        assert len(found) == 1, route.name

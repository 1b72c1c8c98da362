import json

from master.games.handlers import Action, Handlers, PositionHandlers
from master.games.settings import Field, Kind
from master.games.table import GAMES
from master.reports.report import Report
from master.web.positions.reading import handlers_of
from master.web.positions.resources import game_resource, position_resource
from tests.master.web.test_openapi import checked


def test_every_game_is_as_described() -> None:
    for game in GAMES:
        checked("Game", json.loads(json.dumps(game_resource(game, handlers_of(game)))))


def test_what_cannot_be_done_with_a_position_says_why() -> None:
    field = Field("plies", "Look-ahead", Kind.COUNT, 1, 0, 3, hint="more is slower")
    actions = (
        Action("move", "Move", (field,), refusal=lambda position: f"no {position}"),
        Action("eval", "Evaluate"),
    )
    show: Report = {"board": {"kind": "none"}, "ids": [], "title": "T", "words": "W"}
    handlers = PositionHandlers("a", "b", str, str.upper, lambda position: show, actions)
    shown = position_resource("nim", handlers, "heap")
    assert shown == {"game": "nim", "position": "HEAP", **show, "refusals": {"move": "no heap"}}
    checked("Position", shown)
    reported = game_resource("nim", Handlers(handlers))
    assert reported["matches"] is None
    checked("Game", reported)

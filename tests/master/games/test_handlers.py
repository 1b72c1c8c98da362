"""What every game's handlers promise, whichever game it is of."""

import json

import pytest
from pydantic import TypeAdapter

from engine_ext.services import trial_runner
from master.api.positions import PositionShown
from master.games.errors import AskedError
from master.games.handlers import Action, Handlers, PositionHandlers
from master.games.settings import Field, Kind
from master.games.table import fronts

HANDLER_TABLE: dict[str, Handlers] = {
    game: front.handlers() for game, front in fronts() if front.handlers is not None
}
POSITIONS = {
    game: handlers.positions
    for game, handlers in HANDLER_TABLE.items()
    if handlers.positions is not None
}


def test_handlers_are_of_some_games() -> None:
    assert len(POSITIONS) >= 3


@pytest.mark.parametrize("game", POSITIONS)
def test_position_that_one_begins_with_says_itself(game: str) -> None:
    handlers = POSITIONS[game]
    position = handlers.read(handlers.start)
    assert handlers.text(position) == handlers.start
    assert handlers.read(handlers.text(position)) == position


@pytest.mark.parametrize("game", POSITIONS)
def test_position_is_shown_as_is_described(game: str) -> None:
    handlers = POSITIONS[game]
    shown = handlers.show(handlers.read(handlers.start))
    assert set(shown) == {"board", "ids", "title", "words"}
    whole = {"game": game, "position": handlers.start, "refusals": {}} | shown
    TypeAdapter(PositionShown).validate_json(json.dumps(whole))


@pytest.mark.parametrize("game", POSITIONS)
def test_what_is_no_position_is_said_in_a_line(game: str) -> None:
    for text in ("", "nonsense", "\x00", "(;GM[Othello]", "w" * 5000):
        with pytest.raises(ValueError, match=r"\w") as caught:
            POSITIONS[game].read(text)
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("game", POSITIONS)
def test_actions_have_names_of_their_own_and_are_questions_or_jobs(game: str) -> None:
    actions = POSITIONS[game].actions
    assert len({action.name for action in actions}) == len(actions)
    for action in actions:
        assert (action.ask is None) != (action.job is None)
        for field in action.fields:
            assert field.read(None) == field.default
            if field.default not in (None, ()):
                assert field.read(field.default) == field.default


@pytest.mark.parametrize("game", POSITIONS)
def test_jobs_are_begun_with_nothing_said(game: str) -> None:
    handlers = POSITIONS[game]
    position = handlers.read(handlers.start)
    for action in handlers.actions:
        if action.job is not None:
            request = action.job(position, action.settings({}, position))
            assert request.context.startswith(game)
            if request.trials is not None:
                assert trial_runner(request.context).context == request.context


def test_action_is_found_by_its_name_and_says_why_it_cannot_be_done() -> None:
    plies = Field("plies", "Look-ahead", Kind.COUNT, 1, 0, 3)
    move = Action("move", "Move", (plies,), refusal=lambda position: "over" if position else "")
    handlers = PositionHandlers("", "anything", str, str, lambda position: {}, (move,))
    assert handlers.action("move").settings({"plies": 2}, "") == {"plies": 2}
    with pytest.raises(AskedError, match=r"^over$"):
        move.settings({}, "a position")
    with pytest.raises(AskedError, match="expected one of move"):
        handlers.action("eval")

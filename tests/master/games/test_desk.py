"""What every game's desk promises, whichever game it is of."""

import json

import pytest
from jsonschema import Draft202012Validator

from engine_ext.services import trial_runner
from master.games.desk import Action, Desk, PositionDesk
from master.games.errors import AskedError
from master.games.settings import Field, Sort
from master.games.table import fronts, load
from master.web.openapi import document

DESKS: dict[str, Desk] = {game: load(front.desk) for game, front in fronts() if front.desk}
POSITIONS = {game: desk.positions for game, desk in DESKS.items() if desk.positions is not None}
POSITION_SHAPE = document()["components"]["schemas"]["Position"]["properties"]


def test_desks_are_of_some_games() -> None:
    assert len(POSITIONS) >= 3


@pytest.mark.parametrize("game", POSITIONS)
def test_position_that_one_begins_with_says_itself(game: str) -> None:
    desk = POSITIONS[game]
    position = desk.read(desk.start)
    assert desk.text(position) == desk.start
    assert desk.read(desk.text(position)) == position


@pytest.mark.parametrize("game", POSITIONS)
def test_position_is_shown_as_is_described(game: str) -> None:
    desk = POSITIONS[game]
    shown = json.loads(json.dumps(desk.show(desk.read(desk.start))))
    for name, value in shown.items():
        Draft202012Validator(POSITION_SHAPE[name]).validate(value)
    assert set(shown) == {"board", "ids", "title", "words"}


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
    desk = POSITIONS[game]
    position = desk.read(desk.start)
    for action in desk.actions:
        if action.job is not None:
            request = action.job(position, action.settings({}, position))
            assert request.context.startswith(game)
            if request.trials is not None:
                assert trial_runner(request.context).context == request.context


def test_action_is_found_by_its_name_and_says_why_it_cannot_be_done() -> None:
    plies = Field("plies", "Look-ahead", Sort.COUNT, 1, 0, 3)
    move = Action("move", "Move", (plies,), refusal=lambda position: "over" if position else "")
    desk = PositionDesk("", "anything", str, str, lambda position: {}, (move,))
    assert desk.action("move").settings({"plies": 2}, "") == {"plies": 2}
    with pytest.raises(AskedError, match=r"^over$"):
        move.settings({}, "a position")
    with pytest.raises(AskedError, match="expected one of move"):
        desk.action("eval")

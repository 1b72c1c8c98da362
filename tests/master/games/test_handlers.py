"""Actions on positions, and the settings that they take."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from engine_ext.services import trial_runner
from master.api.positions import PositionShown
from master.games.errors import AskedError
from master.games.handlers import (
    TEXT_CHARACTERS_MAX,
    Action,
    Field,
    Handlers,
    Kind,
    PositionHandlers,
    read_settings,
)
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


FIELDS = (
    Field("plies", "Look-ahead", Kind.COUNT, 2, 0, 3),
    Field("error", "Error", Kind.NUMBER, None, 0.5, 2),
    Field("of", "Of", Kind.OPTION, options=("moves", "cube")),
    Field("dice", "", Kind.TEXT),
    Field("moves", "", Kind.TEXTS, (), most=2),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "plies": st.integers(0, 3),
    "error": st.floats(0.5, 2) | st.integers(1, 2),
    "of": st.sampled_from(["moves", "cube"]),
    "dice": st.text(max_size=TEXT_CHARACTERS_MAX),
    "moves": st.lists(st.text(max_size=9), max_size=2),
}


@given(st.fixed_dictionaries({}, optional=FITTING))
def test_what_fits_is_what_is_meant_and_the_rest_is_as_usual(given_: dict[str, Any]) -> None:
    usual = {"plies": 2, "error": None, "of": None, "dice": None, "moves": ()}
    said = {name: tuple(each) if name == "moves" else each for name, each in given_.items()}
    assert read_settings(FIELDS, given_) == usual | said


@given(st.dictionaries(st.sampled_from([*FITTING, "else"]), JSON, max_size=3))
def test_anything_is_read_or_refused_in_one_line(given_: dict[str, Any]) -> None:
    found, why = outcome(given_)
    if why is None:
        assert set(found) == set(FITTING)
        assert json.loads(json.dumps(found))["plies"] in range(4)
    else:
        assert "expected" in why
        assert len(why.splitlines()) == 1


def outcome(given_: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Return what is read, or why nothing is."""
    try:
        return read_settings(FIELDS, given_), None
    except AskedError as error:
        return {}, str(error)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("plies", 4, "a whole number from 0 to 3"),
        ("plies", 1.0, "a whole number from 0 to 3"),
        ("plies", True, "a whole number from 0 to 3"),
        ("error", float("nan"), "a number from 0.5 to 2"),
        ("of", "dice", "one of moves, cube"),
        ("dice", "1" * (TEXT_CHARACTERS_MAX + 1), "a text of at most 200 characters"),
        ("moves", ["a", "b", "c"], "a list of at most 2 texts"),
        ("moves", "ab", "a list of at most 2 texts"),
    ],
)
def test_what_does_not_fit_names_the_field(name: str, value: object, expected: str) -> None:
    with pytest.raises(AskedError, match=f"^{name}: expected {expected}$"):
        read_settings(FIELDS, {name: value})


def test_name_that_is_no_fields_is_refused() -> None:
    with pytest.raises(AskedError, match="'ply': expected one of plies, error"):
        read_settings(FIELDS, {"ply": 1})
    with pytest.raises(AskedError, match="expected no settings"):
        read_settings((), {"ply": 1})

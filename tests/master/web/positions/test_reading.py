import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.table import GAMES
from master.web.asking import RefusedError
from master.web.positions.reading import (
    LABEL_CHARACTERS_MAX,
    POSITION_CHARACTERS_MAX,
    Wanted,
    handlers_of,
    positions_of,
    read_position,
    read_wanted,
)
from tests.master.web.handed_in import GAME, POSITION

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def outcome(body: bytes, *, is_job: bool = False) -> Wanted | str:
    """Return what is read, or why it is refused: in one line, which can be told."""
    try:
        return read_wanted(body, is_job=is_job)
    except RefusedError as error:
        assert error.refusal.status == 422  # noqa: PT017  # either way is right
        return error.refusal.text


@given(st.fixed_dictionaries({"game": JSON, "position": JSON, "action": JSON, "settings": JSON}))
@pytest.mark.when_changed
def test_any_fields_are_refused_in_one_line(fields: dict[str, Any]) -> None:
    reported = outcome(json.dumps(fields).encode())
    assert isinstance(reported, str)
    assert len(reported.splitlines()) == 1
    assert reported.encode()


@given(
    st.text(max_size=60),
    st.sampled_from(["evaluate", "moves", "rollout", "search", "else"]),
    st.sampled_from([*GAMES]),
    st.booleans(),
)
def test_any_text_is_a_position_or_is_refused(
    text: str, action: str, game: str, is_job: bool
) -> None:
    fields = {"game": game, "position": text, "action": action}
    reported = outcome(json.dumps(fields).encode(), is_job=is_job)
    assert isinstance(reported, Wanted) or len(reported.splitlines()) == 1


@given(st.binary(max_size=60))
def test_any_body_is_refused_in_one_line(body: bytes) -> None:
    assert str(outcome(body)).startswith("expected a JSON object with the field action, game")


def test_question_and_job_are_told_apart() -> None:
    question, job = POSITION.body("evaluate", plies=1), POSITION.body("rollout", trials=36)
    wanted = outcome(question)
    assert isinstance(wanted, Wanted)
    assert (wanted.game, wanted.action.name) == (GAME, "evaluate")
    assert wanted.settings["plies"] == 1
    assert wanted.handlers.text(wanted.position) == POSITION.text
    assert isinstance(outcome(job, is_job=True), Wanted)
    assert outcome(job) == "rollout is for /api/jobs"
    assert outcome(question, is_job=True) == "evaluate is for /api/positions/ask"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "go"}, "expected a game, one of"),
        ({"position": "x" * (POSITION_CHARACTERS_MAX + 1)}, "expected position, a text of at most"),
        ({"position": "\ud800"}, "expected position, a text"),
        ({"position": "nonsense"}, "an ID is a position ID"),
        ({"action": "dance"}, "expected one of evaluate"),
        ({"settings": []}, "expected settings, an object"),
        ({"settings": {"plies": 9}}, "plies: expected a whole number from 0 to 3"),
        ({"settings": {"pile": 1}}, "'pile': expected one of plies"),
        ({"label": "x"}, "expected a JSON object"),
        ({"more": 1}, "expected a JSON object"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, object], why: str) -> None:
    body = json.dumps(json.loads(POSITION.body("evaluate")) | changes).encode()
    assert why in str(outcome(body))


def test_jobs_may_have_a_label() -> None:
    fields = json.loads(POSITION.body("rollout")) | {"label": "mine"}
    wanted = outcome(json.dumps(fields).encode(), is_job=True)
    assert isinstance(wanted, Wanted)
    assert wanted.label == "mine"
    fields["label"] = "x" * (LABEL_CHARACTERS_MAX + 1)
    assert "label" in str(outcome(json.dumps(fields).encode(), is_job=True))


def test_games_without_a_handlers_offer_nothing() -> None:
    bare = [game for game in GAMES if handlers_of(game).positions is None]
    assert bare, "one of the games has no positions here yet"
    with pytest.raises(RefusedError, match="nothing can be asked about positions"):
        positions_of(bare[0])
    with pytest.raises(RefusedError, match="at most"):
        read_position(GAME, "x" * (POSITION_CHARACTERS_MAX + 1))

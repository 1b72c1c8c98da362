import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.errors import AskedError
from master.games.settings import TEXT_CHARACTERS_MAX, Field, Kind, read_settings

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

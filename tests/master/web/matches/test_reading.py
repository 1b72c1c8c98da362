import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.web.asking import RefusedError
from master.web.matches.reading import read_handed_in, read_match_number
from master.web.positions.resources import MATCH_BYTES_MAX
from tests.master.web.handed_in import GAME, match_body


def refusal_of(body: bytes) -> tuple[int, str]:
    with pytest.raises(RefusedError) as caught:
        read_handed_in(body)
    assert len(caught.value.refusal.text.splitlines()) == 1
    return caught.value.refusal.status, caught.value.refusal.text


def test_match_is_read_with_its_level_or_the_usual_one() -> None:
    handed = read_handed_in(match_body())
    assert (handed.game, handed.name, handed.level) == (GAME, "a.mat", "quick")
    assert handed.plan.questions
    assert read_handed_in(match_body(level=None)).level == "normal"
    assert read_handed_in(match_body(name=" a\n\tb ")).name == "a b"


@pytest.mark.parametrize(
    ("changes", "status", "why"),
    [
        ({"game": "go"}, 422, "expected a game, one of"),
        ({"game": "threes"}, 422, "are not analysed here"),
        ({"level": "deeper"}, 422, "level: expected one of"),
        ({"name": "x" * 256}, 422, "expected name, a text"),
        ({"content": "*"}, 422, "in base64"),
        ({"content": "ä"}, 422, "in base64"),
        ({"content": 7}, 422, "in base64"),
        ({"content": ""}, 422, "found an empty file"),
        ({"content": base64.b64encode(bytes(MATCH_BYTES_MAX + 1)).decode()}, 413, "at most"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, object], status: int, why: str) -> None:
    found, text = refusal_of(match_body(**changes))
    assert found == status
    assert why in text


@pytest.mark.parametrize("body", [b"[" + b"[]," * 400_000 + b"0]", b'{"a":' * 200_000])
def test_body_of_many_values_is_refused_before_it_is_read(body: bytes) -> None:
    assert refusal_of(body)[0] == 422


@given(st.binary(max_size=200))
def test_any_content_is_refused_in_one_line(content: bytes) -> None:
    status, _ = refusal_of(match_body(content=base64.b64encode(content).decode()))
    assert status == 422


@given(st.binary(max_size=60))
def test_any_body_is_refused_in_one_line(body: bytes) -> None:
    assert refusal_of(body)[1].startswith("expected a JSON object with the field content, game")


@given(st.integers(1, 10**16 - 1))
def test_numbers_of_matches_are_read(match: int) -> None:
    assert read_match_number(str(match)) == match


@pytest.mark.parametrize("text", ["", "0", "-1", "01", "x", "\u0661", "1" * 17])
def test_other_texts_name_no_match(text: str) -> None:
    with pytest.raises(RefusedError, match="no such match"):
        read_match_number(text)

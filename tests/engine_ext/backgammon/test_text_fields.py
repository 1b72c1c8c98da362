import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon import text_fields as fields
from engine_ext.services import ContextError

CODECS = {
    "name": fields.TEXT,
    "count": fields.INTEGER,
    "is_on": fields.BOOL,
    "owner": fields.OWNER,
    "score": fields.SCORE,
    "dice": fields.DICE,
    "level": fields.level_codec("none"),
}
lines = st.fixed_dictionaries(
    {
        "name": st.text(st.characters(codec="utf-8")),
        "count": st.integers(-(10**19), 10**19),
        "is_on": st.booleans(),
        "owner": st.integers(-1, 1),
        "score": st.tuples(st.integers(0, 99), st.integers(0, 99)),
        "dice": st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
        "level": st.none() | st.integers(0, 9),
    }
)


@given(lines)
def test_what_is_written_is_read(values: dict[str, object]) -> None:
    text = fields.write_line("kind/1", CODECS, values)
    assert text.isascii()
    assert text.isprintable()
    assert fields.read_line("kind/1", CODECS, text) == values


@given(st.text())
def test_any_other_text_is_a_context_error(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        fields.read_line("kind/1", CODECS, f"kind/1 {text}")
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize("text", ["", "1.5", "one", "1" * 21, "+1", "٣"])
def test_only_digits_are_a_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        fields.decimal(text)

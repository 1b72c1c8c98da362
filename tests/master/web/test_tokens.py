import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.web.tokens import Token

TEXTS = st.text("ab-_09Z", min_size=32, max_size=36)


@given(TEXTS, TEXTS)
def test_token_is_shown_by_itself_alone(own: str, other: str) -> None:
    token = Token(own)
    assert token.is_shown_by(f"Bearer {own}")
    assert token.is_shown_by(f"bearer {own}")
    assert token.is_shown_by(f"Bearer {other}") == (own == other)
    assert not token.is_shown_by(f"Basic {own}")
    assert not token.is_shown_by(own)


@given(st.text(max_size=99))
def test_any_text_is_compared(text: str) -> None:
    token = Token("t" * 32)
    assert not token.is_pass(text)
    assert not token.is_shown_by(text)


def test_pass_is_not_the_token_and_belongs_to_it() -> None:
    token = Token("t" * 32)
    assert token.is_pass(token.reading_pass)
    assert not token.is_shown_by(f"Bearer {token.reading_pass}")
    assert not Token("u" * 32).is_pass(token.reading_pass)
    assert "t" * 32 not in token.reading_pass


@pytest.mark.parametrize("text", ["", "t" * 31, "t" * 129, "t" * 32 + "\n", "ä" * 32, "a b" * 20])
def test_bad_token_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="expected a token of 32"):
        Token(text)


def test_token_does_not_show_itself() -> None:
    token = Token("t" * 32)
    assert "ttt" not in repr(token)
    assert token.fragment == "#token=" + "t" * 32

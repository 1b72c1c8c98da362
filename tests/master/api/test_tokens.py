import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.api.tokens import TOKEN_FILE, Token, kept_token, read_token
from master.contract.errors import MasterError

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


def test_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = kept_token(tmp_path)
    assert kept_token(tmp_path).fragment == first.fragment == read_token(tmp_path).fragment
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600
    (tmp_path / TOKEN_FILE).unlink()
    assert kept_token(tmp_path).fragment != first.fragment


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_token_that_others_can_read_is_of_no_use(tmp_path: Path, mode: int) -> None:
    kept_token(tmp_path)
    (tmp_path / TOKEN_FILE).chmod(mode)
    with pytest.raises(MasterError, match="others of this machine can use the token"):
        kept_token(tmp_path)


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(MasterError, match="cannot read the token"):
        read_token(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(MasterError, match="cannot write"):
        kept_token(tmp_path / "file" / "state")
    path = tmp_path / TOKEN_FILE
    path.write_bytes(b"\xff short")
    path.chmod(0o600)
    with pytest.raises(MasterError, match="delete it, and the master makes another"):
        kept_token(tmp_path)

import pytest

from engine_ext.chess.fen import START, read_fen
from master.games.chess.typed import read_typed_fen


@pytest.mark.parametrize("text", [START, f"  {START}\n", " ".join(START.split()[:4])])
def test_fen_may_lack_its_counts_and_have_blanks(text: str) -> None:
    assert read_typed_fen(text) == read_fen(START)


@pytest.mark.parametrize("text", ["", "x", "8/8/8/8/8/8/8/8 w - -", START + " 1"])
def test_what_is_none_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+ \w+"):
        read_typed_fen(text)

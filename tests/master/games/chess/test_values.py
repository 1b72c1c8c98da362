"""What values mean: master.games.chess.values."""

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fast.search import MATE_VALUE
from master.games.chess.values import mate_moves, value_text


@given(st.integers(-20_000, 20_000))
def test_values_are_pawns_with_their_sign(value: int) -> None:
    text = value_text(value)
    assert text[0] in "+-"
    assert round(float(text) * 100) == value
    assert mate_moves(value) is None


@given(st.integers(1, 200))
def test_a_mate_is_told_in_moves_of_who_mates(moves: int) -> None:
    assert mate_moves(MATE_VALUE - (2 * moves - 1)) == moves
    assert mate_moves(2 * moves - MATE_VALUE) == -moves


def test_mates_are_said() -> None:
    assert value_text(MATE_VALUE - 5) == "mate in 3"
    assert value_text(4 - MATE_VALUE) == "mated in 2"

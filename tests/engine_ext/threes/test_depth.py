"""How far a search looks: never less far than was asked for, and deeper where it is dangerous."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.context import PLIES_MAX, RARE_MAX, RARE_MIN
from engine_ext.threes.depth import dynamic_plies, rarity_of
from tests.engine_ext.threes.plain_threes import cells_of
from tests.engine_ext.threes.test_expectimax import rarity
from tests.engine_ext.threes.test_value import BOARDS

CHANCES = st.tuples(st.integers(1, 12), st.integers(1, 12)).map(
    lambda pair: Fraction(min(pair), max(pair))
)


@given(st.lists(CHANCES, max_size=16), st.integers(RARE_MIN, RARE_MAX))
def test_no_line_as_likely_as_the_limit_is_cut(chances: list[Fraction], rare: int) -> None:
    likely, spent = Fraction(1), 0
    for chance in chances:
        if likely * chance * rare < 1:
            break
        likely *= chance
        spent += rarity(chance)
    assert spent <= rarity_of(rare)


def test_limit_is_the_whole_eighths_of_a_bit() -> None:
    assert [rarity_of(rare) for rare in (2, 4, 256, 2**20)] == [8, 16, 64, 160]
    assert rarity_of(255) == 63


@pytest.mark.parametrize("rare", [0, 1, -5, 2**31 + 1])
def test_other_limits_are_refused(rare: int) -> None:
    with pytest.raises(ValueError, match="expected a rarity of 1 in 2 to"):
        rarity_of(rare)


def plain_plies(board: tuple[int, ...], least: int, most: int) -> int:
    if max(board) < 9:
        return least
    kinds = len({*board} - {0})
    room = board.count(0) - max(0, kinds - 8)
    return min(most, least + (room <= 6) + (room <= 3))


@given(BOARDS, st.integers(1, PLIES_MAX), st.integers(0, 3))
def test_look_is_that_of_the_rule(board: tuple[int, ...], least: int, more: int) -> None:
    most = min(PLIES_MAX, least + more)
    found = dynamic_plies(cells_of(board), least, most)
    assert found == plain_plies(board, least, most)
    assert least <= found <= most


@pytest.mark.parametrize(("least", "most"), [(0, 1), (1, 9), (9, 9)])
def test_other_looks_are_refused(least: int, most: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 8 plies"):
        dynamic_plies(0, least, most)

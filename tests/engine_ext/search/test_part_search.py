"""What is proved of a part of the toy game, at any moment; Othello's parts are tested with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.part_text import PartAnswer
from engine_ext.search.table import BYTES_MIN, KeyedTable
from tests.engine_ext.search import nim

heaps = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple).filter(any)


@given(heaps, st.integers(0, 9))
def test_what_is_proved_is_true_at_any_moment(stones: nim.Heaps, steps: int) -> None:
    part = nim.NimPart(stones, (-1, 1), KeyedTable(BYTES_MIN))
    nodes = sum(part.step(1) for _ in range(steps))
    answer = part.answer()
    assert PartAnswer.from_text(answer.to_text()) == answer
    assert answer.nodes == nodes
    assert answer.lower <= nim.value(stones) <= answer.upper
    for move in answer.moves:
        after = nim.played(stones, nim.moves(stones)[move.place])
        assert move.lower <= -nim.value(after) <= move.upper
    if part.is_done:
        assert answer.lower == answer.upper
        assert answer.best is not None
        assert len(answer.moves) == len(nim.moves(stones))


@pytest.mark.parametrize("window", [(1, 5), (-7, -1)])
def test_of_a_window_beyond_all_values_nothing_is_searched(window: tuple[int, int]) -> None:
    part = nim.NimPart((1, 2), window, KeyedTable(BYTES_MIN))
    assert part.is_done
    assert part.step(1) == 0
    assert part.answer() == PartAnswer(-1, 1, 0)
    assert (part.proved(), part.best(), part.moves()) == ((-1, 1), None, ())

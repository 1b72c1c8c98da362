"""How fast a watched engine is, and what is due when: master.cli.threes.playing.pace."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from master.cli.threes.playing.pace import DRAWING_S, KEEPING_S, Pace


def test_the_first_board_is_drawn_at_once() -> None:
    assert Pace(7.0).moved(7.0) == (True, False)


def test_moves_a_second_are_counted_from_the_beginning() -> None:
    pace = Pace(7.0)
    assert pace.moves_per_s == 0
    pace.moved(7.0)
    assert pace.moves_per_s == 0
    for now_s in (7.25, 7.5):
        pace.moved(now_s)
    assert (pace.moves, pace.elapsed_s, pace.moves_per_s) == (3, 0.5, 6.0)


@given(st.lists(st.floats(0.0, 1.0), max_size=100))
def test_what_is_due_is_never_due_again_before_its_time(steps: list[float]) -> None:
    pace, now_s = Pace(0.0), 0.0
    drawn: list[float] = []
    kept = [0.0]
    for step in steps:
        now_s += step
        due = pace.moved(now_s)
        drawn += [now_s] * due.is_drawing
        kept += [now_s] * due.is_keeping
    assert all(later - earlier >= DRAWING_S for earlier, later in pairwise(drawn))
    assert all(later - earlier >= KEEPING_S for earlier, later in pairwise(kept))

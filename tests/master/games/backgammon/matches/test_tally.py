from hypothesis import given
from hypothesis import strategies as st

from master.games.backgammon.matches.figures import (
    Amount,
    Counts,
    LuckMark,
    Mark,
    Tally,
    one_mark,
    total,
)

counts = st.integers(0, 1000)
eighths = st.integers(-1000, 1000).map(lambda number: number / 8)  # they add up exactly
amounts = st.builds(Amount, counts, eighths, eighths)
marks = st.tuples(*[counts] * len(Mark)).map(Counts)
luck_marks = st.tuples(*[counts] * len(LuckMark)).map(Counts)
tallies = st.builds(
    Tally,
    marks=marks,
    luck_marks=luck_marks,
    **dict.fromkeys(("rolls", "moves", "unforced", "close", "finished"), counts),
    **dict.fromkeys(("checker", "luck", "counted", "wrong_takes", "missed_below_cp"), amounts),
    result=eighths,
)


@given(tallies, tallies, tallies)
def test_tallies_add_up_in_any_grouping(a: Tally, b: Tally, c: Tally) -> None:
    assert a + (b + c) == (a + b) + c == total((a, b, c))
    assert a + Tally() == a == Tally() + a


@given(tallies, tallies)
def test_cube_errors_of_a_sum_are_the_sum_of_the_cube_errors(a: Tally, b: Tally) -> None:
    assert (a + b).cube == a.cube + b.cube


def test_one_mark_counts_in_its_own_place() -> None:
    assert one_mark(Mark.BAD) == Counts((0, 0, 1, 0))
    assert one_mark(LuckMark.VERY_LUCKY) == Counts((1, 0, 0, 0, 0))

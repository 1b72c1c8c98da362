import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT, BoundsTree
from master.search.driver import Driver, Mode, Passes

VALUES = st.integers(-20, 20)


@given(st.sampled_from(list(Driver)), st.sampled_from(list(Mode)), VALUES, VALUES, st.data())
def test_passes_end_with_the_value(
    driver: Driver, mode: Mode, guess: int, value: int, data: st.DataObject
) -> None:
    tree = BoundsTree()
    passes = Passes(driver, mode, guess)
    for _ in range(60):
        window = passes.window(tree)
        if window is None:
            break
        alpha, beta, is_move_wanted = window
        assert alpha < beta
        assert not is_move_wanted  # the root has no moves
        slack = data.draw(st.integers(0, 2))
        if value >= beta:
            tree.narrow(0, max(beta, value - slack), VALUE_LIMIT)
        elif value <= alpha:
            tree.narrow(0, -VALUE_LIMIT, min(alpha, value + slack))
        else:
            tree.narrow(0, value, value)
    assert tree.bounds(0) == (value, value)


def test_pass_stays_the_same_until_it_is_resolved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    assert passes.window(tree) == passes.window(tree) == (4, 5, False)
    assert passes.pass_count == 1


@pytest.mark.parametrize(
    ("driver", "window"),
    [
        (Driver.MTDF, (4, 5)),
        (Driver.ASPIRATION, (2, 8)),
        (Driver.FULL, (-VALUE_LIMIT, VALUE_LIMIT)),
    ],
)
def test_first_window_is_about_the_guess(driver: Driver, window: tuple[int, int]) -> None:
    assert Passes(driver, Mode.FAST, 5, guess_error=3).window(BoundsTree()) == (*window, False)


def test_mtdf_looks_where_a_better_guess_says_within_what_is_proved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    passes.window(tree)
    passes.aim(9)
    assert passes.window(tree) == (8, 9, False)
    passes.aim(9)
    assert passes.window(tree) == (8, 9, False)
    assert passes.pass_count == 2
    tree.narrow(0, -VALUE_LIMIT, 6)
    passes.aim(7)
    assert passes.window(tree) == (5, 6, False)
    tree.narrow(0, 2, 6)
    passes.aim(-30)
    assert passes.window(tree) == (2, 3, False)


@pytest.mark.parametrize("driver", [Driver.FULL, Driver.ASPIRATION])
def test_wide_windows_that_are_begun_take_no_better_guess(driver: Driver) -> None:
    tree = BoundsTree()
    passes = Passes(driver, Mode.FAST, 5)
    begun = passes.window(tree)
    passes.aim(50)
    assert passes.window(tree) == begun


def test_mtdf_goes_on_from_the_bound_just_proved() -> None:
    tree = BoundsTree()
    passes = Passes(Driver.MTDF, Mode.FAST, 5)
    passes.window(tree)
    tree.narrow(0, 8, VALUE_LIMIT)
    assert passes.window(tree) == (8, 9, False)
    tree.narrow(0, 8, 10)
    assert passes.window(tree) == (8, 9, False)  # not answered yet
    tree.narrow(0, 9, 10)
    assert passes.window(tree) == (9, 10, False)


def test_move_is_asked_for_when_the_value_is_known() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    passes = Passes(Driver.MTDF, Mode.REPRODUCIBLE, 0)
    tree.narrow(2, -3, -3)
    tree.narrow(1, -3, VALUE_LIMIT)
    assert passes.window(tree) == (2, 3, True)
    assert Passes(Driver.MTDF, Mode.FAST, 0).window(tree) is None
    tree.narrow(1, -2, VALUE_LIMIT)
    assert passes.window(tree) is None


def test_value_without_any_move_that_has_it_is_no_answer_in_mode_fast_either() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    tree.narrow(0, 3, 3)  # by a table entry
    passes = Passes(Driver.MTDF, Mode.FAST, 0)
    assert passes.window(tree) == (2, 3, True)
    tree.narrow(2, -VALUE_LIMIT, -3)
    assert passes.window(tree) is None


def test_full_window_asks_for_the_move_at_once() -> None:
    tree = BoundsTree()
    tree.expand(0, 2)
    window = Passes(Driver.FULL, Mode.REPRODUCIBLE, 0).window(tree)
    assert window == (-VALUE_LIMIT, VALUE_LIMIT, True)

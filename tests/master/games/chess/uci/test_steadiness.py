"""A search that has settled takes less time, one that wavers more."""

from hypothesis import given
from hypothesis import strategies as st

from master.games.chess.uci.steadiness import SETTLED, SETTLED_AFTER, WAVERING, Steadiness


def after(*found: tuple[int, str]) -> Steadiness:
    steadiness = Steadiness()
    for value, move in found:
        steadiness = steadiness.after(value, move)
    return steadiness


def test_nothing_is_known_to_begin_with() -> None:
    assert Steadiness().factor == 1


def test_the_same_move_again_and_again_settles() -> None:
    assert after(*[(10, "e2e4")] * SETTLED_AFTER).factor == SETTLED
    assert after(*[(10, "e2e4")] * (SETTLED_AFTER - 1)).factor == 1


def test_another_move_or_a_fallen_value_takes_more() -> None:
    settled = [(10, "e2e4")] * SETTLED_AFTER
    assert after(*settled, (10, "d2d4")).factor == WAVERING
    assert after(*settled, (-40, "e2e4")).factor > SETTLED
    assert after(*settled, (-40, "d2d4")).factor > WAVERING


@given(st.lists(st.tuples(st.integers(-500, 500), st.sampled_from(["e2e4", "d2d4"]))))
def test_it_is_never_far_from_the_plan(found: list[tuple[int, str]]) -> None:
    assert 0.5 <= after(*found).factor <= 2

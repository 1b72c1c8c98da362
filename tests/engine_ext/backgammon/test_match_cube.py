"""The cube is the match state's, seen by the player on roll."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, MatchState
from engine_ext.backgammon.match_table import MatchTable
from tests.engine_ext.backgammon.tables import FAVOURITE

OWNERS = st.sampled_from([CENTRED, ON_ROLL, OPPONENT])


@given(st.integers(1, 6), OWNERS, st.booleans())
def test_money_may_be_doubled_by_who_has_the_cube_or_nobody(
    log2: int, owner: int, jacoby: bool
) -> None:
    match = MatchState(cube_value=2**log2, cube_owner=owner, jacoby=jacoby)
    assert cube_of(match).may_double == (owner != OPPONENT)


@given(st.integers(2, 15), st.integers(0, 14))
def test_equal_scores_are_even(length: int, score: int) -> None:
    score = min(score, length - 1)
    cube = cube_of(MatchState(match_length=length, score=(score, score)))
    assert cube.equity_to_mwc(0.0) == pytest.approx(0.5, abs=1e-12)


def test_a_table_of_different_players_goes_by_the_player_on_roll() -> None:
    table = MatchTable(FAVOURITE)
    cubes = [
        cube_of(MatchState(match_length=3, score=(0, 1), player_on_roll=player), table)
        for player in (0, 1)
    ]
    for player, cube in enumerate(cubes):
        wins = FAVOURITE.mwc(2, 2, player=player)
        assert cube.equity_to_mwc(1.0) == pytest.approx(wins, abs=1e-15)


def test_cube_beyond_the_engines_is_refused() -> None:
    with pytest.raises(ValueError, match="the cube shows a power of two up to"):
        cube_of(MatchState(cube_value=2**15))

import random

import pytest

from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.roll_values import ROLLS, roll_values
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import played_positions, strewn_positions

MATCHES = [MatchState(), MatchState(match_length=5, score=(3, 1), cube_value=2, cube_owner=1)]


def check_values(count: int, ply: int) -> None:
    rng, searcher = random.Random(ply), Searcher()
    for position in played_positions(9, count) + strewn_positions(9, count):
        cube = cube_of(rng.choice(MATCHES))
        values = roll_values(searcher, position, cube, ply, RunControl())
        assert values is not None
        for dice, value in zip(ROLLS, values, strict=True):
            ranked = Searcher().rank_moves(position, dice, cube, ply, RunControl())
            assert ranked is not None
            assert ranked[0][2] == value


def test_each_value_is_that_of_the_best_ranked_move() -> None:
    check_values(3, 0)
    check_values(1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("ply", "count"), [(0, 100), (1, 10), (2, 2)])
@pytest.mark.when_changed
def test_each_value_is_that_of_the_best_ranked_move_in_many_positions(ply: int, count: int) -> None:
    check_values(count, ply)


def test_a_stopped_search_has_no_values() -> None:
    control = RunControl()
    control.stop()
    position = played_positions(9, 1)[0]
    assert roll_values(Searcher(), position, cube_of(MATCHES[0]), 2, control) is None


def test_a_ply_out_of_range_is_an_error() -> None:
    with pytest.raises(ValueError, match="ply is 0 to 3"):
        roll_values(Searcher(), played_positions(9, 1)[0], cube_of(MATCHES[0]), 4, RunControl())

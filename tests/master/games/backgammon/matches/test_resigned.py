from dataclasses import replace

import pytest
from hypothesis import given

from master.games.backgammon.matches.record import Match, Resign, Result
from master.games.backgammon.matches.repairs import resignation
from master.games.backgammon.matches.replay import state_after
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.random_matches import matches, random_match


@given(matches)
def test_resignation_is_the_one_that_gave_the_result(match: Match) -> None:
    for index, game in enumerate(match.games):
        if game.result is not None and isinstance(game.actions[-1], Resign):
            state = state_after(match, index, len(game.actions) - 1)
            assert resignation(state, game.result) == game.actions[-1]


def test_gammon_against_the_jacoby_rule_is_no_resignation() -> None:
    state = state_after(random_match(1, 0, jacoby=True), 0, 0)
    assert resignation(state, Result(0, 1)) == Resign(1, 1)
    assert resignation(state, Result(0, 2)) is None
    assert resignation(state_after(random_match(1, 5), 0, 0), Result(0, 2)) == Resign(1, 2)


def test_points_beside_the_cube_are_refused() -> None:
    state = state_after(random_match(1, 5), 0, 0)
    with pytest.raises(RecordError, match="expected a resignation of 1 to 3 times the cube, 1, "):
        resignation(state, Result(0, 4))
    doubled = replace(state.game.match, cube_value=2, cube_owner=0)
    state = replace(state, game=replace(state.game, match=doubled))
    with pytest.raises(RecordError, match="times the cube, 2, not of 3 points"):
        resignation(state, Result(0, 3))

from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState
from master.games.backgammon.external.ubgi import NOBODY, UbgiContext
from tests.engine_ext.backgammon.states import game_states


@pytest.mark.slow
@settings(max_examples=50)
@given(game_states)
def test_context_of_a_state_makes_that_state_again(state: GameState) -> None:
    found = UbgiContext().with_state(state).state(has_dice=True)
    assert found.position == state.position
    for field in (
        "cube_value", "cube_owner", "match_length", "score", "crawford", "jacoby", "dice",
        "player_on_roll",
    ):  # fmt: skip
        assert getattr(found.match, field) == getattr(state.match, field)


def test_cube_and_score_are_seen_by_the_player_on_roll() -> None:
    for turn, owner, seen, score in ((0, 0, ON_ROLL, (3, 5)), (1, 0, OPPONENT, (5, 3))):
        context = UbgiContext(7, score=(3, 5), cube_value=2, cube_owner=owner, turn=turn)
        match = replace(context, position=START).state(has_dice=False).match
        assert (match.cube_owner, match.score) == (seen, score)
    plain = UbgiContext(position=START).state(has_dice=False).match
    assert (plain.cube_owner, NOBODY) == (CENTRED, -1)


def test_crawford_game_is_the_first_at_one_point_away() -> None:
    context, found = UbgiContext(5, position=START), []
    for score in ((3, 0), (4, 0), (4, 0), (4, 1), (4, 4)):
        context = context.with_score(score)
        found.append(context.state(has_dice=False).match.crawford)
    assert found == [False, True, True, False, False]
    without = UbgiContext(5, has_crawford=False, score=(4, 0), position=START)
    assert not without.state(has_dice=False).match.crawford


def test_roll_is_left_out_where_the_cube_is_asked_about() -> None:
    context = UbgiContext(position=START, dice=(3, 1))
    assert context.state(has_dice=False).match.dice is None
    assert context.state(has_dice=True).match.dice == (3, 1)

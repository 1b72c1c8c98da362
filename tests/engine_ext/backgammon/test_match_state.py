from typing import Any

import pytest
from hypothesis import given

from engine_ext.backgammon.match_state import OPPONENT, IdError, MatchState
from tests.engine_ext.backgammon.states import match_states


@given(match_states())
def test_match_play_knows_neither_jacoby_nor_beavers_and_dice_have_one_order(
    match: MatchState,
) -> None:
    assert not (match.match_length and (match.jacoby or match.beavers))
    assert match.dice is None or match.dice[0] >= match.dice[1]


def test_points_to_go_are_those_of_the_match() -> None:
    assert MatchState(match_length=7, score=(2, 6)).away == (5, 1)
    assert MatchState(score=(2, 6)).away == (0, 0)


def test_post_crawford_is_every_later_game_at_one_point_to_go() -> None:
    assert MatchState(match_length=7, score=(2, 6)).is_post_crawford
    assert MatchState(match_length=7, score=(6, 6)).is_post_crawford
    assert not MatchState(match_length=7, score=(2, 6), crawford=True).is_post_crawford
    assert not MatchState(match_length=7, score=(2, 5)).is_post_crawford
    assert not MatchState().is_post_crawford


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"cube_value": 3}, "power of two"),
        ({"cube_value": 0}, "power of two"),
        ({"cube_value": 65536}, "power of two"),
        ({"cube_owner": 2, "cube_value": 2}, "cube owner"),
        ({"cube_owner": OPPONENT}, "shows 1 cannot be owned"),
        ({"cube_value": 2, "match_length": 5}, "has an owner"),
        ({"match_length": 65}, "1 to 64 points"),
        ({"match_length": -1}, "1 to 64 points"),
        ({"match_length": 5, "score": (5, 0)}, "already over"),
        ({"score": (-1, 0)}, "score is from 0"),
        ({"crawford": True}, "no Crawford game"),
        ({"crawford": True, "match_length": 5, "score": (3, 3)}, "exactly one player"),
        ({"crawford": True, "match_length": 5, "score": (4, 4)}, "exactly one player"),
        (
            {
                "crawford": True,
                "match_length": 5,
                "score": (4, 0),
                "cube_value": 2,
                "cube_owner": 0,
            },
            "without the cube",
        ),
        (
            {"crawford": True, "match_length": 5, "score": (4, 0), "is_double_offered": True},
            "without the cube",
        ),
        ({"cube_log2_max": 16}, "highest cube"),
        ({"dice": (0, 1)}, "dice show 1 to 6"),
        ({"player_on_roll": 2}, "0 or 1"),
        ({"resignation": 4}, "1 to 3 points"),
        ({"is_double_offered": True, "dice": (2, 1)}, "before the dice"),
        ({"is_double_offered": True, "cube_value": 2, "cube_owner": OPPONENT}, "who may not"),
        ({"is_double_offered": True, "resignation": 1}, "together"),
    ],
)
def test_an_impossible_state_is_refused_with_its_reason(
    fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(IdError, match=reason):
        MatchState(**fields)

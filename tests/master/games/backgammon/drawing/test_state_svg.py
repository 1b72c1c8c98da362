"""A state's drawing is that of its position, seen by the player on roll."""

from hypothesis import given, settings

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.drawing.state_svg import state_svg
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.drawing.board_reader import (
    definitions_of,
    read_board,
    tree_of,
)


@settings(max_examples=50)
@given(game_states)
def test_player_on_roll_sits_at_the_bottom_with_the_light_checkers(state: GameState) -> None:
    root = tree_of(state_svg(state))
    seen = read_board(root, definitions_of(root))
    for slot in range(1, 25):
        assert seen.checkers["l"][slot] == state.position.on_roll[slot]
        assert seen.checkers["d"][25 - slot] == state.position.opponent[slot]
    assert tuple(pips for _, pips, _ in seen.dice) == (state.match.dice or ())
    assert sorted(seen.names) == ["Opponent", "Player on roll"]
    match = state.match
    if match.is_double_offered:
        assert seen.cube == (2 * match.cube_value, "field")
    elif match.crawford:
        assert seen.cube is None
    else:
        places = {-1: "middle", 0: "bottom", 1: "top"}
        assert seen.cube == (match.cube_value, places[match.cube_owner])

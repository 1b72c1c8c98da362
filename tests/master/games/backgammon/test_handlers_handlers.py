from engine_ext.backgammon.board import START
from master.games.backgammon.handlers import HANDLERS


def test_one_begins_with_the_opening_of_a_game_for_money() -> None:
    assert HANDLERS.positions is not None
    state = HANDLERS.positions.read(HANDLERS.positions.start)
    assert state.position == START
    assert (state.match.match_length, state.match.cube_owner, state.match.dice) == (0, -1, None)


def test_all_is_offered_that_the_commands_have() -> None:
    assert HANDLERS.positions is not None
    names = [action.name for action in HANDLERS.positions.actions]
    assert names == ["evaluate", "moves", "rolls", "cube", "rollout"]
    assert HANDLERS.matches is not None

from dataclasses import replace

from hypothesis import given, settings

from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.match_state import GameState
from master.cli.backgammon.arguments import read_id
from master.cli.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.drawing.state_svg import state_svg
from master.games.backgammon.job_pictures import job_board, job_outcomes, state_of
from tests.engine_ext.backgammon.states import game_states
from tests.master.cli.shown import POSITION, TWO_MOVES, job_view


@settings(max_examples=50)
@given(game_states)
def test_position_of_a_rollout_is_the_one_that_was_asked_about(state: GameState) -> None:
    match = replace(state.match, dice=None, is_double_offered=False, resignation=0)
    if state.position.result or max(match.cube_value, 0) > 4096:
        return
    asked = replace(state, match=match)
    found = state_of(to_context(asked, RolloutOptions()))
    assert found.position == asked.position
    ours = ("cube_value", "cube_owner", "match_length", "crawford", "jacoby", "beavers", "dice")
    assert [getattr(found.match, name) for name in ours] == [getattr(match, name) for name in ours]
    if match.match_length:
        assert found.match.score == match.score


def test_board_has_the_roll_whose_moves_are_compared() -> None:
    context = to_context(read_id(POSITION), RolloutOptions(dice=(3, 1), candidates=2))
    state = state_of(context)
    assert state.match.dice == (3, 1)
    assert job_board(job_view(context=context.to_text())) == state_svg(state)
    plain = RolloutContext.from_text(job_view().context)
    assert state_of(plain).match.dice is None


def test_outcomes_are_told_apart_from_the_best_to_the_worst() -> None:
    first, _ = job_outcomes(job_view(**TWO_MOVES))
    assert [(each.share, each.is_won) for each in first] == [
        (0.25, True), (-0.125, True), (0.375, True),
        (0.4375, False), (0.03125, False), (0.03125, False),
    ]  # fmt: skip

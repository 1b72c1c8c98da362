"""A level says exact where no look-ahead could change anything."""

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.levels import level_of
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import decide_cube, evaluate, rank_moves

MONEY = MatchState(jacoby=False, beavers=False)
MATCH = MatchState(match_length=5, score=(1, 2), jacoby=False, beavers=False)


def bear_off(checkers: int, opponent: int = 1) -> Position:
    def slots(count: int) -> list[int]:
        return [15 - count, 0, 0, count] + [0] * 22

    return Position(slots(checkers), slots(opponent))


@pytest.mark.parametrize(
    ("position", "level"),
    [
        (START, "2-ply"),
        (bear_off(7), "2-ply"),
        (bear_off(6), "exact"),
        (bear_off(6, 7), "2-ply"),
        (bear_off(0), "exact"),
    ],
)
def test_a_level_is_exact_for_six_checkers_a_side_and_when_the_game_is_over(
    position: Position, level: str
) -> None:
    assert level_of(position, 2) == level


@pytest.mark.parametrize("match", [MONEY, MATCH])
def test_exact_answers_are_the_same_at_every_ply(match: MatchState) -> None:
    state = GameState(bear_off(5, 4), match)
    evaluations = [evaluate(state, ply) for ply in (0, 1, 3)]
    assert {evaluation.level for evaluation in evaluations} == {"exact"}
    assert len({evaluation.equity_cubeful for evaluation in evaluations}) == 1
    decisions = [decide_cube(state, ply) for ply in (0, 2)]
    assert [decision.ply for decision in decisions] == [0, 2]
    assert len({(one.no_double, one.double_take, one.level) for one in decisions}) == 1


def test_each_move_has_its_own_level() -> None:
    state = GameState(bear_off(7, 4), MATCH)
    levels = {move.text: move.level for move in rank_moves(state, (3, 2), 1)}
    assert levels == {"3/off 3/1": "exact"}
    state = GameState(bear_off(9, 4), MATCH)
    assert {move.level for move in rank_moves(state, (3, 2), 1)} == {"1-ply"}

"""A user's question becomes a context with the alternatives that were meant."""

from dataclasses import replace

import pytest

from engine_ext.backgammon.alternatives import (
    cube_alternatives,
    move_alternatives,
    roll_alternatives,
    rollout_context,
)
from engine_ext.backgammon.context import ALTERNATIVES_MAX, RolloutContext
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from engine_ext.backgammon.met_code import met_from_code
from engine_ext.backgammon.notation import MoveError
from engine_ext.backgammon.play import rank_moves
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.services import CONTEXT_BYTES_MAX, ContextError
from tests.engine_ext.backgammon.tables import FAVOURITE

STATE = parse_id("4HPwATDgc/ABMA")


def test_moves_of_a_roll_come_best_first_and_as_many_as_asked_for() -> None:
    names = [alternative.name for alternative in roll_alternatives(STATE, (3, 1))]
    assert names == [move.text for move in rank_moves(STATE, (3, 1))]
    assert [a.name for a in roll_alternatives(STATE, (3, 1), 2)] == names[:2]


def test_the_longest_list_of_moves_fits_a_context() -> None:
    many = parse_id("4HPwATDgc/ABMA:MAAAAAAAAAAA").position
    state = GameState(many, MatchState())
    alternatives = roll_alternatives(state, (1, 1))
    assert 20 < len(alternatives) <= ALTERNATIVES_MAX
    longest = (alternatives * ALTERNATIVES_MAX)[:ALTERNATIVES_MAX]
    assert len(rollout_context(state, longest, (1, 1)).to_text()) < CONTEXT_BYTES_MAX


def test_written_moves_keep_their_order_and_lose_their_spelling() -> None:
    moves = move_alternatives(STATE, (3, 1), ["24/20", "6/5 8/5"])
    assert [move.name for move in moves] == ["24/20", "8/5 6/5"]
    assert [move.name for move in move_alternatives(STATE, None, ["8/5 6/5"])] == ["8/5 6/5"]


def test_moves_that_are_not_legal_or_given_twice_are_refused() -> None:
    with pytest.raises(MoveError):
        move_alternatives(STATE, (3, 1), ["8/4 6/4"])
    with pytest.raises(ContextError, match="given twice"):
        move_alternatives(STATE, (3, 1), ["8/5 6/5", "6/5 8/5"])


def test_a_cube_question_needs_a_player_who_may_double() -> None:
    names = [alternative.name for alternative in cube_alternatives(STATE)]
    assert names == ["no double", "double, take"]
    owned = GameState(STATE.position, MatchState(cube_value=2, cube_owner=1))
    with pytest.raises(ContextError, match="no double"):
        cube_alternatives(owned)


@pytest.mark.parametrize(
    "match",
    [
        MatchState(),
        MatchState(score=(5, 2), jacoby=False),
        MatchState(match_length=7, score=(6, 3), crawford=True),
        MatchState(match_length=9, score=(1, 3), cube_value=4, cube_owner=0),
    ],
)
def test_every_state_has_a_context(match: MatchState) -> None:
    context = rollout_context(GameState(STATE.position, match), seed=5, ply=2, cubeful=False)
    assert RolloutContext.from_text(context.to_text()) == context
    assert (context.seed, context.ply, context.cubeful) == (5, 2, False)
    assert context.match_length == match.match_length
    assert (context.jacoby, context.beavers) == (match.jacoby, match.beavers)


MATCH = GameState(STATE.position, MatchState(match_length=3, score=(1, 0), player_on_roll=1))


def test_a_rollout_by_another_table_carries_it() -> None:
    context = rollout_context(MATCH, table=MatchTable(FAVOURITE))
    assert met_from_code(context.met) == (replace(FAVOURITE, name="of a rollout"), 1)
    assert RolloutContext.from_text(context.to_text()) == context
    top = GameState(MATCH.position, replace(MATCH.match, player_on_roll=0))
    assert met_from_code(rollout_context(top, table=MatchTable(FAVOURITE)).met)[1] == 0


def test_the_shipped_table_has_its_name_wherever_it_comes_from() -> None:
    again = MatchTable(replace(kazaross_xg2(), name="from a file"))
    assert rollout_context(MATCH, table=again) == rollout_context(MATCH)
    assert rollout_context(MATCH).met == MET_NAME


def test_moves_of_a_roll_are_ranked_by_the_table_given() -> None:
    table = MatchTable(FAVOURITE)
    names = [alternative.name for alternative in roll_alternatives(MATCH, (6, 4), table=table)]
    assert names == [move.text for move in rank_moves(MATCH, (6, 4), table=table)]


def test_many_moves_and_a_large_table_may_be_too_much() -> None:
    pre = tuple(
        tuple(round(0.5 + (j - i) / 200 + 1e-9 * (j - i), 9) for j in range(53)) for i in range(53)
    )
    met = Met("large", 53, pre, tuple(round(0.5 - i / 200, 9) for i in range(53)))
    state = GameState(STATE.position, MatchState(match_length=53))
    table = MatchTable(met)
    assert len(rollout_context(state, table=table).to_text()) > 7500
    alternatives = roll_alternatives(state, (1, 1)) * 4
    with pytest.raises(ContextError, match="at most 8192 travel: compare fewer moves"):
        rollout_context(state, alternatives[:ALTERNATIVES_MAX], (1, 1), table=table)


def test_a_setting_out_of_range_is_refused() -> None:
    with pytest.raises(ContextError):
        rollout_context(STATE, ply=7)

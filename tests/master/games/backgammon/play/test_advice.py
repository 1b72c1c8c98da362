"""Laws of master.games.backgammon.play.advice."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import CubeDecision, decide_cube, rank_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import Beaver, Double, Drop, Play, Take
from master.games.backgammon.play.advice import (
    cube_loss,
    is_double_right,
    is_resignation_accepted,
    move_loss,
    right_answer,
)

MONEY = GameState(START, MatchState())
AT_START = decide_cube(MONEY)
TINY = 1e-6
EQUITIES = st.floats(-3, 3, allow_nan=False)


@st.composite
def decisions(draw: st.DrawFn) -> CubeDecision:
    """Draw a cube decision; equities equal to each other on purpose, with beavers or without."""
    no_double, take = draw(EQUITIES), draw(EQUITIES)
    drop = draw(st.sampled_from([1.0, no_double, take]))
    beaver = 2 * take if take < 0.0 and draw(st.booleans()) else None
    return replace(
        AT_START, no_double=no_double, double_take=take, double_pass=drop, double_beaver=beaver
    )


@given(decisions())
def test_the_right_action_gives_nothing_away_and_only_it(decision: CubeDecision) -> None:
    turn = Double(0) if is_double_right(decision) else Play(0, (3, 1), ())
    other = Play(0, (3, 1), ()) if isinstance(turn, Double) else Double(0)
    assert cube_loss(decision, turn) == 0.0 <= cube_loss(decision, other)
    answer = right_answer(decision, 1)
    assert cube_loss(decision, answer) == 0.0
    losses = cube_loss(decision, Take(1)), cube_loss(decision, Drop(1))
    assert min(losses) >= 0.0
    assert losses[0] - losses[1] == pytest.approx(decision.double_take - decision.double_pass)


@given(decisions())
def test_a_beaver_is_for_the_one_who_is_ahead(decision: CubeDecision) -> None:
    answer = right_answer(decision, 1)
    assert decision.double_take < 0.0 or not isinstance(answer, Beaver)
    if decision.double_take > TINY:
        loss = cube_loss(decision, Beaver(1))
        assert loss > cube_loss(decision, Take(1))


def test_who_may_not_double_loses_nothing_by_rolling() -> None:
    barred = replace(AT_START, may_double=False, no_double=0.0, double_take=1.0, double_pass=1.0)
    assert not is_double_right(barred)
    assert cube_loss(barred, Play(0, (3, 1), ())) == 0.0


def test_nobody_doubles_at_the_start() -> None:
    assert not is_double_right(AT_START)
    assert cube_loss(AT_START, Double(0)) > 0.1
    assert isinstance(right_answer(AT_START, 1), Beaver)
    without = GameState(START, MatchState(beavers=False))
    assert isinstance(right_answer(decide_cube(without), 1), Take)


def test_the_loss_of_a_move_is_counted_from_the_best() -> None:
    ranked = rank_moves(MONEY, (3, 1))
    losses = [move_loss(ranked, move.position_after) for move in ranked]
    assert losses[0] == 0.0
    assert losses == sorted(losses)


@pytest.mark.parametrize(
    ("probs", "least"),
    [
        (Probs(0.0, 0.0, 0.0, 0.0, 0.0), 1),
        (Probs(0.3, 0.1, 0.0, 0.2, 0.0), 1),
        (Probs(0.0, 0.0, 0.0, 0.5, 0.0), 2),
        (Probs(0.0, 0.0, 0.0, 1.0, 0.2), 3),
    ],
)
def test_a_resignation_is_accepted_when_playing_on_wins_no_more(probs: Probs, least: int) -> None:
    assert [multiple for multiple in (1, 2, 3) if is_resignation_accepted(probs, multiple)] == [
        *range(least, 4)
    ]

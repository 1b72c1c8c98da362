"""The course of a match begins and ends where its score does."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.match_cube import cube_of
from master.games.backgammon.matches.record import Drop, Take
from master.games.backgammon.review.trend import match_value_after, trend
from master.games.backgammon.review.turns import MatchReview
from tests.master.games.backgammon.review.reviews import played_review, reviews


@pytest.mark.slow
@settings(max_examples=10)
@given(reviews)
def test_each_game_begins_where_the_last_one_ended(review: MatchReview) -> None:
    games = trend(review)
    for game, following in pairwise(games):
        if game.after is not None:
            assert following.before == pytest.approx(game.after)
    match = review.analysed.match
    for game in games:
        assert len(game.steps) == len(game.review.turns)
        if match.length:
            known = [step.match_value for step in game.steps if step.match_value is not None]
            assert 0.0 <= game.before <= 1.0
            assert all(-1.0 <= value <= 2.0 for value in known)  # random equities go beyond


def test_a_won_match_ends_at_one_and_a_lost_one_at_nought() -> None:
    review = played_review()
    assert trend(review)[0].before == 0.5
    last = trend(review)[-1]
    assert last.review.game.result is not None
    assert last.after == 1 - last.review.game.result.winner
    near = [step.match_value for step in last.steps if step.match_value is not None][-1]
    assert near == pytest.approx(last.after, abs=0.1)


def test_luck_sums_up_to_that_of_the_figures() -> None:
    review = played_review()
    one, other = (own.tally.luck.cost for own in review.figures.match)
    assert trend(review)[-1].steps[-1].luck == pytest.approx(one - other)


@pytest.mark.slow
def test_what_is_left_after_a_pass_is_the_score_after_it() -> None:
    for seed in (5, 3):
        for game in trend(played_review(seed, 7 if seed == 3 else 3)):
            step = game.steps[-1]
            if isinstance(step.turn.action, Drop) and step.match_value is not None:
                assert step.match_value == pytest.approx(game.after, abs=1e-3)


def test_both_players_see_the_same_from_their_own_side() -> None:
    """A turn of player 1, given to player 0 with the same numbers, is the other way round."""
    turns = [turn for turn in played_review().turns if turn.checker is not None]
    for turn in turns[:20]:
        match = turn.state.match
        other = replace(match, player_on_roll=1 - match.player_on_roll)
        mirrored = replace(turn, state=replace(turn.state, match=other))
        own, others = match_value_after(turn), match_value_after(mirrored)
        assert own is not None
        assert others is not None
        assert own + others == pytest.approx(1.0)


def test_a_take_is_worth_the_doubled_cube() -> None:
    taken = [turn for turn in played_review(3, 7).turns if isinstance(turn.action, Take)]
    assert taken
    for turn in taken:
        assert turn.cube is not None
        chance = cube_of(turn.state.match).equity_to_mwc(turn.cube.double_take)
        found = match_value_after(turn)
        assert found is not None
        assert found == pytest.approx(1 - chance if turn.state.match.player_on_roll else chance)

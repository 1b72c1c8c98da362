"""A review has every action of the record, each with what is known of it."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.match_cube import cube_of
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.record import Drop, Play, Take
from master.games.backgammon.review.turns import CANDIDATES, MatchReview, match_value_after, trend
from tests.master.games.backgammon.review.reviews import played_review, review_of, reviews


@pytest.mark.slow
@settings(max_examples=20)
@given(reviews)
@pytest.mark.when_changed
def test_every_action_is_a_turn_with_its_analysis_and_comments(review: MatchReview) -> None:
    match = review.analysed.match
    assert [game.index for game in review.games] == list(range(len(match.games)))
    for game, recorded in zip(review.games, match.games, strict=True):
        assert tuple(turn.action for turn in game.turns) == recorded.actions
        reported = [(turn.index, text) for turn in game.turns for text in turn.comments]
        reported += [(len(recorded.actions), text) for text in game.comments]
        assert reported == list(recorded.comments)
        for turn in game.turns:
            analysis = review.analysed.of(game.index, turn.index)
            assert turn.checker == (analysis and analysis.checker)
            assert turn.cube == (analysis and analysis.cube)


@pytest.mark.slow
@settings(max_examples=20)
@given(reviews)
def test_decisions_and_rolls_of_the_figures_are_each_at_their_turn(review: MatchReview) -> None:
    turns = list(review.turns)
    assert tuple(each for turn in turns for each in turn.decisions) == review.figures.decisions
    assert tuple(turn.luck for turn in turns if turn.luck) == review.figures.rolls
    for turn in turns:
        assert turn.error == sum(each.error for each in turn.decisions)
        assert turn.cost == sum(each.cost for each in turn.decisions)
        kinds = [turn.cube_decision, turn.move_decision]
        assert [each for each in kinds if each is not None] == list(turn.decisions)
        assert all(each.player == turn.player for each in turn.decisions)


@pytest.mark.slow
@settings(max_examples=20)
@given(reviews)
def test_candidates_are_the_best_and_the_one_played(review: MatchReview) -> None:
    for turn in review.turns:
        if turn.checker is None:
            assert turn.candidates == ()
            continue
        listed = turn.candidates
        assert len(listed) == min(CANDIDATES, len(turn.checker.moves))
        assert [each.rank for each in listed] == sorted({each.rank for each in listed})
        assert [each.rank - 1 for each in listed if each.is_played] == [turn.checker.played]
        assert (listed[0].rank, listed[0].loss) == (1, 0.0)
        for each in listed:
            assert each.move is turn.checker.moves[each.rank - 1]
            assert each.loss >= 0.0


def test_moves_are_written_as_the_record_has_them() -> None:
    for turn in played_review().turns:
        assert (turn.dice is not None) == isinstance(turn.action, Play)
        if turn.checker is not None:
            assert turn.text == turn.checker.moves[turn.checker.played].text
        if (judged := turn.move_decision) is not None:
            assert (judged.choice, judged.played) == (ActionChoice.MOVE, turn.text)


def test_player_without_a_name_has_a_number() -> None:
    played = played_review().analysed
    match = type(played.match)((" ", ""), played.match.length, played.match.games)
    assert review_of(type(played)(match)).names == ("player 1", "player 2")


def test_a_move_that_was_added_to_twenty_better_ones_is_the_21st_at_best() -> None:
    turn = next(turn for turn in played_review().turns if turn.checker is not None)
    assert turn.checker is not None
    move = turn.checker.moves[0]
    for played, text in ((19, "20"), (20, "21+"), (0, "1")):
        checker = replace(turn.checker, moves=(move,) * 21, played=played)
        listed = replace(turn, checker=checker).candidates
        assert [each.rank_text for each in listed if each.is_played] == [text]


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

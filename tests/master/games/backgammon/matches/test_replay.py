from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext.backgammon.board import START
from master.games.backgammon.matches.record import Game, Match, Play, Resign, Result
from master.games.backgammon.matches.replay import (
    GameStage,
    apply,
    canonical,
    check_match,
    may_be_crawford,
    next_game,
    start_of,
    state_after,
    walk,
)
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.random_matches import PEACEFUL, matches, random_match


def with_scores(*scores: tuple[int, int], length: int = 3) -> Match:
    """A match whose games are resigned at once, with the given scores before each."""
    games = []
    for score, after in zip(scores, (*scores[1:], None), strict=True):
        game = Game(score)
        if after is not None:
            points = (after[0] - score[0], after[1] - score[1])
            winner = int(points[1] > 0)
            game = replace(
                game,
                actions=(Resign(1 - winner, points[winner]),),
                result=Result(winner, points[winner]),
            )
        games.append(game)
    return Match(("A", "B"), length, tuple(games))


@pytest.mark.slow
@given(matches)
@pytest.mark.when_changed
def test_what_was_played_replays(match: Match) -> None:
    check_match(match)
    for index, game in enumerate(match.games):
        moments = list(walk(match, index))
        assert [moment.action for moment in moments] == list(game.actions)
        assert [moment.index for moment in moments] == list(range(len(game.actions)))


@pytest.mark.slow
@given(matches)
@pytest.mark.when_changed
def test_the_state_after_some_actions_is_that_before_the_next(match: Match) -> None:
    index = len(match.games) - 1
    for moment in walk(match, index):
        if moment.index % 20 == 1:
            assert state_after(match, index, moment.index) == moment.state
            move = moment.move
            if isinstance(moment.action, Play) and moment.state.stage is GameStage.ROLL:
                assert moment.state.game.match.dice is None
                assert move is None or move.steps == moment.action.steps
    whole = state_after(match, index, len(match.games[index].actions))
    assert whole.result == match.games[index].result


def is_possible(match: Match) -> bool:
    try:
        check_match(match)
    except RecordError:
        return False
    return True


def test_changed_steps_are_found() -> None:
    """A checker moved one pip too far is nearly always illegal, there or later."""
    match = random_match(1, 3, games_max=1, habits=PEACEFUL)
    game = match.games[0]
    found = []
    for index, action in enumerate(game.actions):
        if isinstance(action, Play) and action.steps and action.steps[0][1] > 0:
            source, target = action.steps[0]
            changed = replace(action, steps=((source, target - 1), *action.steps[1:]))
            actions = (*game.actions[:index], changed, *game.actions[index + 1 :])
            found.append(not is_possible(replace(match, games=(replace(game, actions=actions),))))
    assert sum(found) > 0.95 * len(found)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_steps_is_nobodys(seed: int) -> None:
    match = random_match(seed, (0, 3)[seed % 2], games_max=2)
    shuffled = []
    for game in match.games:
        actions = tuple(
            replace(action, steps=tuple(reversed(action.steps)))
            if isinstance(action, Play)
            else action
            for action in game.actions
        )
        shuffled.append(replace(game, actions=actions))
    assert canonical(replace(match, games=tuple(shuffled))) == match


def test_errors_name_game_and_action() -> None:
    match = with_scores((0, 0), (1, 0))
    bad = replace(match.games[1], actions=(Play(0, (2, 1), ((8, 7), (8, 5))),))
    with pytest.raises(RecordError, match=r"^game 2, action 1: illegal play"):
        check_match(replace(match, games=(match.games[0], bad)))
    with pytest.raises(RecordError, match=r"^game 2: at 4-0 the match to 3 is already over"):
        list(walk(replace(match, games=(match.games[0], Game((4, 0)))), 1))


def test_a_result_must_be_that_of_the_actions() -> None:
    game = Game((0, 0), (Resign(0, 2),), Result(1, 2))
    match = Match(("A", "B"), 3, (game,))
    check_match(match)
    for result in (Result(1, 1), Result(0, 2), None):
        with pytest.raises(RecordError, match="player 1 winning 2, but it records"):
            check_match(replace(match, games=(replace(game, result=result),)))
    with pytest.raises(RecordError, match="1 point or more"):
        check_match(replace(match, games=(Game((0, 0), (), Result(0, 0)),)))


def test_an_unfinished_game_may_have_been_awarded_or_have_no_result() -> None:
    awarded = Game((0, 0), (), Result(1, 3))
    check_match(Match(("A", "B"), 3, (awarded,)))
    check_match(Match(("A", "B"), 5, (Game((0, 0)), Game((2, 1)))))


def test_scores_follow_from_results() -> None:
    match = with_scores((0, 0), (1, 0), (1, 1))
    check_match(match)
    wrong = replace(match, games=(*match.games[:2], Game((2, 0), is_crawford=True)))
    with pytest.raises(RecordError, match="game 3: expected the score 1-1, found 2-0"):
        check_match(wrong)
    falling = Match(("A", "B"), 5, (Game((1, 1)), Game((1, 0))))
    with pytest.raises(RecordError, match="game 2: the score falls from 1-1 to 1-0"):
        check_match(falling)


def test_the_crawford_game_is_the_first_with_one_player_one_away() -> None:
    match = with_scores((0, 0), (2, 0), (2, 1), (2, 2))
    assert [may_be_crawford(match, index) for index in range(4)] == [
        (False,), (True,), (False,), (False,),
    ]  # fmt: skip
    with pytest.raises(RecordError, match="game 2: at 2-0 this is the Crawford game"):
        check_match(match)
    games = (match.games[0], replace(match.games[1], is_crawford=True), *match.games[2:])
    check_match(replace(match, games=games))
    check_match(replace(match, uses_crawford=False))
    with pytest.raises(RecordError, match="game 2: at 2-0 this is no Crawford game"):
        check_match(replace(match, games=games, uses_crawford=False))


def test_a_record_that_begins_late_may_begin_with_the_crawford_game_or_after_it() -> None:
    for is_crawford in (True, False):
        check_match(Match(("A", "B"), 3, (Game((2, 1), is_crawford=is_crawford),)))


def test_the_next_game_has_the_score_so_far_until_the_match_is_won() -> None:
    assert next_game(Match(("A", "B"), 3)) == Game((0, 0))
    match = with_scores((0, 0), (0, 2))
    with pytest.raises(RecordError, match="game 2 has no result"):
        next_game(match)
    begun = replace(match, games=match.games[:1])
    crawford = next_game(begun)
    assert crawford == Game((0, 2), is_crawford=True)
    won = replace(crawford, actions=(Resign(0),), result=Result(1, 1))
    assert next_game(replace(begun, games=(*begun.games, won))) is None
    session = Match(("A", "B"), 0, (Game((40, 3), (Resign(0),), Result(1, 1)),))
    assert next_game(session) == Game((40, 4))


def test_the_state_at_the_opening_is_the_start_for_both_players() -> None:
    match = random_match(3)
    first = match.games[0].actions[0]
    state = next(walk(match, 0)).state
    assert (state.player_on_roll, state.game.position) == (first.player, START)
    assert apply(state, first) == apply(start_of(match, match.games[0]), first)

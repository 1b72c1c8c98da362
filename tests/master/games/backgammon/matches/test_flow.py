from dataclasses import replace

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from master.games.backgammon.matches.flow import (
    CUBE_MAX,
    GameStage,
    ReplayState,
    apply,
    legal_play,
    start_of,
)
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.random_matches import random_match

OPENING = Play(1, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(0, (6, 5), ((24, 18), (18, 13)))


MATCH = Match(("A", "B"), 7)


def after(*actions: Action, match: Match = MATCH, game: Game | None = None) -> ReplayState:
    state = start_of(match, game or Game((0, 0)))
    for action in actions:
        state = apply(state, action)
    return state


def slots(**checkers: int) -> list[int]:
    return [checkers.get(f"p{slot}", 0) for slot in range(26)]


def test_the_opening_is_anybodys_and_then_turns_alternate() -> None:
    state = after(match=Match(("A", "B"), 7), game=Game((2, 5)))
    assert state.stage is GameStage.OPENING
    state = after(OPENING, game=Game((2, 5)))
    assert (state.stage, state.player_on_roll, state.game.match.score) == (
        GameStage.ROLL,
        0,
        (2, 5),
    )
    state = apply(state, REPLY)
    assert (state.player_on_roll, state.game.match.score) == (1, (5, 2))
    with pytest.raises(RecordError, match="player 1's turn"):
        apply(state, REPLY)


def test_a_double_waits_for_its_answer_and_a_take_gives_the_cube_away() -> None:
    state = after(OPENING, Double(0))
    assert (state.stage, state.player_on_roll, state.decider) == (GameStage.ANSWER, 0, 1)
    with pytest.raises(RecordError, match="expected a take, a beaver or a drop"):
        apply(state, REPLY)
    with pytest.raises(RecordError, match="expected a take, a beaver or a drop, not a roll"):
        apply(state, replace(REPLY, player=1))
    state = apply(state, Take(1))
    match = state.game.match
    assert (match.cube_value, match.cube_owner, state.player_on_roll) == (2, 1, 0)
    with pytest.raises(RecordError, match="the opponent owns the cube"):
        apply(state, Double(0))
    assert apply(state, REPLY).may_double


def test_a_drop_loses_the_cube_before_the_double() -> None:
    state = after(OPENING, Double(0), Take(1), REPLY, Double(1), Drop(0))
    assert (state.stage, state.result) == (GameStage.OVER, Result(1, 2))
    with pytest.raises(RecordError, match="the game is over"):
        apply(state, Resign(0))


def test_a_beaver_doubles_twice_where_beavers_are_played() -> None:
    match = Match(("A", "B"), 0, beavers=True)
    state = after(OPENING, Double(0), Beaver(1), match=match)
    assert (state.game.match.cube_value, state.game.match.cube_owner) == (4, 1)
    with pytest.raises(RecordError, match="without beavers"):
        after(OPENING, Double(0), Beaver(1))


def test_nobody_doubles_before_the_opening_in_the_crawford_game_or_without_end() -> None:
    with pytest.raises(RecordError, match="either player's opening roll"):
        after(Double(0))
    with pytest.raises(RecordError, match="without the cube"):
        after(OPENING, Double(0), game=Game((6, 0), is_crawford=True))
    cube = MatchState(cube_value=CUBE_MAX, cube_owner=0, match_length=7, player_on_roll=0)
    game = Game((0, 0), start=GameState(START, cube))
    with pytest.raises(RecordError, match=f"the cube is at {CUBE_MAX}"):
        after(Double(0), game=game)
    with pytest.raises(RecordError, match="nothing was doubled"):
        after(OPENING, Take(0))


def test_an_illegal_play_says_what_was_expected() -> None:
    with pytest.raises(
        RecordError, match=r"illegal play: with 3-1, 8/4 4/3 is not .* expected one of"
    ):
        after(Play(0, (3, 1), ((8, 4), (4, 3))))
    with pytest.raises(RecordError, match="illegal play"):
        after(Play(0, (3, 1), ((6, 9), (8, 5))))
    with pytest.raises(RecordError, match="dice"):
        after(Play(0, (7, 1), ((8, 1), (6, 5))))


def test_a_legal_play_is_known_by_the_position_it_gives() -> None:
    [move] = {
        legal_play(START, (6, 5), steps)
        for steps in (((24, 18), (18, 13)), ((18, 13), (24, 18)), ((24, 13),))
    }
    assert move is not None
    assert move in legal_moves(START, (6, 5))


def test_the_points_on_the_way_decide_what_is_hit() -> None:
    own, other = slots(p13=1), slots(p24=2, p17=1)
    position = Position(own, other)  # a blot on the mover's 8
    hit = legal_play(position, (5, 3), ((13, 8), (8, 5)))
    past = legal_play(position, (5, 3), ((13, 5),))
    assert hit is not None
    assert past is not None
    assert hit.after.opponent[25] == 1
    assert past.after.opponent[25] == 0


def test_a_roll_left_unmoved_leaves_only_resignation() -> None:
    state = after(OPENING, Play(0, (6, 5), ()))
    assert (state.stage, state.player_on_roll) == (GameStage.LEFT, 0)
    with pytest.raises(RecordError, match="left unmoved"):
        apply(state, REPLY)
    with pytest.raises(RecordError, match="no double here: expected a resignation"):
        apply(state, Double(0))
    assert apply(state, Resign(0, 2)).result == Result(1, 2)


def test_a_roll_that_cannot_be_moved_passes_the_turn() -> None:
    closed = Position(slots(p25=1), slots(p6=2, p5=2, p4=2, p3=2, p2=2, p1=2))
    start = GameState(closed, MatchState(match_length=7, player_on_roll=0))
    game = Game((0, 0), start=start)
    assert after(Play(0, (6, 5), ()), game=game).player_on_roll == 1
    with pytest.raises(RecordError, match="expected no move"):
        after(Play(0, (6, 5), ((25, 20),)), game=game)


@pytest.mark.parametrize(("jacoby", "points"), [(True, 1), (False, 2)])
def test_with_the_jacoby_rule_an_undoubled_gammon_counts_once(jacoby: bool, points: int) -> None:
    last = Position(slots(p1=1), slots(p12=15))
    match = Match(("A", "B"), 0, jacoby=jacoby)
    start = GameState(last, MatchState(player_on_roll=1))
    state = after(Play(1, (2, 1), ((1, 0),)), match=match, game=Game((0, 0), start=start))
    assert state.result == Result(1, points)
    assert after(Resign(0, 2), match=match).result == Result(1, points)
    doubled = after(OPENING, Double(0), Take(1), Resign(0, 2), match=match)
    assert doubled.result == Result(1, 4)


def test_a_resignation_is_of_one_to_three_games_and_either_player_may() -> None:
    assert after(OPENING, Resign(1, 3)).result == Result(0, 3)
    with pytest.raises(RecordError, match="1 to 3 games, not 4"):
        after(OPENING, Resign(1, 4))
    with pytest.raises(RecordError, match="a player is 0 or 1"):
        after(Resign(2))


def test_a_game_may_start_anywhere_even_after_the_roll_or_the_double() -> None:
    rolled = MatchState(match_length=7, score=(1, 0), dice=(3, 1), player_on_roll=1)
    game = Game((0, 1), start=GameState(START, rolled))
    assert after(game=game).stage is GameStage.MOVE
    assert after(OPENING, game=game).stage is GameStage.ROLL
    with pytest.raises(RecordError, match="the roll to move is"):
        after(replace(REPLY, player=1), game=game)
    doubled = replace(rolled, dice=None, is_double_offered=True)
    offered = Game((0, 1), start=GameState(START, doubled))
    assert after(Take(0), game=offered).game.match.cube_value == 2
    with pytest.raises(RecordError, match="another score"):
        after(game=replace(game, score=(0, 0)))
    resigned = GameState(START, replace(rolled, dice=None, resignation=1))
    with pytest.raises(RecordError, match="start with a resignation"):
        after(game=replace(game, start=resigned))


def test_an_impossible_score_is_a_record_error() -> None:
    with pytest.raises(RecordError, match="already over"):
        after(game=Game((7, 0)))


@pytest.mark.parametrize("seed", range(8))
def test_checkers_cube_and_score_stay_what_they_are_between_actions(seed: int) -> None:
    match = random_match(seed, (0, 5)[seed % 2], games_max=3)
    for game in match.games:
        state = start_of(match, game)
        for action in game.actions:
            now = state.game.match
            own = game.score if now.player_on_roll == 0 else game.score[::-1]
            assert (now.score, now.crawford) == (own, game.is_crawford)
            assert state.game.position.result == 0
            if isinstance(action, Play | Double) and state.stage is not GameStage.OPENING:
                assert action.player == state.player_on_roll == state.decider
            state = apply(state, action)
        assert state.result == game.result

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.sgf import read_sgf, write_sgf
from master.games.backgammon.play.beginning import match_from
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.errors import RecordError
from tests.engine_ext.backgammon.states import game_states

PLAYERS = ("Ann", "manyply")


@pytest.mark.slow
@settings(max_examples=40)
@given(game_states)
def test_match_begins_as_the_position_says_and_is_read_as_it_was_written(state: GameState) -> None:
    assume(state.position.result == 0)
    analysed = AnalysedMatch(match_from(state, PLAYERS))
    live = LiveMatch(analysed)
    match = state.match
    wanted = replace(state, match=replace(match, player_on_roll=1 - match.player_on_roll))
    assert live.state.game == wanted
    assert live.dice == match.dice
    assert live.decider == wanted.match.player_on_roll ^ match.is_double_offered
    read = read_sgf(write_sgf(live.analysed), "written.sgf").match
    assert read.games == live.match.games
    assert (read.length, read.jacoby) == (analysed.match.length, analysed.match.jacoby)


def test_player_1_of_an_id_sits_at_the_bottom() -> None:
    for turn, player in ((1, 0), (-1, 1)):
        state = parse_id(f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:00:3:5:0:7:10")
        live = LiveMatch(AnalysedMatch(match_from(state, PLAYERS)))
        assert live.match.games[0].score == (3, 5)
        assert (live.phase, live.decider) == (Phase.TURN, player)


def test_first_roll_of_such_a_game_is_no_opening_roll() -> None:
    state = parse_id("4HPwATDgc/ABMA")
    assert LiveMatch(AnalysedMatch(match_from(state, PLAYERS))).roll_number == 1


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (GameState(Position([15] + [0] * 25, [0] * 24 + [1, 0]), MatchState()), "is over"),
        (GameState(START, MatchState(resignation=1)), "resignation"),
    ],
)
def test_positions_from_which_no_game_goes_on_are_named(state: GameState, text: str) -> None:
    with pytest.raises(RecordError, match=text):
        match_from(state, PLAYERS)

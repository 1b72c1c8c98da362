"""What is said at a backgammon board: master.cli.backgammon.playing.play_screen."""

from __future__ import annotations

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.play import decide_cube, rank_moves
from master.cli.backgammon.playing.play_screen import (
    ENGINE,
    HUMAN,
    entry_text,
    names_of,
    result_text,
    scene_of,
    show_cube,
    show_moves,
    show_review,
)
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.play.live_match import LiveMatch

Captured = pytest.CaptureFixture[str]
STATE = MatchState(match_length=0, player_on_roll=0)


def money(state: MatchState = STATE) -> LiveMatch:
    game = Game((0, 0), start=GameState(START, state))
    return LiveMatch(AnalysedMatch(Match(("Ann", "Bob"), 0, (game,), beavers=True)))


def said(*actions: Action) -> str:
    """Return what is said of the last action."""
    live = money()
    entries = [live.act(action) for action in actions]
    return entry_text(entries[-1], live.match)


def test_each_action_is_a_sentence() -> None:
    doubled = Double(HUMAN)
    assert said(Play(HUMAN, (1, 3), ((8, 5), (6, 5)))) == "X Ann rolls 3-1: 8/5 6/5"
    assert said(doubled) == "X Ann doubles to 2"
    assert said(doubled, Take(ENGINE)) == "O Bob takes"
    assert said(doubled, Drop(ENGINE)) == "O Bob passes"
    assert said(doubled, Beaver(ENGINE)) == "O Bob takes and beavers to 4"
    assert said(Resign(HUMAN, 2)) == "X Ann resigns a gammon"


def test_a_result_counts_points() -> None:
    live = LiveMatch(AnalysedMatch(Match(("Ann", "Bob"), 5)))
    live.act(Resign(HUMAN, 3))
    assert live.state.result is not None
    expected = "Bob wins 3 points.  Ann 0, Bob 3 in the match to 5."
    assert result_text(live.match, live.state.result) == expected
    live = money()
    live.act(Resign(ENGINE))
    assert live.state.result is not None
    assert result_text(live.match, live.state.result) == "Ann wins 1 point.  Ann 1, Bob 0."


@pytest.mark.parametrize(
    ("owner", "player", "player_index"),
    [(CENTRED, 1, CENTRED), (ON_ROLL, 0, 0), (ON_ROLL, 1, 1), (OPPONENT, 0, 1), (OPPONENT, 1, 0)],
)
def test_the_person_sits_at_the_bottom_whoever_is_on_roll(
    owner: int, player: int, player_index: int
) -> None:
    state = MatchState(cube_value=2, cube_owner=owner, player_on_roll=player)
    scene = scene_of(money(state))
    assert (scene.cube_owner, scene.turn, scene.names) == (player_index, player, ("Ann", "Bob"))


def test_names_steer_no_terminal_and_are_never_empty() -> None:
    assert names_of(Match(("\x07Ann", ""), 1)) == ("?Ann", "player 2")


def test_hints_are_listed_with_their_differences(capsys: Captured) -> None:
    ranked = rank_moves(GameState(START, STATE), (3, 1))
    show_moves(ranked, 2)
    first, second = capsys.readouterr().out.splitlines()[1:]
    assert first.split()[:3] == ["1.", "8/5", "6/5"]
    behind = ranked[1].equity_cubeful - ranked[0].equity_cubeful
    assert f"{behind:+.3f}" in second


def test_the_cube_question_has_three_answers_and_a_proper_one(capsys: Captured) -> None:
    decision = decide_cube(GameState(START, STATE))
    show_cube(decision)
    out = capsys.readouterr().out
    assert [line[:12].strip() for line in out.splitlines()[1:4]] == [
        "No double", "Double, take", "Double, pass"
    ]  # fmt: skip
    assert out.endswith(f"Proper cube action: {decision.action}\n")


def test_a_review_of_what_is_not_analysed_has_no_figures(capsys: Captured) -> None:
    live = money()
    live.act(Resign(HUMAN, 1))
    show_review(live.analysed)
    assert "Luck-adjusted result" in capsys.readouterr().out

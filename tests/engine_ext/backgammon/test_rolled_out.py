from math import sqrt
from statistics import mean, stdev

import pytest

from engine_ext.backgammon import rolled_out
from engine_ext.backgammon.alternatives import cube_alternatives, rollout_context
from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import SearchStopped
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    RolloutSettings,
)
from engine_ext.backgammon.rolled_out import roll_out
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.control import RunControl

STATE = GameState(START, MatchState())
ROLLOUT = RolloutSettings(trials=9, seed=3, truncation_ply=4)
QUESTION = AnalyseQuestion(
    "0" * 16, STATE, DecisionKind.CUBE, AnalysisSettings(move_filter="tiny", rollout=ROLLOUT)
)


def test_means_are_those_of_the_rollouts_trials() -> None:
    alternatives = cube_alternatives(STATE)
    context = rollout_context(STATE, alternatives, seed=3, truncation_ply=4, move_filter="tiny")
    trials = RolloutPlayer(context).run(0, 18, RunControl())
    for i, rolled in enumerate(roll_out(QUESTION, alternatives, ROLLOUT, RunControl())):
        columns = list(zip(*trials[i::2], strict=True))
        means = [*rolled.probs, rolled.equity_cubeless, rolled.equity_cubeful]
        assert means == pytest.approx([mean(column) for column in columns], abs=1e-12)
        assert rolled.std_error == pytest.approx(stdev(columns[6]) / sqrt(9), abs=1e-12)


def test_a_single_trial_has_no_spread() -> None:
    single = RolloutSettings(trials=1)
    rolled = roll_out(QUESTION, cube_alternatives(STATE), single, RunControl())
    assert [one.std_error for one in rolled] == [0.0, 0.0]


def test_a_stopped_rollout_has_no_means() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SearchStopped):
        roll_out(QUESTION, cube_alternatives(STATE), ROLLOUT, control)


def test_how_many_are_played_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = roll_out(QUESTION, cube_alternatives(STATE), ROLLOUT, RunControl())
    monkeypatch.setattr(rolled_out, "ROUNDS_AT_ONCE_MAX", 2)
    assert roll_out(QUESTION, cube_alternatives(STATE), ROLLOUT, RunControl()) == whole

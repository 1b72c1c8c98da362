"""The registry finds backgammon, and a context runs only on the engine it names."""

from dataclasses import replace

import pytest

from engine_ext.backgammon import trials
from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.board import START
from engine_ext.backgammon.context import DOUBLE_TAKE, NO_DOUBLE
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.net import available_kernels, force_kernel, kernel_name
from engine_ext.control import RunControl
from engine_ext.services import (
    DIGEST_CHARS,
    ContextError,
    context_digest,
    engine_digest,
    power_work,
    trial_runner,
)

STATE = GameState(START, MatchState())


def test_a_runner_answers_for_its_context() -> None:
    context = rollout_context(STATE, (NO_DOUBLE, DOUBLE_TAKE), truncation_ply=4)
    text = context.to_text()
    runner = trial_runner(text)
    assert (runner.context, runner.digest) == (text, context_digest(text))
    assert (runner.game, runner.engine) == ("backgammon", engine_digest("backgammon"))
    assert runner.alternative_names == ("no double", "double, take")
    assert runner.value_names[-1] == "equity_cubeful"
    values = runner.run(0, 6, RunControl())
    assert {len(trial) for trial in values} == {len(runner.value_names)}
    assert runner.run(4, 2, RunControl()) == values[4:]


def test_another_engine_is_told_apart_from_a_bad_text() -> None:
    context = rollout_context(STATE)
    with pytest.raises(ContextError) as caught:
        trial_runner(replace(context, engine="0" * DIGEST_CHARS).to_text())
    assert caught.value.code == "engine-mismatch"
    for wrong in (context.to_text() + " ", replace(context, position_id="/" * 14).to_text()):
        with pytest.raises(ContextError) as caught:
            trial_runner(wrong)
        assert caught.value.code == "bad-context"


def test_the_digest_covers_the_bits_of_played_trials() -> None:
    bits = trials.self_test()
    assert len(bits) > 7
    assert bits == trials.self_test()
    assert len(trials.engine_digest()) == DIGEST_CHARS


def test_power_is_measured_by_a_fixed_number_of_trials() -> None:
    control = RunControl()
    assert power_work("backgammon")(control) == trials.POWER_TRIALS
    assert control.steps > 0


@pytest.mark.when_changed
def test_every_kernel_plays_the_same_trials() -> None:
    chosen, bits = kernel_name(), trials.self_test()
    try:
        for name in available_kernels():
            force_kernel(name)
            assert trials.self_test() == bits, name
    finally:
        force_kernel(chosen)

"""Games as trials: their values, whichever run they are part of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.services import VALUE_MAX, VALUE_SCALE, ContextError, context_digest
from engine_ext.threes import engine
from engine_ext.threes.context import Lookahead, ThreesContext
from engine_ext.threes.depth import rarity_of
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game


def context(plies: int = 1, seed: int = 3) -> str:
    return ThreesContext(engine.engine_digest(), Lookahead(plies, plies), seed).to_text()


def test_digest_is_of_the_values_of_moves() -> None:
    assert re.fullmatch("[0-9a-f]{16}", engine.engine_digest())
    assert services.engine_digest("threes") == engine.engine_digest()
    found = engine.self_test()
    assert found == engine.self_test()
    assert len(found) == engine.TEST_MOVES
    assert len(set(found)) > engine.TEST_MOVES // 2


def test_power_is_measured_by_the_same_work_each_time() -> None:
    units = services.power_work("threes")(RunControl())
    assert units == engine.power_work(RunControl()) == engine.POWER_MOVES


def test_runner_says_what_it_runs() -> None:
    text = context(2, 9)
    runner = services.trial_runner(text)
    assert (runner.context, runner.digest) == (text, context_digest(text))
    assert (runner.game, runner.engine) == ("threes", engine.engine_digest())
    assert runner.alternative_names == ("games",)
    assert len(runner.value_names) == len(services.value_ranges(text)) == len(engine.CARDS) + 2
    assert runner.value_names[-1] == "score"


def test_trials_are_the_games_of_the_player() -> None:
    trials = engine.runner(context()).run(5, 20, RunControl())
    for number, trial in enumerate(trials, start=5):
        played = play_game(shipped_net(), 3, number, 1, RunControl())
        assert played is not None
        moves, highest, score = played
        assert (trial[0], trial[-1] * engine.SCORE_UNIT) == (moves, score)
        assert trial[1:-1] == tuple(float(3 << (highest - 3) >= card) for card in engine.CARDS)
    assert len(set(trials)) == 20


@pytest.mark.slow
def test_trials_look_as_far_as_the_context_says() -> None:
    lookahead = Lookahead(1, 3, 60)
    text = ThreesContext(engine.engine_digest(), lookahead, 3).to_text()
    (trial,) = engine.runner(text).run(4, 1, RunControl())
    played = play_game(shipped_net(), 3, 4, 1, RunControl(), 3, rarity_of(60))
    assert played is not None
    assert trial == engine.to_values(*played)
    assert trial not in engine.runner(context(3)).run(4, 1, RunControl())
    assert trial not in engine.runner(context(1)).run(4, 1, RunControl())


@pytest.mark.slow
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4))
@pytest.mark.when_changed
def test_trials_do_not_depend_on_how_they_are_cut(counts: list[int]) -> None:
    runner, first, found = engine.runner(context()), 10, []
    for count in counts:
        found += runner.run(first, count, RunControl())
        first += count
    assert found == runner.run(10, sum(counts), RunControl())


def test_trials_of_other_seeds_and_plies_are_others() -> None:
    trials = {
        trial
        for text in (context(1, 3), context(1, 4), context(2, 3))
        for trial in engine.runner(text).run(0, 2, RunControl())
    }
    assert len(trials) == 6


def test_stopped_run_returns_fewer() -> None:
    control = RunControl()
    control.stop()
    assert engine.runner(context()).run(0, 3, control) == []


def test_values_lie_in_their_ranges_and_are_exact() -> None:
    ranges = services.value_ranges(context())
    assert all(-VALUE_MAX < least < greatest < VALUE_MAX for least, greatest in ranges)
    most = engine.to_values(engine.MOVES_MAX, 15, engine.SCORE_MAX)
    for trial in [most, *engine.runner(context()).run(0, 50, RunControl())]:
        assert all((value * VALUE_SCALE).is_integer() for value in trial)
        assert all(
            least <= value <= greatest
            for value, (least, greatest) in zip(trial, ranges, strict=True)
        )
    assert most == tuple(greatest for _, greatest in ranges)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ThreesContext("0" * 16, Lookahead(1, 1), 3).to_text(), "engine-mismatch"),
        ("threes/1 plies=1 seed=3", "bad-context"),
        ("threes/1", "bad-context"),
    ],
)
def test_what_cannot_be_run_here_is_refused(text: str, code: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.trial_runner(text)
    assert caught.value.code == code


def test_ranges_hold_for_any_engine_but_for_no_other_text() -> None:
    other = ThreesContext("0" * 16, Lookahead(1, 1), 3).to_text()
    assert engine.value_ranges(other) == engine.value_ranges(context())
    with pytest.raises(ContextError, match="expected"):
        engine.value_ranges("threes/1")

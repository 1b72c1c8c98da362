from math import inf
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from engine_ext.backgammon.context import SEED_DEFAULT
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.cli.backgammon.analysing.analyse_depth import Depth, depth_options
from master.games.backgammon.matches.decisions import LEVELS, TRIALS_DEFAULT, level_words
from master.games.backgammon.matches.second_pass import RolloutBounds

found: list[Depth] = []


@click.command()
@depth_options
def command(depth: Depth) -> None:
    found.append(depth)


def ran(*args: str, configured: dict[str, Any] | None = None) -> Result:
    return CliRunner().invoke(command, args, default_map=configured or {})


def depth_of(*args: str, configured: dict[str, Any] | None = None) -> Depth:
    result = ran(*args, configured=configured)
    assert result.exit_code == 0, result.output
    return found.pop()


@pytest.mark.parametrize("name", LEVELS)
def test_level_is_what_its_words_say(name: str) -> None:
    settings = depth_of("--level", name).settings
    named = LEVELS[name]
    assert (settings.ply, settings.cube_ply) == (named.ply, named.cube_ply)
    assert (settings.move_filter, settings.luck_ply) == (named.move_filter, named.luck_ply)
    trials = None if settings.rollout is None else settings.rollout.trials
    assert trials == (None if named.rollout is None else named.rollout.trials)
    assert level_words(name) in " ".join(ran("--help").output.split())


def test_nothing_said_is_the_level_normal() -> None:
    assert depth_of() == depth_of("--level", "normal") == Depth(LEVELS["normal"])


def test_option_beside_a_level_overrules_it() -> None:
    assert depth_of("--level", "deep", "--plies", "1").settings == AnalysisSettings(1, 1, "large")
    settings = depth_of("--level", "deep", "--cube-plies", "0", "--filter", "tiny").settings
    assert settings == AnalysisSettings(3, 0, "tiny")
    rolled = depth_of("--level", "rollout", "--rollout", "36", "--seed", "5").settings
    assert rolled.rollout == RolloutSettings(36, 5)


def test_level_that_is_typed_overrules_the_configuration() -> None:
    configured = {"ply": "1", "move_filter": "tiny", "trials": "36"}
    assert depth_of("--level", "deep", configured=configured).settings == LEVELS["deep"]
    assert depth_of(configured=configured).settings == AnalysisSettings(
        1, 1, "tiny", rollout=RolloutSettings(36, SEED_DEFAULT)
    )
    both = {"level": "deep", "ply": "1"}
    assert depth_of(configured=both).settings == AnalysisSettings(1, 1, "large")
    assert depth_of("--plies", "2", configured=both).settings == AnalysisSettings(2, 2, "large")


def test_bound_brings_a_rollout_along() -> None:
    depth = depth_of("--rollout-errors", "0.05")
    assert depth.bounds == RolloutBounds(0.05, 0.0)
    assert depth.settings.rollout == RolloutSettings(TRIALS_DEFAULT, SEED_DEFAULT)
    assert depth.examined == LEVELS["normal"]
    assert depth_of("--rollout-close", "0.02", "--rollout", "36").bounds == RolloutBounds(inf, 0.02)


def test_bounds_are_said_in_words_and_numbers() -> None:
    depth = depth_of("--rollout-errors", "0.05", "--rollout-close", "0.02", "--rollout", "36")
    words = "Rolled out 36 times: errors of 0.05 and more and choices within 0.02."
    assert depth.bounds_words == words
    assert depth.bounds_report() == {"rollout_errors": 0.05, "rollout_close": 0.02}
    assert depth_of("--rollout-errors", "inf").bounds_words == "Rolled out 324 times: nothing."
    everything = depth_of("--rollout", "36")
    assert everything.bounds_words == ""
    assert everything.bounds_report() == {"rollout_errors": None, "rollout_close": None}


@pytest.mark.parametrize("option", ["--rollout-errors", "--rollout-close"])
@pytest.mark.parametrize("text", ["-0.1", "nan", "much"])
def test_what_is_no_bound_is_refused(option: str, text: str) -> None:
    result = ran(option, text)
    assert result.exit_code == 2
    assert "is no bound: expected an equity of 0 or more" in " ".join(result.output.split())

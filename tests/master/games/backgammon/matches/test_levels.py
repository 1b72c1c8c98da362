import pytest

from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.matches.decisions import LEVEL_DEFAULT, LEVELS, level_words


def test_default_is_a_level_and_that_of_questions() -> None:
    assert LEVELS[LEVEL_DEFAULT] == AnalysisSettings()


def test_each_level_looks_no_less_deep_than_the_one_before() -> None:
    depths = [(each.rollout is not None, each.ply, each.cube_ply) for each in LEVELS.values()]
    assert depths == sorted(depths)
    assert len(set(depths)) == len(depths)


@pytest.mark.parametrize("name", LEVELS)
def test_words_say_all_that_a_level_stands_for(name: str) -> None:
    settings, words = LEVELS[name], level_words(name)
    assert words.startswith(f"{settings.ply}-ply, cube {settings.cube_ply}-ply")
    assert f"filter {settings.move_filter}" in words
    trials = "" if settings.rollout is None else str(settings.rollout.trials)
    assert words.endswith(f"then {trials} games of each of the best") is bool(trials)

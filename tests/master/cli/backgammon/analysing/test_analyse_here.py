from pathlib import Path

import pytest

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from engine_ext.control import RunControl
from master.cli.backgammon.analysing import analyse_asking
from master.cli.backgammon.analysing.analyse_asking import answer_here, is_shallow
from tests.master.cli.shown import match_questions


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (AnalysisSettings(0, 0), True),
        (AnalysisSettings(1, 0), False),
        (AnalysisSettings(0, 1), False),
        (AnalysisSettings(0, 0, rollout=RolloutSettings(36)), False),
    ],
)
def test_only_static_evaluation_is_shallow(settings: AnalysisSettings, expected: bool) -> None:
    assert is_shallow(settings) is expected


def test_answers_stand_in_the_order_of_the_questions(state_dir: Path) -> None:
    first, second = match_questions(2)
    answers = answer_here([second, first, second])
    assert answers == [services.answer(each, RunControl()) for each in (second, first, second)]
    assert not state_dir.exists()


def test_how_far_it_is_is_shown_once_it_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    monkeypatch.setattr(analyse_asking, "show_count", reported.append)
    monkeypatch.setattr(analyse_asking, "COUNT_EVERY", 2)
    questions = match_questions(5)
    answer_here(questions)
    assert reported == []
    monkeypatch.setattr(analyse_asking, "COUNT_AFTER_S", 0.0)
    answer_here(questions)
    assert reported == ["decision 2 of 5", "decision 4 of 5", ""]

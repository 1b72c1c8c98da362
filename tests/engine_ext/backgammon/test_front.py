"""Backgammon's texts are of the kinds that its front declares, and say how much work they are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.board import START
from engine_ext.backgammon.context import KIND, RolloutContext
from engine_ext.backgammon.front import FRONT
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.questions import (
    ANALYSE_KIND,
    MOVES_KIND,
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.front import TRIALS
from tests.engine_ext.backgammon.questions_asked import (
    ENGINE,
    analyse_questions,
    moves_questions,
    settings,
)

STATE = GameState(START, MatchState())
DEPTHS = (
    AnalysisSettings(ply=1),
    AnalysisSettings(cube_ply=1),
    AnalysisSettings(luck_ply=1),
    AnalysisSettings(move_filter="huge"),
    AnalysisSettings(rollout=RolloutSettings(36)),
)

Question = AnalyseQuestion | MovesQuestion


def work_of(question: Question) -> tuple[str, ...]:
    """Return the words of a question that say how much work it is, its kind first."""
    kind, *words = question.to_text().split(" ")
    keys = FRONT.kinds[kind].work_keys
    return kind, *(word for word in words if word.split("=")[0] in keys)


@given(analyse_questions | moves_questions)
@pytest.mark.when_changed
def test_every_question_is_of_a_kind_that_the_front_declares(question: Question) -> None:
    kind = MOVES_KIND if isinstance(question, MovesQuestion) else ANALYSE_KIND
    assert services.question_kind(question.to_text()) == ("backgammon", FRONT.kinds[kind])
    assert FRONT.kinds[kind].service == kind.removeprefix("backgammon-").removesuffix("/1")


def test_only_rollouts_are_contexts() -> None:
    contexts = [word for word, kind in FRONT.kinds.items() if kind.service == TRIALS]
    assert contexts == [KIND]
    text = RolloutContext(ENGINE, START.position_id).to_text()
    assert services.context_game(text) == "backgammon"
    assert services.describe(text).line
    assert FRONT.is_game


@given(analyse_questions, settings)
@pytest.mark.when_changed
def test_decisions_looked_into_alike_are_the_same_work(
    question: AnalyseQuestion, chosen: AnalysisSettings
) -> None:
    asked = AnalyseQuestion(ENGINE, STATE, DecisionKind.CUBE, chosen)
    assert work_of(replace(question, settings=chosen)) == work_of(asked)


@pytest.mark.parametrize("deeper", DEPTHS, ids=range(len(DEPTHS)))
def test_decisions_looked_into_deeper_are_other_work(deeper: AnalysisSettings) -> None:
    asked = AnalyseQuestion(ENGINE, STATE, DecisionKind.CUBE)
    assert work_of(replace(asked, settings=deeper)) != work_of(asked)


@given(moves_questions, st.integers(0, 3))
@pytest.mark.when_changed
def test_moves_at_another_ply_are_other_work(question: MovesQuestion, ply: int) -> None:
    other = replace(question, ply=ply)
    assert (work_of(question) == work_of(other)) == (question.ply == ply)

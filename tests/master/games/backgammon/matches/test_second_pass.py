from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, RolloutSettings
from engine_ext.control import RunControl
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.judging import ActionChoice, Judgement, judge
from master.games.backgammon.matches.record import AnalysedMatch, Match
from master.games.backgammon.matches.second_pass import (
    RolloutBounds,
    cube_gap,
    move_gap,
    rollout_questions,
    with_rollouts,
)
from tests.master.games.backgammon.matches.analysed_matches import analysed, checker, cube
from tests.master.games.backgammon.matches.random_matches import Habits, matches, random_match

ENGINE = "0123456789abcdef"
PROBE = AnalysisSettings(0, 0)
ROLLED = AnalysisSettings(0, 0, rollout=RolloutSettings(1, truncation_ply=2))
bounds = st.sampled_from((0.0, 0.02, 0.1, 0.4, 1.0, inf))


def short_match() -> Match:
    """A game's beginning with plays, doubles and takes."""
    match = random_match(3, length=7, habits=Habits(double=0.4, drop=0.0, resign=0.0))
    game = match.games[0]
    return replace(match, games=(replace(game, actions=game.actions[:14], result=None),))


@cache
def answer(question: str) -> str:
    text = services.answer(question, RunControl())
    assert text is not None
    return text


def asked_about(match: Match, how: AnalysisSettings) -> tuple[list[ActionQuestion], AnalysedMatch]:
    asked = ask_about(match, how, services.engine_digest("backgammon"))
    return asked, answered(match, asked, [answer(one.question.to_text()) for one in asked])


def examined_again(match: Match, limits: RolloutBounds) -> tuple[list[str], AnalysedMatch]:
    asked, known = asked_about(match, PROBE)
    wanted = rollout_questions(known, asked, ROLLED, limits)
    answers = {text: answer(text) for text in wanted}
    return wanted, with_rollouts(known, asked, ROLLED, answers)


def decisions(match: AnalysedMatch) -> Sequence[Judgement]:
    return judge(match, 0).decisions


EVERYTHING = [RolloutBounds(errors=0.0), RolloutBounds(close=inf), RolloutBounds(0.0, inf)]


@pytest.mark.slow
@pytest.mark.parametrize("limits", EVERYTHING)
def test_lowest_bound_judges_as_a_rollout_of_every_decision(limits: RolloutBounds) -> None:
    match = short_match()
    _, everything = asked_about(match, ROLLED)
    wanted, again = examined_again(match, limits)
    assert decisions(again) == decisions(everything)
    assert again == everything
    assert {each.choice for each in decisions(again)} > {ActionChoice.DOUBLE, ActionChoice.TAKE}
    assert len(wanted) > len(match.games[0].actions)


def test_highest_bound_asks_for_nothing() -> None:
    match = short_match()
    wanted, again = examined_again(match, RolloutBounds())
    assert wanted == []
    assert again == asked_about(match, PROBE)[1]


@pytest.mark.slow
def test_what_passes_is_rolled_out_and_the_rest_is_as_it_was() -> None:
    match = short_match()
    before = decisions(asked_about(match, PROBE)[1])
    bound = sorted(each.error for each in before)[-4]
    after = decisions(examined_again(match, RolloutBounds(errors=bound))[1])
    rolled = [each.level.startswith("rollout") for each in after]
    answers = {ActionChoice.DOUBLE, ActionChoice.TAKE}  # one question: rolled out both or neither
    for old, new, is_rolled in zip(before, after, rolled, strict=True):
        if old.choice not in answers:
            assert is_rolled is (old.error >= bound)
        assert is_rolled or old == new
    assert 4 <= sum(rolled) < len(rolled)


@pytest.mark.slow
@settings(max_examples=25)
@given(matches, st.integers(0, 2**32), bounds, bounds)
@pytest.mark.when_changed
def test_wider_bounds_ask_for_no_less(match: Match, seed: int, one: float, other: float) -> None:
    known = analysed(match, seed)
    asked = ask_about(match, PROBE, ENGINE)
    least, most = sorted((one, other))

    def wanted(limits: RolloutBounds) -> set[str]:
        return set(rollout_questions(known, asked, ROLLED, limits))

    assert wanted(RolloutBounds(errors=most)) <= wanted(RolloutBounds(errors=least))
    assert wanted(RolloutBounds(close=least)) <= wanted(RolloutBounds(close=most))
    both = wanted(RolloutBounds(one, other))
    assert both == wanted(RolloutBounds(errors=one)) | wanted(RolloutBounds(close=other))


@pytest.mark.slow
@settings(max_examples=15)
@given(matches, st.integers(0, 2**32))
def test_questions_are_canonical_and_each_is_asked_once(match: Match, seed: int) -> None:
    asked = ask_about(match, PROBE, ENGINE)
    texts = rollout_questions(analysed(match, seed), asked, ROLLED, RolloutBounds(errors=0.0))
    assert len(texts) == len(set(texts))
    for text in texts:
        question = AnalyseQuestion.from_text(text)
        assert question.settings.rollout == ROLLED.rollout
        assert question.settings.luck_ply is None


def test_gaps_are_those_to_the_next_best_choice() -> None:
    play = checker(0.3, 0.2).checker
    assert play is not None
    assert move_gap(play) == pytest.approx(0.3)
    question = cube(0.5, 0.7).cube
    assert question is not None
    assert cube_gap(question, is_answer=False) == pytest.approx(0.2)
    assert cube_gap(question, is_answer=True) == pytest.approx(0.3)

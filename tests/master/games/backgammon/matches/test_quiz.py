from dataclasses import replace
from functools import cache

import pytest

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.control import RunControl
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.profile import PlayedMatch
from master.games.backgammon.matches.quiz import QuizItem, QuizScore, quiz_items, verdict_on
from tests.master.games.backgammon.matches.random_matches import Habits, random_match


@cache
def badly_played(length: int = 5) -> PlayedMatch:
    """Some turns of a match whose plays are random and whose cubes are turned early."""
    match = random_match(4, length, habits=Habits(double=0.5, drop=0.3, beaver=0.0, resign=0.0))
    games = tuple(replace(game, actions=game.actions[:24], result=None)
                  if len(game.actions) > 24 else game for game in match.games[:3])  # fmt: skip
    match = replace(match, games=games[:1] if games[0].result is None else games[:2])
    asked = ask_about(match, AnalysisSettings(0, 0), services.engine_digest("backgammon"))
    answers = [services.answer(one.question.to_text(), RunControl()) or "" for one in asked]
    known = answered(match, asked, answers)
    return PlayedMatch("a.mat", known, match_figures(known), (0, 1))


def items(count: int = 1000, least: float = 0.0) -> list[QuizItem]:
    return quiz_items([badly_played()], count, least)


def of(*choices: ActionChoice) -> list[QuizItem]:
    return [item for item in items() if item.judgement.choice in choices]


def test_largest_errors_come_first_and_each_once() -> None:
    errors = [item.judgement.error for item in items()]
    assert errors == sorted(errors, reverse=True)
    assert [item.judgement.error for item in items(3)] == errors[:3]
    assert [each for each in errors if each >= 0.3] == [
        item.judgement.error for item in items(least=0.3)
    ]
    twice = quiz_items([badly_played(), badly_played()], 1000)
    assert len(twice) == len(items())


def test_what_was_played_costs_what_it_cost_then() -> None:
    assert of(ActionChoice.MOVE)
    for item in items():
        verdict = verdict_on(item, item.judgement.played)
        assert verdict.loss == pytest.approx(item.judgement.error)
        assert not verdict.is_least


def test_best_answer_costs_nothing() -> None:
    for item in of(ActionChoice.MOVE):
        assert verdict_on(item, item.judgement.best).loss == 0.0
    for item in of(ActionChoice.TAKE, ActionChoice.PASS):
        assert verdict_on(item, item.judgement.best).loss == 0.0
    for item in of(ActionChoice.DOUBLE, ActionChoice.NO_DOUBLE):
        losses = [verdict_on(item, text).loss for text in ("double", "no double")]
        assert min(losses) == 0.0


def test_every_legal_move_is_an_answer() -> None:
    item = of(ActionChoice.MOVE)[0]
    moves = item.moves()
    verdicts = [verdict_on(item, text) for text in moves]
    assert [verdict.answer for verdict in verdicts] == moves
    kept = {move.text for move in item.checker.moves}
    for verdict in verdicts:
        assert verdict.is_least is (verdict.answer not in kept)
        assert verdict.loss >= 0.0


def test_move_that_the_analysis_has_not_loses_at_least_as_much_as_its_worst() -> None:
    item = of(ActionChoice.MOVE)[0]
    checker = replace(item.checker, moves=item.checker.moves[:2], played=1)
    short = replace(item, analysis=replace(item.analysis, checker=checker))
    other = next(text for text in item.moves() if text not in {m.text for m in checker.moves})
    verdict = verdict_on(short, other)
    assert verdict.is_least
    assert verdict.loss == checker.error


@pytest.mark.parametrize("text", ["", "take", "31", "8/9", "bar/20 24/23", "double"])
def test_what_is_no_move_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        verdict_on(of(ActionChoice.MOVE)[0], text)


def test_words_of_the_other_side_are_no_answers() -> None:
    doubling = of(ActionChoice.DOUBLE, ActionChoice.NO_DOUBLE)[0]
    with pytest.raises(ValueError, match="expected double or no double"):
        verdict_on(doubling, "take")
    answering = of(ActionChoice.TAKE, ActionChoice.PASS)[0]
    for text in ("double", "beaver"):
        with pytest.raises(ValueError, match="expected take or pass"):
            verdict_on(answering, text)


def test_beaver_is_an_answer_where_beavers_are_played() -> None:
    item = of(ActionChoice.TAKE, ActionChoice.PASS)[0]
    state = item.judgement.state
    money = replace(state, match=replace(state.match, match_length=0, score=(0, 0), beavers=True))
    item = replace(item, judgement=replace(item.judgement, state=money))
    assert item.expected == "take, pass or beaver"
    assert item.moves() == ["take", "pass", "beaver"]
    assert verdict_on(item, "beaver").answer == "beaver"


def test_score_counts_answers() -> None:
    item = of(ActionChoice.MOVE)[0]
    score = QuizScore()
    for text in (item.judgement.best, item.judgement.played):
        score = score.after(verdict_on(item, text))
    assert (score.answered, score.right) == (2, 1)
    assert score.loss == pytest.approx(item.judgement.error)

"""Selects the decisions of an analysed match for a rollout, and adds the rollouts to the analysis.

A decision is rolled out by questions of its own: the play without its cube question and its luck,
the cube question without the roll.  So another bound asks only the new questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings, DecisionKind
from master.games.backgammon.matches.decisions import ActionQuestion
from master.games.backgammon.matches.judging import ActionChoice, Judgement, judge
from master.games.backgammon.matches.record import AnalysedMatch

ANSWERS = (ActionChoice.TAKE, ActionChoice.PASS)


@dataclass(frozen=True)
class RolloutBounds:
    """The bounds that select a decision for a rollout.

    Args:
        errors: an error of at least so much; 0 is every decision, infinite none.
        close: the two best choices less than so far apart; 0 is none, infinite every decision.
    """

    errors: float = inf
    close: float = 0.0

    def are_passed(self, error: float, gap: float) -> bool:
        """Return whether a decision with this error, and this gap to the next best, passes one."""
        return self.errors <= error < inf or gap < self.close


def rollout_questions(
    known: AnalysedMatch,
    asked: Sequence[ActionQuestion],
    settings: AnalysisSettings,
    bounds: RolloutBounds,
    table: MatchTable | None = None,
) -> dict[str, ActionAnalysis]:
    """Return the rollout questions about a match judged by look-ahead, each with its analysis.

    Args:
        known: the match, judged without rollouts.
        asked: the questions that led to it.
        settings: with the rollout.
        bounds: that select the decisions.
        table: the match equities; None for the shipped ones.
    """
    judgements: dict[tuple[int, int], list[Judgement]] = {}
    for game in dict.fromkeys(one.game for one in asked):
        for each in judge(known, game, table).decisions:
            judgements.setdefault((each.game, each.action), []).append(each)
    wanted: dict[str, ActionAnalysis] = {}
    for one in asked:
        analysis = known.of(one.game, one.action)
        assert analysis is not None, "it was asked about"
        for each in judgements.get((one.game, one.action), ()):
            if _is_worth_it(each, analysis, bounds):
                is_move = each.choice is ActionChoice.MOVE
                wanted[(_of_play if is_move else _of_cube)(one, settings)] = analysis
    return wanted


def _is_worth_it(each: Judgement, analysis: ActionAnalysis, bounds: RolloutBounds) -> bool:
    if each.choice is ActionChoice.MOVE:
        assert analysis.checker is not None, "it was judged"
        gap = None if analysis.checker.is_forced else move_gap(analysis.checker)
    else:
        assert analysis.cube is not None, "it was judged"
        gap = cube_gap(analysis.cube, is_answer=each.choice in ANSWERS)
    return gap is not None and bounds.are_passed(each.error, gap)


def move_gap(checker: CheckerAnalysis) -> float:
    """Return the difference of the two best moves; infinite if there is only one."""
    best, *others = checker.moves
    return max(0.0, best.equity_cubeful - others[0].equity_cubeful) if others else inf


def cube_gap(cube: CubeAnalysis, *, is_answer: bool) -> float:
    """Return the difference of doubling and not doubling, or of the answers to a double."""
    if is_answer:
        return abs(cube.not_passed - cube.double_pass)
    return abs(cube.no_double - cube.doubled)


def _of_play(one: ActionQuestion, settings: AnalysisSettings) -> str:
    alone = replace(settings, cube_ply=None, luck_ply=None)
    return replace(one.question, settings=alone).to_text()


def _of_cube(one: ActionQuestion, settings: AnalysisSettings) -> str:
    alone = replace(settings, luck_ply=None)
    kind = DecisionKind.CUBE
    return replace(one.question, kind=kind, dice=None, played=None, settings=alone).to_text()


def with_rollouts(
    known: AnalysedMatch,
    asked: Sequence[ActionQuestion],
    settings: AnalysisSettings,
    answers: Mapping[str, str],
) -> AnalysedMatch:
    """Return the match, with available rollouts in place of the look-ahead analysis.

    A double and the answer to it are one question: if one is rolled out, both are.

    Raises:
        AnswerError: a text that is no answer.
    """
    rolled = {question: analysis_from_text(text) for question, text in answers.items()}
    analyses = [list(game) for game in known.analyses]
    for one in asked:
        before = analyses[one.game][one.action]
        assert before is not None, "it was asked about"
        analyses[one.game][one.action] = _improved(one, before, settings, rolled)
    return replace(known, analyses=tuple(map(tuple, analyses)))


def _improved(
    one: ActionQuestion,
    before: ActionAnalysis,
    settings: AnalysisSettings,
    rolled: Mapping[str, ActionAnalysis],
) -> ActionAnalysis:
    after = before
    if before.checker is not None and (play := rolled.get(_of_play(one, settings))) is not None:
        after = replace(after, checker=play.checker)
    if before.cube is not None and (cube := rolled.get(_of_cube(one, settings))) is not None:
        after = replace(after, cube=cube.cube)
    return after

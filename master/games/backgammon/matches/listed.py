"""Analysis of a list of decisions, each by itself: the question of a line, and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.id_list import ListedDecision
from master.games.backgammon.matches.judging import Judgement, judge
from master.games.backgammon.matches.record import Play


@dataclass(frozen=True)
class AnalysedDecision:
    """A line and its analysis: of its roll's moves, or of its cube question.

    `judgement` judges the action in the line; None if the line contains none.
    """

    listed: ListedDecision
    known: CheckerAnalysis | CubeAnalysis
    judgement: Judgement | None


def ask_about_list(
    decisions: Sequence[ListedDecision],
    settings: AnalysisSettings,
    engine: str,
    name: str,
    table: MatchTable | None = None,
    *,
    faults: list[str],
) -> list[tuple[ListedDecision, AnalyseQuestion]]:
    """Return each line with its question; a roll's luck, and the cube before it, are not asked for.

    A line with nothing to decide is left out: `faults` receives its file, its line and the reason.
    """
    asked = []
    for listed in decisions:
        try:
            asked.append((listed, _question(listed, settings, engine, table)))
        except ValueError as error:  # of the cube, of a question, or nothing to decide
            faults.append(f"{name}:{listed.line}: {error}")
    return asked


def answered_list(
    decisions: Sequence[ListedDecision], answers: Sequence[str], table: MatchTable | None = None
) -> list[AnalysedDecision]:
    """Put answers, given in the order of the lines, beside them.

    Raises:
        AnswerError: a text is no answer.
    """
    return [
        _answered(listed, analysis_from_text(text), table)
        for listed, text in zip(decisions, answers, strict=True)
    ]


def _question(
    listed: ListedDecision, settings: AnalysisSettings, engine: str, table: MatchTable | None
) -> AnalyseQuestion:
    state, dice = listed.state, listed.state.match.dice
    settings, met = replace(settings, luck_ply=None), met_word(state.match, table)
    if dice is None:
        if not cube_of(state.match, table).may_double:
            raise ValueError("nothing is to decide: no roll, and the player on roll cannot double")
        return AnalyseQuestion(engine, state, DecisionKind.CUBE, settings, met=met)
    move = listed.action if isinstance(listed.action, Play) else None
    steps = legal_moves(state.position, dice)[0].steps if move is None else move.steps
    alone = replace(settings, cube_ply=None)
    return AnalyseQuestion(engine, state, DecisionKind.MOVE, alone, dice, steps, met)


def _answered(
    listed: ListedDecision, analysis: ActionAnalysis, table: MatchTable | None
) -> AnalysedDecision:
    known = analysis.cube if listed.state.match.dice is None else analysis.checker
    assert known is not None, "it was asked for"
    judgement = None
    if listed.action is not None:
        match = AnalysedMatch(listed.match(), ((analysis,),))
        judgement = judge(match, 0, table).decisions[0]
    return AnalysedDecision(listed, known, judgement)

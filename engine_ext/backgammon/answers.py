"""Backgammon's answers to the questions: text in, text out.

An engine refuses questions that name the digest of another engine.
"""

from __future__ import annotations

from engine_ext.backgammon.analyse import analyse
from engine_ext.backgammon.analysis_text import MovesAnswer, MoveValue, analysis_to_text
from engine_ext.backgammon.play import Roll, SearchStopped
from engine_ext.backgammon.questions import MOVES_KIND, AnalyseQuestion, MovesQuestion
from engine_ext.backgammon.ranking import Probs, Stage
from engine_ext.backgammon.rollout_sums import SUMS_KIND, SumsQuestion, add_up, sums_to_text
from engine_ext.backgammon.trials import engine_digest
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl


def answer(question: str, control: RunControl) -> str | None:
    """Return the answer to a question of this game; None if `control` was stopped.

    Raises:
        ContextError: `bad-context` for a text, position or move that means nothing;
            `engine-mismatch` if it names another engine than this one.
    """
    try:
        if question.startswith(MOVES_KIND + " "):
            return _answer_moves(MovesQuestion.from_text(question), control).to_text()
        if question.startswith(SUMS_KIND + " "):
            return _answer_sums(SumsQuestion.from_text(question), control)
        asked = AnalyseQuestion.from_text(question)
        _check_engine(asked.engine)
        return analysis_to_text(analyse(asked, control))
    except SearchStopped:
        return None


def _answer_moves(question: MovesQuestion, control: RunControl) -> MovesAnswer:
    _check_engine(question.engine)
    roll = Roll(question.state, question.dice, question.table)
    count = len(roll.legal)
    if question.candidates[-1] >= count:
        raise ContextError("bad-context", f"candidates are below {count}, as many as legal moves")
    values = roll.evaluate(Stage(question.ply, question.candidates), control)
    return MovesAnswer(
        tuple(MoveValue(value.number, value.equity, Probs(*value.probs)) for value in values)
    )


def _answer_sums(question: SumsQuestion, control: RunControl) -> str:
    _check_engine(question.rollout.engine)
    return sums_to_text(add_up(question, control))


def _check_engine(engine: str) -> None:
    if engine != engine_digest():
        raise ContextError(
            "engine-mismatch", f"the question is for engine {engine}, this one is {engine_digest()}"
        )

"""The cube question of a position, answered with the help of a fleet if that is faster.

The answer is bit for bit that of one machine.
"""

from __future__ import annotations

import asyncio

from engine_ext.backgammon.alternatives import why_no_double
from engine_ext.backgammon.analysis_text import AnswerError, analysis_from_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import CubeDecision, decide_cube
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from engine_ext.backgammon.trials import engine_digest
from engine_ext.backgammon.window import window
from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import AskQuestions

ASKED_PLY_MIN = 2
"""Shallower work takes less time than a question (see moves.HERE_S_MAX)."""


async def decide_cube_over(ask: AskQuestions, state: GameState, ply: int) -> CubeDecision:
    """Judge the answers to the cube question, as play.decide_cube does.

    Raises:
        ValueError: a ply or a cube that the engine does not support.
        MasterError: the fleet cannot answer.
    """
    is_decided = state.position.result or why_no_double(state.match)
    if ply < ASKED_PLY_MIN or is_decided:
        return await _decide_here(state, ply)
    settings = AnalysisSettings(ply, ply, luck_ply=None)
    question = AnalyseQuestion(engine_digest(), state, DecisionKind.CUBE, settings)
    (answer,) = await ask([question.to_text()], priority=Priority.URGENT)
    return _read(state, ply, answer)


async def _decide_here(state: GameState, ply: int) -> CubeDecision:
    control = RunControl()
    try:
        return await asyncio.to_thread(decide_cube, state, ply, control)
    finally:
        control.stop()  # without effect unless the wait was cancelled


def _read(state: GameState, ply: int, answer: str) -> CubeDecision:
    try:
        cube = analysis_from_text(answer).cube
    except AnswerError as error:
        raise MasterError(f"an answer to a cube question makes no sense: {error}") from error
    if cube is None:
        raise MasterError("a cube question was asked, and something else was answered")
    return CubeDecision(
        no_double=cube.no_double,
        double_take=cube.double_take,
        double_beaver=cube.double_beaver,
        double_pass=cube.double_pass,
        action=cube.action,
        ply=ply,
        level=cube.level,
        may_double=True,
        window=window(cube_of(state.match), cube.probs),
        probs=cube.probs,
        equity_cubeless=cube.equity_cubeless,
    )

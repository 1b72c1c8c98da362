"""Moves ranked and cube questions answered with the help of a fleet.

The stages of a ranking are the engine's.  The ranking is exactly that of one machine, ties
included: values are the same bits everywhere, and the order depends only on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from engine_ext.backgammon.alternatives import why_no_double
from engine_ext.backgammon.analysis_text import AnswerError, MovesAnswer, analysis_from_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.move_filters import FILTERS, LEVELS
from engine_ext.backgammon.play import CubeDecision, RankedMove, Roll, decide_cube
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
)
from engine_ext.backgammon.ranking import Candidate, Stage, kept_count
from engine_ext.backgammon.roll_values import ROLLS
from engine_ext.backgammon.searcher import Searcher
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
    return _read_cube(state, ply, answer)


async def _decide_here(state: GameState, ply: int) -> CubeDecision:
    control = RunControl()
    try:
        return await asyncio.to_thread(decide_cube, state, ply, control)
    finally:
        control.stop()  # without effect unless the wait was cancelled


def _read_cube(state: GameState, ply: int, answer: str) -> CubeDecision:
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


Dice = tuple[int, int]

ALL_ROLLS: tuple[Dice, ...] = ROLLS
"""The 21 distinct rolls, larger die first."""

EVALUATION_S = (0.0, 0.0001, 0.002, 0.033)
"""Time to evaluate a move at each ply: means over decisions of played games on one core of an AMD
EPYC (tests/benchmarks/moves_fleet.py)."""

HERE_S_MAX = 0.02
"""Work up to this is done here, without a question.  A question and its answer take half a
millisecond on the loopback (the same program), some 5 ms over a home's Wi-Fi; and
because of the wait for the slowest share it saves less than half of the time."""

QUESTION_S_MIN = 0.005
"""Work of one question: several moves share one if a move alone would cost less than a question."""


async def rank_moves_over(
    ask: AskQuestions,
    state: GameState,
    dice: Dice,
    ply: int,
    *,
    move_filter: str = "normal",
    here_s_max: float = HERE_S_MAX,
    table: MatchTable | None = None,
) -> list[RankedMove]:
    """List every legal move of a roll, best first, as play.rank_moves does.

    Raises:
        ValueError: impossible dice, ply, filter or cube, or a match equity table that is too long
            for a message.
        MasterError: the fleet cannot answer.
    """
    ranked = await rank_rolls_over(
        ask, state, [dice], ply, move_filter=move_filter, here_s_max=here_s_max, table=table
    )
    return ranked[0]


async def rank_rolls_over(
    ask: AskQuestions,
    state: GameState,
    rolls: Iterable[Dice],
    ply: int,
    *,
    move_filter: str = "normal",
    here_s_max: float = HERE_S_MAX,
    table: MatchTable | None = None,
) -> list[list[RankedMove]]:
    """Rank the moves of several rolls at once, in the rolls' order; all wait for one stage.

    A stage that takes no longer than `here_s_max` is computed in this process.
    """
    searcher = Searcher()  # different rolls share nodes
    met = met_word(state.match, table)
    rankings = [
        _Ranking(state, met, Roll(state, dice, table, searcher), ply, move_filter) for dice in rolls
    ]
    while waiting := [ranking for ranking in rankings if ranking.stage is not None]:
        is_here = sum(ranking.work_s for ranking in waiting) <= here_s_max
        values = await (_evaluate_here(waiting) if is_here else _ask_for(ask, waiting))
        for ranking, candidates in zip(waiting, values, strict=True):
            ranking.go_on(candidates)
    return [ranking.ranked for ranking in rankings]


def expected_s(state: GameState, rolls: Iterable[Dice], ply: int) -> float:
    """Return an estimate of one core's time to rank the moves of rolls by the normal filter."""
    return sum(_expected_s(Roll(state, dice), ply) for dice in rolls)


def _expected_s(roll: Roll, ply: int) -> float:
    equities = [candidate.equity for candidate in roll.rank_statically()]
    total, count = 0.0, len(equities)
    for level, step in zip(LEVELS[ply], FILTERS["normal"], strict=False):
        # Only the first step's moves are known; the second keeps all that it may.
        count = kept_count(equities, step) if level < 3 else min(count, step.accept + step.extra)
        total += count * EVALUATION_S[level]
    return total


class _Ranking:
    """The ranking of one roll in progress; `stage` is None at its end."""

    def __init__(self, state: GameState, met: str, roll: Roll, ply: int, move_filter: str) -> None:
        self.state = state
        self.met = met
        self.roll = roll
        self.stage: Stage | None = None
        self.ranked: list[RankedMove] = []
        self._stages = roll.rank_in_stages(ply, move_filter)
        self._step(lambda: next(self._stages))

    def go_on(self, candidates: Iterable[Candidate]) -> None:
        """Take the values of the stage; go to the next, or to the end."""
        self._step(lambda: self._stages.send(candidates))

    def _step(self, step: Callable[[], Stage]) -> None:
        try:
            self.stage = step()
        except StopIteration as end:
            self.stage, self.ranked = None, end.value

    @property
    def wanted(self) -> Stage:
        """The stage, while there is one."""
        assert self.stage is not None, "the ranking goes on"
        return self.stage

    @property
    def work_s(self) -> float:
        """An estimate of one core's time for the stage."""
        return len(self.wanted.numbers) * EVALUATION_S[self.wanted.ply]

    def questions(self) -> list[MovesQuestion]:
        """Return questions for the stage, none of them too short."""
        ply, numbers = self.wanted
        size = max(1, int(QUESTION_S_MIN / EVALUATION_S[ply]))
        shares = [numbers[i : i + size] for i in range(0, len(numbers), size)]
        dice, engine = self.roll.dice, engine_digest()
        return [MovesQuestion(engine, self.state, dice, ply, share, self.met) for share in shares]


async def _evaluate_here(waiting: Sequence[_Ranking]) -> list[list[Candidate]]:
    """Evaluate the stages of rankings in a thread of this process."""
    control = RunControl()

    def evaluate() -> list[list[Candidate]]:
        return [ranking.roll.evaluate(ranking.wanted, control) for ranking in waiting]

    try:
        return await asyncio.to_thread(evaluate)
    finally:
        control.stop()  # without effect unless the wait was cancelled


async def _ask_for(ask: AskQuestions, waiting: Sequence[_Ranking]) -> list[list[Candidate]]:
    """Evaluate the stages of rankings by the fleet."""
    asked = [ranking.questions() for ranking in waiting]
    texts = [question.to_text() for questions in asked for question in questions]
    answers = iter(await ask(texts, priority=Priority.URGENT))
    return [
        [
            candidate
            for question in questions
            for candidate in _read(ranking.roll, question, next(answers))
        ]
        for ranking, questions in zip(waiting, asked, strict=True)
    ]


def _read(roll: Roll, question: MovesQuestion, text: str) -> list[Candidate]:
    """Return the candidates in an answer; MasterError: it answers another question."""
    try:
        values = MovesAnswer.from_text(text).evaluations
    except AnswerError as error:
        raise MasterError(f"an answer to a question of moves makes no sense: {error}") from error
    numbers = tuple(value.number for value in values)
    if numbers != question.candidates:
        raise MasterError(f"moves {question.candidates} were asked for, {numbers} were answered")
    return [
        roll.candidate(value.number, question.ply, value.equity_cubeful, value.probs)
        for value in values
    ]

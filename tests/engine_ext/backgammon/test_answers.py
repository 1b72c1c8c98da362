"""Answers depend on their question alone, and any text that is none is refused with its code."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine_ext import services
from engine_ext.backgammon.analysis_text import MovesAnswer, analysis_from_text
from engine_ext.backgammon.answers import answer
from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.play import Roll, decide_cube
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.backgammon.ranking import Stage
from engine_ext.backgammon.trials import engine_digest
from engine_ext.control import RunControl
from engine_ext.services import ContextError
from tests.engine_ext.backgammon.positions import played_positions, random_roll
from tests.engine_ext.backgammon.questions_asked import analyse_questions
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

STATE = GameState(START, MatchState())
MOVES = MovesQuestion(engine_digest(), STATE, (3, 1), 1, (0, 2))
CUBE = AnalyseQuestion(engine_digest(), STATE, DecisionKind.CUBE, AnalysisSettings(cube_ply=1))


def some_questions(count: int, seed: int) -> list[str]:
    rng, questions = random.Random(seed), []
    rollout = RolloutSettings(trials=3, truncation_ply=3, candidates=2)
    for position in played_positions(seed, count):
        state, dice = GameState(position, MatchState()), random_roll(rng)
        legal = legal_moves(position, dice)
        chosen = AnalysisSettings(
            ply=rng.randint(0, 1), cube_ply=1, rollout=rng.choice((None, None, rollout))
        )
        steps = rng.choice(legal).steps
        asked = AnalyseQuestion(engine_digest(), state, DecisionKind.MOVE, chosen, dice, steps)
        candidates = tuple(rng.sample(range(len(legal)), min(3, len(legal))))
        moves = MovesQuestion(engine_digest(), state, dice, rng.randint(0, 1), candidates)
        questions += [asked.to_text(), moves.to_text()]
    return questions


def test_each_kind_is_known_to_the_services() -> None:
    assert services.question_kind(MOVES.to_text())[1].service == "moves"
    assert services.question_kind(CUBE.to_text())[1].service == "analyse"
    assert services.question_kind(CUBE.to_text())[0] == "backgammon"


def test_moves_are_answered_in_order_with_the_bits_of_the_search() -> None:
    for ply in (0, 1, 2):
        text = services.answer(replace(MOVES, ply=ply).to_text(), RunControl())
        assert text is not None
        values = MovesAnswer.from_text(text).evaluations
        found = Roll(STATE, (3, 1)).evaluate(Stage(ply, (0, 2)), RunControl())
        assert [(value.number, value.equity_cubeful, value.probs) for value in values] == [
            (one.number, one.equity, one.probs) for one in found
        ]


@pytest.mark.parametrize("met", [SMALL, FAVOURITE], ids=["alike", "different"])
@pytest.mark.parametrize("player", [0, 1])
def test_match_equities_travel_with_the_question(met: Met, player: int) -> None:
    table = MatchTable(met)
    match = MatchState(match_length=3, score=(1, 0), player_on_roll=player)
    state, word = GameState(START, match), met_word(match, table)
    moves = replace(MOVES, state=state, candidates=tuple(range(16)), met=word)
    text = answer(moves.to_text(), RunControl())
    assert text is not None
    values = {value.number: value for value in MovesAnswer.from_text(text).evaluations}
    known = Roll(state, (3, 1), table).evaluate(Stage(1, tuple(range(16))), RunControl())
    assert [values[one.number].equity_cubeful for one in known] == [one.equity for one in known]
    cube = replace(CUBE, state=state, met=word)
    text = answer(cube.to_text(), RunControl())
    assert text is not None
    analysed, decision = analysis_from_text(text).cube, decide_cube(state, 1, table=table)
    assert analysed is not None
    assert (analysed.no_double, analysed.double_take) == (decision.no_double, decision.double_take)
    rolled = replace(cube, settings=replace(cube.settings, rollout=RolloutSettings(trials=2)))
    assert answer(rolled.to_text(), RunControl()) is not None


def test_a_decision_is_answered_by_an_analysis() -> None:
    text = services.answer(CUBE.to_text(), RunControl())
    assert text is not None
    analysis = analysis_from_text(text)
    assert analysis.cube is not None
    assert analysis.cube.level == "1-ply"


@pytest.mark.slow
def test_answers_are_the_same_bits_from_any_thread_in_any_order() -> None:
    questions = some_questions(25, 4)
    alone = {question: answer(question, RunControl()) for question in questions}
    shuffled = questions * 2
    random.Random(1).shuffle(shuffled)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda question: answer(question, RunControl()), shuffled))
    assert together == [alone[question] for question in shuffled]


def shallow(question: AnalyseQuestion) -> AnalyseQuestion:
    """Return the same decision, asked of this engine, no deeper than a test has time for."""
    rollout = RolloutSettings(trials=2, truncation_ply=3, candidates=2)
    asked = replace(
        question.settings,
        ply=min(1, question.settings.ply),
        cube_ply=min(1, question.settings.cube_ply or 0),
        luck_ply=0,
        rollout=question.settings.rollout and rollout,
    )
    return replace(question, engine=engine_digest(), settings=asked)


@pytest.mark.slow
@given(analyse_questions)
@settings(max_examples=150, deadline=None)
def test_every_question_that_a_game_can_ask_has_an_answer(question: AnalyseQuestion) -> None:
    asked = shallow(question)
    if asked.kind is DecisionKind.CUBE and not cube_of(asked.state.match).may_double:
        with pytest.raises(ContextError, match="may not double"):
            services.answer(asked.to_text(), RunControl())
        return
    text = services.answer(asked.to_text(), RunControl())
    assert text is not None
    analysis = analysis_from_text(text)
    assert (analysis.checker is None) == (asked.kind is DecisionKind.CUBE)
    if analysis.checker is not None:
        assert analysis.checker.error >= 0.0


@given(analyse_questions)
@settings(max_examples=8)
def test_a_question_for_another_engine_is_refused(question: AnalyseQuestion) -> None:
    with pytest.raises(ContextError) as caught:
        answer(question.to_text(), RunControl())
    assert caught.value.code == "engine-mismatch"


@pytest.mark.parametrize(
    "text",
    [
        replace(MOVES, candidates=(0, 99)).to_text(),
        MOVES.to_text() + " ",
        "backgammon-moves/1",
        "backgammon-analyse/1 kind=cube",
        CUBE.to_text().replace("cube_owner=centred", "cube_owner=opponent"),
        replace(CUBE, state=GameState(START, MatchState(cube_value=2, cube_owner=1))).to_text(),
    ],
)
def test_what_means_nothing_is_refused_with_its_code(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        answer(text, RunControl())
    assert caught.value.code == "bad-context"


def test_a_stopped_question_has_no_answer() -> None:
    deep = replace(MOVES, ply=3, candidates=tuple(range(8)))
    control = RunControl()
    threading.Timer(0.01, control.stop).start()
    assert answer(deep.to_text(), control) is None
    control = RunControl()
    control.stop()
    long = replace(CUBE.settings, rollout=RolloutSettings(trials=60_000))
    assert answer(replace(CUBE, settings=long).to_text(), control) is None

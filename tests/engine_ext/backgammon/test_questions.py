"""Questions are their texts, and answers depend on their question alone."""

import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.analysis_text import MovesAnswer, analysis_from_text
from engine_ext.backgammon.answers import answer
from engine_ext.backgammon.board import START, Position
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
from engine_ext.contexts import CONTEXT_BYTES_MAX, ContextError
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import played_positions, random_roll
from tests.engine_ext.backgammon.questions_asked import ENGINE, analyse_questions, moves_questions
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

MONEY = GameState(START, MatchState())
MOVES = MovesQuestion(ENGINE, MONEY, (3, 1), 2, (0, 4))
PLAY = AnalyseQuestion(
    ENGINE, MONEY, DecisionKind.MOVE, AnalysisSettings(), (3, 1), ((8, 5), (6, 5))
)
Question = MovesQuestion | AnalyseQuestion


@given(st.one_of(moves_questions, analyse_questions))
@pytest.mark.when_changed
def test_text_comes_back_as_the_same_question(question: Question) -> None:
    text = question.to_text()
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < CONTEXT_BYTES_MAX
    assert type(question).from_text(text) == question


@pytest.mark.parametrize("kind", [MovesQuestion, AnalyseQuestion])
@given(text=st.text())
def test_any_other_text_is_a_context_error(kind: type[Question], text: str) -> None:
    with pytest.raises(ContextError) as caught:
        kind.from_text(text)
    assert caught.value.code == "bad-context"


@given(st.one_of(moves_questions, analyse_questions), st.data())
@pytest.mark.when_changed
def test_a_damaged_text_is_refused_or_means_what_it_says(
    question: Question, data: st.DataObject
) -> None:
    text = question.to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        read = type(question).from_text(damaged)
    except ContextError:
        return
    assert read.to_text() == damaged


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine", "xyz"),
        ("position_id", "short"),
        ("position_id", "AAAAAAAAAAAAAA"),
        ("cube_value", "3"),
        ("cube_value", "32768"),
        ("match_length", "7"),
        ("score", "1-0"),
        ("met", "kazaross-xg2"),
        ("met", "woolsey"),
        ("dice", "none"),
        ("dice", "13"),
        ("dice", "37"),
        ("ply", "4"),
        ("candidates", ""),
        ("candidates", "4,0"),
        ("candidates", "0,0"),
        ("candidates", "-1"),
        ("candidates", "3060"),
        ("candidates", ",".join(map(str, range(129)))),
    ],
)
def test_a_bad_value_of_moves_is_refused(key: str, value: str) -> None:
    text = re.sub(f" {key}=[^ ]*", f" {key}={value}", MOVES.to_text())
    with pytest.raises(ContextError) as caught:
        MovesQuestion.from_text(text)
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "cube"),
        ("kind", "drop"),
        ("dice", "none"),
        ("played", "none"),
        ("played", "6/5,8/5"),
        ("played", "5/8"),
        ("played", "26/25"),
        ("played", "8/5,6/5,4/3,4/3,4/3"),
        ("ply", "4"),
        ("cube_ply", "4"),
        ("luck_ply", "-1"),
        ("move_filter", "wide"),
        ("trials", str(2**16 + 1)),
        ("trials", "1"),
        ("seed", "1"),
        ("met", "kazaross-xg2"),
    ],
)
def test_a_bad_value_of_an_analysis_is_refused(key: str, value: str) -> None:
    text = re.sub(f" {key}=[^ ]*", f" {key}={value}", PLAY.to_text())
    with pytest.raises(ContextError) as caught:
        AnalyseQuestion.from_text(text)
    assert caught.value.code == "bad-context"


def test_a_cube_decision_has_a_level_and_no_roll() -> None:
    cube = AnalyseQuestion(ENGINE, MONEY, DecisionKind.CUBE)
    with pytest.raises(ContextError, match="cube_ply"):
        replace(cube, settings=AnalysisSettings(cube_ply=None))
    with pytest.raises(ContextError, match="none"):
        replace(cube, dice=(3, 1))


@pytest.mark.parametrize("setting", [{"trials": 0}, {"seed": -1}, {"candidates": 0}, {"ply": 4}])
def test_a_rollout_has_ranges(setting: dict[str, int]) -> None:
    with pytest.raises(ContextError):
        RolloutSettings(**{"trials": 10, **setting})


def test_what_cannot_matter_makes_no_other_question() -> None:
    seen = MatchState(score=(3, 5), dice=(3, 1), player_on_roll=0, resignation=1, cube_log2_max=4)
    assert replace(MOVES, state=GameState(START, seen)) == MOVES
    assert replace(PLAY, dice=(1, 3), played=((6, 5), (8, 5))) == PLAY


def test_a_finished_game_asks_nothing() -> None:
    over = Position([15] + [0] * 25, [0] * 6 + [1] + [0] * 19)
    for question in (MOVES, PLAY):
        with pytest.raises(ContextError, match="over"):
            replace(question, state=GameState(over, MatchState()))


SHALLOW_MOVES = MovesQuestion(engine_digest(), MONEY, (3, 1), 1, (0, 2))
CUBE = AnalyseQuestion(engine_digest(), MONEY, DecisionKind.CUBE, AnalysisSettings(cube_ply=1))


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
    assert services.question_kind(SHALLOW_MOVES.to_text())[1].service == "moves"
    assert services.question_kind(CUBE.to_text())[1].service == "analyse"
    assert services.question_kind(CUBE.to_text())[0] == "backgammon"


def test_moves_are_answered_in_order_with_the_bits_of_the_search() -> None:
    for ply in (0, 1, 2):
        text = services.answer(replace(SHALLOW_MOVES, ply=ply).to_text(), RunControl())
        assert text is not None
        values = MovesAnswer.from_text(text).evaluations
        found = Roll(MONEY, (3, 1)).evaluate(Stage(ply, (0, 2)), RunControl())
        assert [(value.number, value.equity_cubeful, value.probs) for value in values] == [
            (one.number, one.equity, one.probs) for one in found
        ]


@pytest.mark.parametrize("met", [SMALL, FAVOURITE], ids=["alike", "different"])
@pytest.mark.parametrize("player", [0, 1])
def test_match_equities_travel_with_the_question(met: Met, player: int) -> None:
    table = MatchTable(met)
    match = MatchState(match_length=3, score=(1, 0), player_on_roll=player)
    state, word = GameState(START, match), met_word(match, table)
    moves = replace(SHALLOW_MOVES, state=state, candidates=tuple(range(16)), met=word)
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
        replace(SHALLOW_MOVES, candidates=(0, 99)).to_text(),
        SHALLOW_MOVES.to_text() + " ",
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
    deep = replace(SHALLOW_MOVES, ply=3, candidates=tuple(range(8)))
    control = RunControl()
    threading.Timer(0.01, control.stop).start()
    assert answer(deep.to_text(), control) is None
    control = RunControl()
    control.stop()
    long = replace(CUBE.settings, rollout=RolloutSettings(trials=60_000))
    assert answer(replace(CUBE, settings=long).to_text(), control) is None

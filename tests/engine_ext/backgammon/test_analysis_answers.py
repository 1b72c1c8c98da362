"""Answers of analyses are their texts; those that cannot be are refused in one line."""

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.analyse import MOVES_KEPT
from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.analysis_text import (
    AnswerError,
    MovesAnswer,
    MoveValue,
    analysis_from_text,
    analysis_to_text,
)
from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import (
    CANDIDATES_MAX,
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.backgammon.ranking import Probs
from engine_ext.backgammon.trials import engine_digest
from engine_ext.contexts import ANSWER_CHARACTERS_MAX, ContextError
from engine_ext.control import RunControl
from engine_ext.services import answer
from engine_ext.validation import answer_fault
from tests.engine_ext.backgammon.positions import played_positions, random_roll, strewn_position
from tests.engine_ext.broken_answers import broken

numbers = st.floats(allow_nan=False, allow_infinity=False)
probs = st.builds(Probs, *[numbers] * 5)
texts = st.text(st.characters(codec="ascii"), min_size=1, max_size=20)
moves = st.builds(MoveAnalysis, texts, texts, numbers, numbers, probs, st.none() | numbers)
cubes = st.builds(
    CubeAnalysis,
    texts,
    numbers,
    numbers,
    numbers,
    texts,
    numbers,
    probs,
    st.none() | numbers,
    st.none() | numbers,
)


@st.composite
def checkers(draw: st.DrawFn) -> CheckerAnalysis:
    ranked = tuple(draw(st.lists(moves, min_size=1, max_size=6)))
    return CheckerAnalysis(ranked, draw(st.integers(0, len(ranked) - 1)), draw(st.booleans()))


analyses = st.builds(ActionAnalysis, st.none() | checkers(), st.none() | cubes, st.none() | numbers)
values = st.builds(MoveValue, st.integers(0, 3059), numbers, probs)
answers = st.builds(MovesAnswer, st.lists(values, max_size=5).map(tuple))


@given(analyses)
def test_an_analysis_comes_back_exactly(analysis: ActionAnalysis) -> None:
    text = analysis_to_text(analysis)
    assert text.isascii()
    assert text.isprintable()
    again = analysis_from_text(text)
    assert again == analysis
    assert repr(again) == repr(analysis)  # a zero keeps its sign


@given(answers)
def test_move_values_come_back_exactly(answer: MovesAnswer) -> None:
    again = MovesAnswer.from_text(answer.to_text())
    assert repr(again) == repr(answer)


def read(text: str) -> str:
    """Return the text of what a text says, as either kind of answer."""
    if text.startswith("backgammon-analysis/1"):
        return analysis_to_text(analysis_from_text(text))
    return MovesAnswer.from_text(text).to_text()


@given(st.one_of(analyses.map(analysis_to_text), answers.map(MovesAnswer.to_text)), st.data())
def test_a_damaged_answer_is_refused_or_means_what_it_says(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(at, min(len(text), at + 9)))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[end:]
    try:
        again = read(damaged)
    except AnswerError:
        return
    assert again == damaged


@pytest.mark.parametrize("start", ["", "backgammon-analysis/1 ", "backgammon-move-values/1 "])
@given(text=st.text())
def test_any_other_text_is_an_answer_error(start: str, text: str) -> None:
    with pytest.raises(AnswerError):
        read(start + text + "?")


@pytest.mark.parametrize(
    "text",
    [
        "backgammon-analysis/1 luck=nan cube=none checker=none",
        "backgammon-analysis/1 luck=1e999 cube=none checker=none",
        "backgammon-analysis/1 luck=1 cube=none checker=none",
        "backgammon-analysis/1 cube=none luck=none checker=none",
        "backgammon-analysis/1 luck=none cube=none checker=0,free",
        "backgammon-analysis/1 luck=none cube=2-ply checker=none",
        "backgammon-analysis/1 luck=none cube=none checker=none ",
        "backgammon-analysis/1 luck=none cube=none checker=none" + " " * 30_000,
        "backgammon-move-values/1 0:0.5",
        "backgammon-move-values/1 00:0.5:0.5:0.5:0.5:0.5:0.5",
    ],
)
def test_no_answer_is_guessed_at(text: str) -> None:
    with pytest.raises(AnswerError):
        read(text)


def test_the_sign_of_zero_is_kept() -> None:
    text = analysis_to_text(ActionAnalysis(luck=-0.0))
    luck = analysis_from_text(text).luck
    assert luck is not None
    assert math.copysign(1, luck) == -1


def test_the_longest_answers_fit() -> None:
    number = -1.2345678901234567e-100
    chances = Probs(*[number] * 5)
    values = tuple(MoveValue(3059, number, chances) for _ in range(CANDIDATES_MAX))
    assert len(MovesAnswer(values).to_text()) < ANSWER_CHARACTERS_MAX
    longest = "bar/24*/23*/22*/21* bar/20*/15*/10*/5* 13/8*/3* 6/off"  # no roll plays more
    move = MoveAnalysis(longest, "rollout 65536", number, number, chances, number)
    cube = CubeAnalysis("rollout 65536", number, number, number, longest, number, chances, number)
    checker = CheckerAnalysis((move,) * (MOVES_KEPT + 1), MOVES_KEPT, is_forced=False)
    text = analysis_to_text(ActionAnalysis(checker, cube, number))
    assert len(text) < ANSWER_CHARACTERS_MAX
    assert analysis_from_text(text).checker == checker


ENGINE = engine_digest()

MONEY = MatchState(jacoby=False)
MATCHES = (
    MONEY,
    MatchState(jacoby=True, beavers=True),
    MatchState(cube_value=2, cube_owner=0, jacoby=True, beavers=True),
    MatchState(cube_value=64, cube_owner=0),
    MatchState(cube_value=64, cube_owner=1, beavers=True),
    MatchState(cube_value=2048, cube_owner=0),
    MatchState(cube_value=4096, cube_owner=0),  # the largest: nobody doubles
    MatchState(match_length=1),
    MatchState(match_length=7, score=(3, 1)),
    MatchState(match_length=7, score=(6, 2), crawford=True),
    MatchState(match_length=7, score=(6, 2)),  # post-Crawford
    MatchState(match_length=7, score=(2, 6)),
    MatchState(match_length=5, score=(3, 4), cube_value=2, cube_owner=0),  # a dead cube
    MatchState(match_length=25, score=(0, 24), cube_value=8, cube_owner=1),
    MatchState(match_length=64, score=(0, 0), cube_value=64, cube_owner=0),
    MatchState(match_length=3, score=(0, 0), cube_value=16, cube_owner=0),
)
BEAROFFS = tuple(
    Position(_slots, _others)
    for _slots, _others in product(
        (
            [13, 1, 1] + [0] * 23,
            [0, 5, 5, 5] + [0] * 22,
            [14, 0, 0, 0, 0, 0, 1] + [0] * 19,
        ),
        (
            [12, 3] + [0] * 24,
            [0] * 6 + [15] + [0] * 19,
            [9] + [0] * 5 + [3, 3] + [0] * 18,
        ),
    )
)


def states(rng: random.Random) -> Iterator[GameState]:
    positions = [START, *BEAROFFS, *played_positions(7, 40)]
    positions += [strewn_position(rng) for _ in range(40)]
    for position in positions:
        if position.result == 0:
            yield GameState(position, rng.choice(MATCHES))


def moves_question(rng: random.Random, state: GameState, ply: int = 0) -> MovesQuestion:
    dice = random_roll(rng)
    count = len(legal_moves(state.position, (max(dice), min(dice))))
    numbers = rng.sample(range(count), min(count, 5))
    return MovesQuestion(ENGINE, state, dice, ply, tuple(sorted(numbers)))


def play_question(
    rng: random.Random, state: GameState, settings: AnalysisSettings, kind: DecisionKind
) -> AnalyseQuestion:
    dice = random_roll(rng)
    move = rng.choice(legal_moves(state.position, (max(dice), min(dice))))
    return AnalyseQuestion(ENGINE, state, kind, settings, dice, tuple(move.steps))


def questions(rng: random.Random) -> Iterator[str]:
    """Yield questions of every kind about odd states."""
    for state in states(rng):
        rollout = RolloutSettings(rng.choice((1, 4)), rng.randrange(9), truncation_ply=5)
        settings = AnalysisSettings(
            ply=rng.choice((0, 0, 0, 1)),
            cube_ply=rng.choice((None, 0, 0, 1)),
            move_filter=rng.choice(("tiny", "normal", "huge")),
            luck_ply=rng.choice((None, 0)),
            rollout=rollout if rng.random() < 0.1 else None,
        )
        kind = rng.choice((DecisionKind.OPENING, DecisionKind.MOVE))
        yield moves_question(rng, state, rng.choice((0, 0, 1))).to_text()
        yield play_question(rng, state, settings, kind).to_text()
        if settings.cube_ply is not None:
            yield AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, settings).to_text()


def answered(question: str) -> str:
    text = answer(question, RunControl())
    assert text is not None, "nobody stops it"
    return text


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_honest_answers_about_odd_states_are_taken(seed: int) -> None:
    count = 0
    for question in questions(random.Random(seed)):
        try:
            found = answered(question)
        except ContextError:  # nobody may double there
            continue
        assert answer_fault(question, found) == "", (question, found)
        count += 1
    assert count > 150


PLAY = AnalyseQuestion(
    ENGINE,
    GameState(position_from_id("4HPwATDgc/ABMA"), MONEY),
    DecisionKind.MOVE,
    AnalysisSettings(ply=0, cube_ply=0),
    (3, 1),
    ((8, 5), (6, 5)),
)
CUBE = AnalyseQuestion(
    ENGINE,
    GameState(position_from_id("4Dn4ICiY55gBIg"), MONEY),
    DecisionKind.CUBE,
    AnalysisSettings(ply=0, cube_ply=0),
)
MOVES = MovesQuestion(ENGINE, PLAY.state, (3, 1), 0, (0, 3, 5))


def play() -> ActionAnalysis:
    return analysis_from_text(answered(PLAY.to_text()))


def cube() -> CubeAnalysis:
    found = analysis_from_text(answered(CUBE.to_text())).cube
    assert found is not None
    return found


def fault_of_cube(found: CubeAnalysis) -> str:
    return answer_fault(CUBE.to_text(), analysis_to_text(ActionAnalysis(cube=found)))


def fault_of_moves(found: list[MoveAnalysis], **changes: object) -> str:
    whole = play()
    assert whole.checker is not None
    checker = replace(CheckerAnalysis(tuple(found), whole.checker.played, False), **changes)  # type: ignore[arg-type]
    return answer_fault(PLAY.to_text(), analysis_to_text(replace(whole, checker=checker)))


def checker_moves() -> list[MoveAnalysis]:
    checker = play().checker
    assert checker is not None
    return list(checker.moves)


@pytest.mark.parametrize("question", [MOVES.to_text(), PLAY.to_text(), CUBE.to_text()])
def test_broken_texts_are_refused_and_said_in_one_line(question: str) -> None:
    good = answered(question)
    assert answer_fault(question, good) == ""
    for how, text in broken(good, first_number=1).items():
        fault = answer_fault(question, text)
        assert fault, how
        assert "\n" not in fault, how
        assert len(fault) < 300, how


def test_answer_to_another_question_is_refused() -> None:
    texts = {each.to_text(): answered(each.to_text()) for each in (MOVES, PLAY, CUBE)}
    for question, other in product(texts, texts):
        assert bool(answer_fault(question, texts[other])) == (question != other)


@pytest.mark.parametrize("equity", [5.2, -3.5, 9_000.0])
def test_equity_beyond_a_backgammon_is_refused(equity: float) -> None:
    first, *others = checker_moves()
    fault = fault_of_moves([replace(first, equity_cubeful=equity), *others])
    assert fault == f"the equity of {first.text} is {equity!r}: -3 to 3 is possible here"
    assert "is possible here" in fault_of_cube(replace(cube(), no_double=equity))
    assert "is possible here" in fault_of_cube(replace(cube(), double_take=2 * equity))


@pytest.mark.parametrize("shift", [7.0, -7.0, 1e6])
def test_equities_shifted_beyond_the_range_are_refused(shift: float) -> None:
    shifted = [
        replace(each, equity_cubeful=each.equity_cubeful + shift) for each in checker_moves()
    ]
    assert "is possible here" in fault_of_moves(shifted)
    found = cube()
    shifted_cube = replace(
        found, no_double=found.no_double + shift, double_take=found.double_take + shift
    )
    assert "is possible here" in fault_of_cube(shifted_cube)
    luck = analysis_to_text(replace(play(), luck=shift))
    assert "the luck" in answer_fault(PLAY.to_text(), luck)


def test_match_equity_is_within_what_the_score_allows() -> None:
    match = MatchState(match_length=3, score=(2, 0), crawford=True)
    question = MovesQuestion(ENGINE, GameState(PLAY.state.position, match), (3, 1), 0, (0,))
    text = answered(question.to_text())
    assert answer_fault(question.to_text(), text) == ""
    (value,) = MovesAnswer.from_text(text).evaluations
    beyond = MovesAnswer((value._replace(equity_cubeful=2.9),)).to_text()
    assert "-2.2" in answer_fault(question.to_text(), beyond) or "to 1 is" in answer_fault(
        question.to_text(), beyond
    )


def test_illegal_moves_are_refused() -> None:
    first, *others = checker_moves()
    for name in ("24/1", "8/5 6/4", "no move", "bar/20*", others[0].text, "x y"):
        fault = fault_of_moves([replace(first, text=name), *others])
        assert fault == f"{name!r} is no legal move here, or is told of twice"


def test_left_out_or_wrongly_named_moves_are_refused() -> None:
    found = checker_moves()
    assert "moves were expected" in fault_of_moves(found[:-1])
    assert "was played, not" in fault_of_moves(found, played=(play().checker or 1).played + 1)  # type: ignore[union-attr]
    assert fault_of_moves(found, is_forced=True) == f"{len(found)} moves are legal"


def test_the_best_is_first() -> None:
    found = checker_moves()
    assert "is better than" in fault_of_moves(
        [found[-1], *found[1:-1], found[0]], played=len(found) - 1
    )
    assert "is better than" in fault_of_moves([found[0], found[2], found[1], *found[3:]])


def test_levels_are_those_that_were_asked_for() -> None:
    first, *others = checker_moves()
    for level in ("3-ply", "exact", "rollout 36", "x", "1-ply"):
        assert "level" in fault_of_moves([replace(first, level=level), *others])
    assert "standard error" in fault_of_moves([replace(first, std_error=0.1), *others])
    assert fault_of_cube(replace(cube(), level="2-ply"))


WRONG_CHANCES = {
    "a chance of": (1.2, 0.1, 0.0, 0.1, 0.0),
    "gammons are more than games": (0.3, 0.4, 0.0, 0.1, 0.0),
    "backgammons than gammons": (0.5, 0.1, 0.2, 0.1, 0.0),
    "more than games": (0.7, 0.1, 0.0, 0.4, 0.0),
    "its chances make": (0.9, 0.1, 0.0, 0.01, 0.0),
}


@pytest.mark.parametrize("expected", WRONG_CHANCES)
def test_chances_are_ordered_and_add_up(expected: str) -> None:
    probs = Probs(*WRONG_CHANCES[expected])
    first, *others = checker_moves()
    assert expected in fault_of_moves([replace(first, probs=probs), *others])
    assert expected in fault_of_cube(replace(cube(), probs=probs))
    if expected != "its chances make":
        values = MovesAnswer.from_text(answered(MOVES.to_text())).evaluations
        text = MovesAnswer((values[0]._replace(probs=probs), *values[1:])).to_text()
        assert expected in answer_fault(MOVES.to_text(), text)


def test_no_gammon_is_lost_by_who_has_borne_off() -> None:
    side = [10, 0, 0, 0, 0, 0, 5] + [0] * 19
    state = GameState(Position(side, side), MONEY)
    question = AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, CUBE.settings).to_text()
    found = analysis_from_text(answered(question)).cube
    assert found is not None
    probs = found.probs._replace(lose_gammon=0.01)
    text = analysis_to_text(ActionAnalysis(cube=replace(found, probs=probs)))
    assert "borne a checker off" in answer_fault(question, text)


def test_action_is_the_best_of_the_equities() -> None:
    found = cube()
    for action in {"no double", "double, pass", "too good to double, take", "x"} - {found.action}:
        assert found.action in fault_of_cube(replace(found, action=action))
    assert "passed" in fault_of_cube(replace(found, double_pass=0.7))
    assert "beaver" in fault_of_cube(replace(found, double_beaver=0.1))


def test_question_that_was_not_asked_is_not_answered() -> None:
    whole = play()
    question = PLAY.to_text()
    for wrong in (replace(whole, luck=None), replace(whole, cube=None), ActionAnalysis()):
        assert "was expected" in answer_fault(question, analysis_to_text(wrong))
    opening = replace(PLAY, kind=DecisionKind.OPENING).to_text()
    assert "no cube question" in answer_fault(opening, analysis_to_text(whole))


def test_values_are_of_the_moves_asked_about() -> None:
    values = MovesAnswer.from_text(answered(MOVES.to_text())).evaluations
    other = (values[0]._replace(number=1), *values[1:])
    for wrong in (values[:2], values[::-1], (*values, values[0]), other):
        assert answer_fault(MOVES.to_text(), MovesAnswer(tuple(wrong)).to_text())


def test_rolled_out_answers_are_taken_and_keep_to_the_ranges_of_trials() -> None:
    settings = replace(PLAY.settings, rollout=RolloutSettings(2, truncation_ply=3, candidates=2))
    question = replace(PLAY, settings=settings).to_text()
    found = analysis_from_text(answered(question))
    assert answer_fault(question, analysis_to_text(found)) == ""
    assert found.checker is not None
    first, *others = found.checker.moves
    for wrong in (
        replace(first, equity_cubeless=1e6),
        replace(first, std_error=-0.1),
        replace(first, std_error=None),
        replace(first, level="rollout 36"),
    ):
        checker = replace(found.checker, moves=(wrong, *others))
        assert answer_fault(question, analysis_to_text(replace(found, checker=checker)))

"""Contexts are their texts, have the meant alternatives, and are of the kinds of the front."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon import context as c
from engine_ext.backgammon.alternatives import (
    cube_alternatives,
    move_alternatives,
    roll_alternatives,
    rollout_context,
)
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.context import ALTERNATIVES_MAX, KIND, RolloutContext
from engine_ext.backgammon.front import FRONT
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.levels import level_of
from engine_ext.backgammon.limits import SEED_MAX, TRUNCATION_PLY_MAX
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from engine_ext.backgammon.met_code import met_from_code
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.notation import MoveError
from engine_ext.backgammon.play import decide_cube, evaluate, rank_moves
from engine_ext.backgammon.questions import (
    ANALYSE_KIND,
    MOVES_KIND,
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.contexts import CONTEXT_BYTES_MAX, ContextError
from engine_ext.front import TRIALS
from tests.engine_ext.backgammon.questions_asked import (
    ENGINE,
    analyse_questions,
    moves_questions,
    settings,
)
from tests.engine_ext.backgammon.tables import FAVOURITE

START_ID = "4HPwATDgc/ABMA"

position_ids = st.text("ABCxyz019+/", min_size=14, max_size=14)
moves = st.builds(
    c.Alternative,
    st.just(c.AlternativeKind.MOVE),
    position_ids,
    st.text(st.characters(codec="ascii"), min_size=1, max_size=30),
)
alternatives = st.one_of(st.sampled_from([c.POSITION_ITSELF, c.NO_DOUBLE, c.DOUBLE_TAKE]), moves)
dice = st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6))


mets = st.sampled_from(["kazaross-xg2", "half.2.3.jS3jJig", "pair1.2.3.by6CNvBPLW7dqiWqzY"])


@st.composite
def contexts(draw: st.DrawFn) -> c.RolloutContext:
    length = draw(st.integers(0, c.MATCH_LENGTH_MAX))
    score = draw(st.tuples(*[st.integers(0, max(0, length - 1))] * 2))
    is_one_away = length > 0 and length - 1 in score
    levels = st.none() | st.integers(0, 3)
    late = draw(st.tuples(levels, levels))
    truncation_ply = draw(st.integers(0, TRUNCATION_PLY_MAX))
    is_initial = draw(st.booleans())
    several = st.lists(alternatives, min_size=1, max_size=5).map(tuple)
    return c.RolloutContext(
        engine=draw(st.text("0123456789abcdef", min_size=16, max_size=16)),
        position_id=draw(position_ids),
        cube_value=2 ** draw(st.integers(0, 12)),
        cube_owner=-1 if is_initial else draw(st.integers(-1, 1)),
        match_length=length,
        score=score,
        crawford=is_one_away and draw(st.booleans()),
        jacoby=length == 0 and draw(st.booleans()),
        beavers=length == 0 and draw(st.booleans()),
        met=draw(mets) if length else "none",
        dice=draw(dice),
        alternatives=(c.POSITION_ITSELF,) if is_initial else draw(several),
        seed=draw(st.integers(0, SEED_MAX)),
        ply=draw(st.integers(0, 3)),
        cube_ply=draw(st.integers(0, 3)),
        opponent_ply=draw(levels),
        opponent_cube_ply=draw(levels),
        late_after=0 if late == (None, None) else draw(st.integers(1, TRUNCATION_PLY_MAX)),
        late_ply=late[0],
        late_cube_ply=late[1],
        move_filter=draw(st.sampled_from(MOVE_FILTERS)),
        variance_reduction=draw(st.booleans()),
        truncation_ply=truncation_ply,
        evaluation_ply=draw(levels) if truncation_ply else None,
        bearoff_truncation=draw(st.booleans()),
        quasi_random=draw(st.booleans()),
        rollout_initial=is_initial,
    )


@given(contexts())
def test_text_comes_back_as_the_same_context(context: c.RolloutContext) -> None:
    text = context.to_text()
    assert text.isascii()
    assert text.isprintable()
    assert c.RolloutContext.from_text(text) == context
    assert c.RolloutContext.from_text(text).to_text() == text


@given(st.text())
def test_any_other_text_is_a_context_error(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        c.RolloutContext.from_text(text)
    assert caught.value.code == "bad-context"


@given(contexts(), st.data())
@pytest.mark.when_changed
def test_a_damaged_text_is_refused_or_means_what_it_says(
    context: c.RolloutContext, data: st.DataObject
) -> None:
    text = context.to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        read = c.RolloutContext.from_text(damaged)
    except ContextError:
        return
    assert read.to_text() == damaged


def test_a_match_by_the_shipped_table_is_written_as_ever() -> None:
    """A stored rollout's text is its identity."""
    match = c.RolloutContext(
        ENGINE, START_ID, match_length=7, score=(2, 4), jacoby=False, met="kazaross-xg2"
    )
    assert match.to_text() == (
        f"backgammon-rollout/1 engine={ENGINE} position_id={START_ID.replace('/', '%2F')} "
        "cube_value=1 cube_owner=centred match_length=7 score=2-4 crawford=no jacoby=no "
        "beavers=no met=kazaross-xg2 dice=none alternatives=position seed=0 ply=0 cube_ply=0 "
        "opponent_ply=same opponent_cube_ply=same late_after=0 late_ply=same late_cube_ply=same "
        "move_filter=normal cubeful=yes variance_reduction=yes truncation_ply=0 "
        "evaluation_ply=same bearoff_truncation=yes quasi_random=yes rollout_initial=no"
    )


def text_with(key: str, value: str) -> str:
    text = c.RolloutContext(ENGINE, START_ID).to_text()
    return re.sub(f" {key}=[^ ]*", f" {key}={value}", text)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine", "xyz"),
        ("position_id", "short"),
        ("cube_value", "3"),
        ("cube_value", "01"),
        ("cube_owner", "nobody"),
        ("match_length", "65"),
        ("match_length", "7"),
        ("score", "1-0"),
        ("crawford", "yes"),
        ("jacoby", "1"),
        ("met", "kazaross-xg2"),
        ("met", "Kazaross"),
        ("met", "half.2.3.jS3j=ig"),
        ("dice", "37"),
        ("alternatives", ""),
        ("alternatives", "move"),
        ("alternatives", "position:a:b"),
        ("seed", "-1"),
        ("seed", str(2**63)),
        ("ply", "4"),
        ("ply", "0.5"),
        ("move_filter", "wide"),
        ("truncation_ply", "1001"),
        ("opponent_ply", "4"),
        ("opponent_cube_ply", "none"),
        ("late_after", "1001"),
        ("late_after", "2"),
        ("late_ply", "1"),
        ("evaluation_ply", "1"),
    ],
)
def test_a_bad_value_is_named(key: str, value: str) -> None:
    with pytest.raises(ContextError) as caught:
        c.RolloutContext.from_text(text_with(key, value))
    assert caught.value.code == "bad-context"


def test_every_key_is_required_once_and_no_other_is_known() -> None:
    text = c.RolloutContext(ENGINE, START_ID).to_text()
    kind, *words = text.split(" ")
    for i in range(len(words)):
        with pytest.raises(ContextError, match="missing"):
            c.RolloutContext.from_text(" ".join([kind, *words[:i], *words[i + 1 :]]))
    with pytest.raises(ContextError, match="twice"):
        c.RolloutContext.from_text(f"{text} ply=0")
    with pytest.raises(ContextError, match="unknown key"):
        c.RolloutContext.from_text(f"{text} colour=red")


def test_keys_in_another_order_are_not_canonical() -> None:
    kind, first, second, *words = c.RolloutContext(ENGINE, START_ID).to_text().split(" ")
    with pytest.raises(ContextError, match="canonical"):
        c.RolloutContext.from_text(" ".join([kind, second, first, *words]))


def test_a_level_that_is_the_standard_one_is_the_same_context() -> None:
    same = c.RolloutContext(ENGINE, START_ID, ply=2, cube_ply=1, truncation_ply=9)
    named = replace(same, opponent_ply=2, opponent_cube_ply=1, evaluation_ply=1)
    assert named == same
    assert " opponent_ply=same " in named.to_text()
    with pytest.raises(ContextError, match="canonical"):
        c.RolloutContext.from_text(same.to_text().replace("opponent_ply=same", "opponent_ply=2"))


def test_an_opening_roll_comes_before_any_move_or_cube() -> None:
    initial = c.RolloutContext(ENGINE, START_ID, rollout_initial=True)
    with pytest.raises(ContextError, match="only a position itself"):
        replace(initial, alternatives=(c.NO_DOUBLE,))
    with pytest.raises(ContextError, match="nobody owns the cube"):
        replace(initial, cube_owner=1, cube_value=2)


def test_alternatives_have_the_names_a_user_reads() -> None:
    move = c.Alternative(c.AlternativeKind.MOVE, START_ID, "8/5 6/5")
    names = [a.name for a in (c.POSITION_ITSELF, c.NO_DOUBLE, c.DOUBLE_TAKE, move)]
    assert names == ["position", "no double", "double, take", "8/5 6/5"]


def test_a_cube_question_needs_a_cube() -> None:
    context = c.RolloutContext(ENGINE, START_ID, alternatives=(c.NO_DOUBLE, c.DOUBLE_TAKE))
    with pytest.raises(ContextError, match="cubeful"):
        replace(context, cubeful=False)


STATE = parse_id(START_ID)


def test_moves_of_a_roll_come_best_first_and_as_many_as_asked_for() -> None:
    names = [alternative.name for alternative in roll_alternatives(STATE, (3, 1))]
    assert names == [move.text for move in rank_moves(STATE, (3, 1))]
    assert [a.name for a in roll_alternatives(STATE, (3, 1), 2)] == names[:2]


def test_the_longest_list_of_moves_fits_a_context() -> None:
    many = parse_id("4HPwATDgc/ABMA:MAAAAAAAAAAA").position
    state = GameState(many, MatchState())
    alternatives = roll_alternatives(state, (1, 1))
    assert 20 < len(alternatives) <= ALTERNATIVES_MAX
    longest = (alternatives * ALTERNATIVES_MAX)[:ALTERNATIVES_MAX]
    assert len(rollout_context(state, longest, (1, 1)).to_text()) < CONTEXT_BYTES_MAX


def test_written_moves_keep_their_order_and_lose_their_spelling() -> None:
    moves = move_alternatives(STATE, (3, 1), ["24/20", "6/5 8/5"])
    assert [move.name for move in moves] == ["24/20", "8/5 6/5"]
    assert [move.name for move in move_alternatives(STATE, None, ["8/5 6/5"])] == ["8/5 6/5"]


def test_moves_that_are_not_legal_or_given_twice_are_refused() -> None:
    with pytest.raises(MoveError):
        move_alternatives(STATE, (3, 1), ["8/4 6/4"])
    with pytest.raises(ContextError, match="given twice"):
        move_alternatives(STATE, (3, 1), ["8/5 6/5", "6/5 8/5"])


def test_a_cube_question_needs_a_player_who_may_double() -> None:
    names = [alternative.name for alternative in cube_alternatives(STATE)]
    assert names == ["no double", "double, take"]
    owned = GameState(STATE.position, MatchState(cube_value=2, cube_owner=1))
    with pytest.raises(ContextError, match="no double"):
        cube_alternatives(owned)


@pytest.mark.parametrize(
    "match",
    [
        MatchState(),
        MatchState(score=(5, 2), jacoby=False),
        MatchState(match_length=7, score=(6, 3), crawford=True),
        MatchState(match_length=9, score=(1, 3), cube_value=4, cube_owner=0),
    ],
)
def test_every_state_has_a_context(match: MatchState) -> None:
    context = rollout_context(GameState(STATE.position, match), seed=5, ply=2, cubeful=False)
    assert RolloutContext.from_text(context.to_text()) == context
    assert (context.seed, context.ply, context.cubeful) == (5, 2, False)
    assert context.match_length == match.match_length
    assert (context.jacoby, context.beavers) == (match.jacoby, match.beavers)


MATCH = GameState(STATE.position, MatchState(match_length=3, score=(1, 0), player_on_roll=1))


def test_a_rollout_by_another_table_carries_it() -> None:
    context = rollout_context(MATCH, table=MatchTable(FAVOURITE))
    assert met_from_code(context.met) == (replace(FAVOURITE, name="of a rollout"), 1)
    assert RolloutContext.from_text(context.to_text()) == context
    top = GameState(MATCH.position, replace(MATCH.match, player_on_roll=0))
    assert met_from_code(rollout_context(top, table=MatchTable(FAVOURITE)).met)[1] == 0


def test_the_shipped_table_has_its_name_wherever_it_comes_from() -> None:
    again = MatchTable(replace(kazaross_xg2(), name="from a file"))
    assert rollout_context(MATCH, table=again) == rollout_context(MATCH)
    assert rollout_context(MATCH).met == MET_NAME


def test_moves_of_a_roll_are_ranked_by_the_table_given() -> None:
    table = MatchTable(FAVOURITE)
    names = [alternative.name for alternative in roll_alternatives(MATCH, (6, 4), table=table)]
    assert names == [move.text for move in rank_moves(MATCH, (6, 4), table=table)]


def test_many_moves_and_a_large_table_may_be_too_much() -> None:
    pre = tuple(
        tuple(round(0.5 + (j - i) / 200 + 1e-9 * (j - i), 9) for j in range(53)) for i in range(53)
    )
    met = Met("large", 53, pre, tuple(round(0.5 - i / 200, 9) for i in range(53)))
    state = GameState(STATE.position, MatchState(match_length=53))
    table = MatchTable(met)
    assert len(rollout_context(state, table=table).to_text()) > 7500
    alternatives = roll_alternatives(state, (1, 1)) * 4
    with pytest.raises(ContextError, match="at most 8192 travel: compare fewer moves"):
        rollout_context(state, alternatives[:ALTERNATIVES_MAX], (1, 1), table=table)


def test_a_setting_out_of_range_is_refused() -> None:
    with pytest.raises(ContextError):
        rollout_context(STATE, ply=7)


MONEY = MatchState(jacoby=False, beavers=False)
TO_FIVE = MatchState(match_length=5, score=(1, 2), jacoby=False, beavers=False)


def bear_off(checkers: int, opponent: int = 1) -> Position:
    def slots(count: int) -> list[int]:
        return [15 - count, 0, 0, count] + [0] * 22

    return Position(slots(checkers), slots(opponent))


@pytest.mark.parametrize(
    ("position", "level"),
    [
        (START, "2-ply"),
        (bear_off(7), "2-ply"),
        (bear_off(6), "exact"),
        (bear_off(6, 7), "2-ply"),
        (bear_off(0), "exact"),
    ],
)
def test_a_level_is_exact_for_six_checkers_a_side_and_when_the_game_is_over(
    position: Position, level: str
) -> None:
    assert level_of(position, 2) == level


@pytest.mark.parametrize("match", [MONEY, TO_FIVE])
def test_exact_answers_are_the_same_at_every_ply(match: MatchState) -> None:
    state = GameState(bear_off(5, 4), match)
    evaluations = [evaluate(state, ply) for ply in (0, 1, 3)]
    assert {evaluation.level for evaluation in evaluations} == {"exact"}
    assert len({evaluation.equity_cubeful for evaluation in evaluations}) == 1
    decisions = [decide_cube(state, ply) for ply in (0, 2)]
    assert [decision.ply for decision in decisions] == [0, 2]
    assert len({(one.no_double, one.double_take, one.level) for one in decisions}) == 1


def test_each_move_has_its_own_level() -> None:
    state = GameState(bear_off(7, 4), TO_FIVE)
    levels = {move.text: move.level for move in rank_moves(state, (3, 2), 1)}
    assert levels == {"3/off 3/1": "exact"}
    state = GameState(bear_off(9, 4), TO_FIVE)
    assert {move.level for move in rank_moves(state, (3, 2), 1)} == {"1-ply"}


DEPTHS = (
    AnalysisSettings(ply=1),
    AnalysisSettings(cube_ply=1),
    AnalysisSettings(luck_ply=1),
    AnalysisSettings(move_filter="huge"),
    AnalysisSettings(rollout=RolloutSettings(36)),
)

Question = AnalyseQuestion | MovesQuestion


def work_of(question: Question) -> tuple[str, ...]:
    """Return the words of a question that say how much work it is, its kind first."""
    kind, *words = question.to_text().split(" ")
    keys = FRONT.kinds[kind].work_keys
    return kind, *(word for word in words if word.split("=")[0] in keys)


@given(analyse_questions | moves_questions)
@pytest.mark.when_changed
def test_every_question_is_of_a_kind_that_the_front_declares(question: Question) -> None:
    kind = MOVES_KIND if isinstance(question, MovesQuestion) else ANALYSE_KIND
    assert services.question_kind(question.to_text()) == ("backgammon", FRONT.kinds[kind])
    assert FRONT.kinds[kind].service == kind.removeprefix("backgammon-").removesuffix("/1")


def test_only_rollouts_are_contexts() -> None:
    contexts = [word for word, kind in FRONT.kinds.items() if kind.service == TRIALS]
    assert contexts == [KIND]
    text = RolloutContext(ENGINE, START.position_id).to_text()
    assert services.context_game(text) == "backgammon"
    assert services.describe(text).line
    assert FRONT.is_game


@given(analyse_questions, settings)
@pytest.mark.when_changed
def test_decisions_looked_into_alike_are_the_same_work(
    question: AnalyseQuestion, chosen: AnalysisSettings
) -> None:
    asked = AnalyseQuestion(ENGINE, STATE, DecisionKind.CUBE, chosen)
    assert work_of(replace(question, settings=chosen)) == work_of(asked)


@pytest.mark.parametrize("deeper", DEPTHS, ids=range(len(DEPTHS)))
def test_decisions_looked_into_deeper_are_other_work(deeper: AnalysisSettings) -> None:
    asked = AnalyseQuestion(ENGINE, STATE, DecisionKind.CUBE)
    assert work_of(replace(asked, settings=deeper)) != work_of(asked)


@given(moves_questions, st.integers(0, 3))
@pytest.mark.when_changed
def test_moves_at_another_ply_are_other_work(question: MovesQuestion, ply: int) -> None:
    other = replace(question, ply=ply)
    assert (work_of(question) == work_of(other)) == (question.ply == ply)

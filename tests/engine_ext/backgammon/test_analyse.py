"""An analysis of a decision follows from its searches and rollouts as the rules have it."""

import random
from dataclasses import replace
from math import sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon import rolled_out
from engine_ext.backgammon.alternatives import cube_alternatives, move_alternatives, rollout_context
from engine_ext.backgammon.analyse import MOVES_KEPT, analyse
from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.context import Alternative
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.play import SearchStopped, decide_cube, rank_moves
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    RolloutSettings,
)
from engine_ext.backgammon.ranking import Probs
from engine_ext.backgammon.rolled_out import RolledOut, roll_out, rollout_of
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import played_positions, random_roll

ENGINE = "0" * 16
MONEY = MatchState()
MATCH = MatchState(match_length=7, score=(3, 5))
STATE = GameState(START, MONEY)
SHALLOW = AnalysisSettings(ply=0, cube_ply=0, luck_ply=0)
ONE_PLY = AnalysisSettings(ply=1, cube_ply=1, luck_ply=None)
ROLLS = [(die1, die2) for die1 in range(1, 7) for die2 in range(1, die1 + 1)]


def play(
    state: GameState,
    dice: tuple[int, int],
    text: str,
    settings: AnalysisSettings = SHALLOW,
    kind: DecisionKind = DecisionKind.MOVE,
) -> AnalyseQuestion:
    steps = parse_move(state.position, dice, text).steps
    return AnalyseQuestion(ENGINE, state, kind, settings, dice, steps)


def analysed(question: AnalyseQuestion) -> ActionAnalysis:
    return analyse(question, RunControl())


def checker_of(question: AnalyseQuestion) -> CheckerAnalysis:
    checker = analysed(question).checker
    assert checker is not None
    return checker


def random_plays(count: int, settings: AnalysisSettings) -> list[AnalyseQuestion]:
    rng, questions = random.Random(count), []
    for position in played_positions(3, count):
        state, dice = GameState(position, rng.choice((MONEY, MATCH))), random_roll(rng)
        steps = rng.choice(legal_moves(position, dice)).steps
        questions.append(AnalyseQuestion(ENGINE, state, DecisionKind.MOVE, settings, dice, steps))
    return questions


@pytest.mark.parametrize("settings", [SHALLOW, ONE_PLY], ids=["0-ply", "1-ply"])
def test_moves_are_those_of_the_ranking_with_the_played_one_at_full_ply(
    settings: AnalysisSettings,
) -> None:
    for question in random_plays(40, settings):
        checker = checker_of(question)
        assert question.dice is not None
        ranked = rank_moves(question.state, question.dice, settings.ply)
        played = checker.moves[checker.played]
        if checker.is_forced:
            assert len(ranked) == len(checker.moves) == 1
            assert played.level == "0-ply"
            continue
        assert played.level == checker.moves[0].level == f"{settings.ply}-ply"
        assert len(checker.moves) in (min(len(ranked), MOVES_KEPT), MOVES_KEPT + 1)
        others = [m.text for m in ranked if m.text != played.text]
        listed = [m.text for m in checker.moves if m.text != played.text]
        assert listed == others[: len(listed)]
        full = [m.equity_cubeful for m in checker.moves if m.level == played.level]
        assert full == sorted(full, reverse=True)
        known = {m.text: m for m in ranked if m.ply == settings.ply}
        for move in checker.moves:
            if move.text in known:
                assert move.equity_cubeful == known[move.text].equity_cubeful
                assert move.equity_cubeless == known[move.text].equity_cubeless
                assert move.probs == known[move.text].probs


def test_a_played_move_that_the_filter_dropped_is_valued_at_full_ply() -> None:
    bad = checker_of(play(STATE, (3, 1), "24/20", ONE_PLY))
    assert bad.played == len([m for m in bad.moves if m.level == "1-ply"]) - 1
    ranked = rank_moves(STATE, (3, 1), 1)
    dropped = next(m for m in ranked if m.text == "24/20")
    assert dropped.ply == 0
    assert bad.moves[bad.played].level == "1-ply"
    assert bad.error > 0.1
    wide = replace(ONE_PLY, move_filter="huge")
    assert checker_of(play(STATE, (3, 1), "24/20", wide)).error == bad.error


def test_the_list_is_bounded_and_holds_the_played_move() -> None:
    position = next(
        position
        for position in played_positions(5, 200)
        if len(legal_moves(position, (1, 1))) > 2 * MOVES_KEPT
    )
    state = GameState(position, MONEY)
    worst = rank_moves(state, (1, 1))[-1]
    checker = checker_of(play(state, (1, 1), worst.text))
    assert len(checker.moves) == MOVES_KEPT + 1
    assert checker.played == MOVES_KEPT
    assert checker.moves[-1].text == worst.text


def test_a_roll_that_moves_nothing_is_forced() -> None:
    closed = Position([9] + [0] * 24 + [6], [3] + [2] * 6 + [0] * 19)
    question = AnalyseQuestion(
        ENGINE, GameState(closed, MONEY), DecisionKind.MOVE, ONE_PLY, (6, 5), ()
    )
    checker = checker_of(question)
    assert checker.is_forced
    assert checker.error == 0.0
    assert [move.text for move in checker.moves] == ["no move"]


def test_an_illegal_move_is_refused_by_name() -> None:
    with pytest.raises(ContextError, match="8/5 6/4 is no legal move with 3-1") as caught:
        analysed(
            AnalyseQuestion(ENGINE, STATE, DecisionKind.MOVE, SHALLOW, (3, 1), ((8, 5), (6, 4)))
        )
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize("match", [MONEY, MATCH], ids=["money", "match"])
@pytest.mark.parametrize("ply", [0, 1])
def test_the_cube_question_is_that_of_the_search(match: MatchState, ply: int) -> None:
    settings = AnalysisSettings(ply=0, cube_ply=ply, luck_ply=None)
    for position in played_positions(8, 20):
        state = GameState(position, match)
        cube = analysed(AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, settings)).cube
        decision = decide_cube(state, ply)
        assert cube is not None
        assert (cube.no_double, cube.double_take, cube.double_pass, cube.action) == (
            decision.no_double,
            decision.double_take,
            decision.double_pass,
            decision.action,
        )
        dice = (6, 4)
        steps = legal_moves(position, dice)[0].steps
        moved = AnalyseQuestion(ENGINE, state, DecisionKind.MOVE, settings, dice, steps)
        assert analysed(moved).cube == cube


def test_a_double_that_is_beavered_is_worth_what_the_beaver_leaves() -> None:
    trailing = Position([0] * 4 + [0, 5, 5, 5] + [0] * 18, [5, 5, 5] + [0] * 23)
    state = GameState(trailing, MatchState(jacoby=False, beavers=True))
    cube = analysed(AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, SHALLOW)).cube
    decision = decide_cube(state, 0)
    assert cube is not None
    assert cube.double_beaver == decision.double_beaver == 2 * cube.double_take
    assert cube.double_take < 0
    assert (cube.not_passed, cube.doubled) == (cube.double_beaver, cube.double_beaver)
    assert cube.best == cube.no_double
    assert cube.action == "no double, beaver"


def test_a_play_has_no_cube_question_where_nobody_may_double_or_nobody_asks() -> None:
    owned = GameState(START, MatchState(cube_value=2, cube_owner=1))
    assert analysed(play(owned, (3, 1), "8/5 6/5")).cube is None
    assert analysed(play(STATE, (3, 1), "8/5 6/5", kind=DecisionKind.OPENING)).cube is None
    unasked = replace(SHALLOW, cube_ply=None)
    assert analysed(play(STATE, (3, 1), "8/5 6/5", unasked)).cube is None
    with pytest.raises(ContextError, match="may not double"):
        analysed(AnalyseQuestion(ENGINE, owned, DecisionKind.CUBE, SHALLOW))


def lucks(state: GameState, kind: DecisionKind, ply: int = 0) -> dict[tuple[int, int], float]:
    found = {}
    for dice in ROLLS:
        if kind is DecisionKind.OPENING and dice[0] == dice[1]:
            continue
        steps = legal_moves(state.position, dice)[0].steps
        settings = replace(SHALLOW, luck_ply=ply)
        luck = analysed(AnalyseQuestion(ENGINE, state, kind, settings, dice, steps)).luck
        assert luck is not None
        found[dice] = luck
    return found


@pytest.mark.parametrize("ply", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.when_changed
def test_luck_is_nought_on_average_and_orders_the_rolls_by_their_best_moves(ply: int) -> None:
    state = GameState(played_positions(8, 12)[-1], MATCH)
    luck = lucks(state, DecisionKind.MOVE, ply)
    total = sum(value * (1 if dice[0] == dice[1] else 2) for dice, value in luck.items())
    assert total / 36 == pytest.approx(0, abs=1e-12)
    best = {dice: rank_moves(state, dice, ply)[0].equity_cubeful for dice in ROLLS}
    means = {best[dice] - luck[dice] for dice in ROLLS}
    assert max(means) - min(means) < 1e-12


@pytest.mark.parametrize("match", [MONEY, MATCH], ids=["money", "match"])
def test_a_players_luck_in_opening_rolls_is_nought(match: MatchState) -> None:
    swapped = replace(match, score=(match.score[1], match.score[0]))
    own = lucks(GameState(START, match), DecisionKind.OPENING)
    other = lucks(GameState(START, swapped), DecisionKind.OPENING)
    assert (sum(own.values()) - sum(other.values())) / 30 == pytest.approx(0, abs=1e-12)
    assert max(own, key=own.__getitem__) == (3, 1)


def test_luck_is_left_out_where_it_is_not_asked_for() -> None:
    assert analysed(play(STATE, (3, 1), "8/5 6/5", ONE_PLY)).luck is None


ROLLOUT = RolloutSettings(trials=12, seed=7, truncation_ply=5, candidates=2)


def means_of(
    question: AnalyseQuestion,
    alternatives: tuple[Alternative, ...],
    settings: RolloutSettings,
    control: RunControl,
) -> list[RolledOut]:
    return roll_out(rollout_of(question, alternatives, settings), settings.trials, control)


def test_moves_rolled_out_have_the_means_of_their_rollout() -> None:
    settings = AnalysisSettings(ply=0, cube_ply=None, luck_ply=None, rollout=ROLLOUT)
    question = play(STATE, (3, 1), "24/20", settings)
    checker = checker_of(question)
    ranked = rank_moves(STATE, (3, 1))
    texts = [ranked[0].text, ranked[1].text, "24/20"]
    alternatives = move_alternatives(STATE, (3, 1), texts)
    expected = means_of(question, alternatives, ROLLOUT, RunControl())
    by_text = dict(zip(texts, expected, strict=True))
    rolled = checker.moves[:3]
    assert {move.text for move in rolled} == set(texts)
    equities = [move.equity_cubeful for move in rolled]
    assert equities == sorted(equities, reverse=True)
    for move in rolled:
        assert move.level == "rollout 12"
        assert move.equity_cubeful == by_text[move.text].equity_cubeful
        assert move.probs == by_text[move.text].probs
        assert move.std_error == by_text[move.text].std_error > 0
    assert all(m.level == "0-ply" and m.std_error is None for m in checker.moves[3:])
    assert checker.moves[checker.played].text == "24/20"


def test_a_move_that_is_alone_in_question_is_not_rolled_out() -> None:
    alone = replace(ROLLOUT, candidates=1)
    settings = AnalysisSettings(ply=0, cube_ply=None, luck_ply=None, rollout=alone)
    assert checker_of(play(STATE, (3, 1), "8/5 6/5", settings)).moves[0].level == "0-ply"
    assert checker_of(play(STATE, (3, 1), "24/20", settings)).moves[1].level == "rollout 12"


def test_a_cube_question_rolled_out_compares_no_double_with_a_take() -> None:
    settings = AnalysisSettings(ply=0, cube_ply=0, rollout=ROLLOUT)
    state = GameState(position_from_id("bW7AAAvD3QMHAA"), MONEY)
    question = AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, settings)
    cube = analysed(question).cube
    idle, taken = means_of(question, cube_alternatives(state), ROLLOUT, RunControl())
    assert cube is not None
    assert (cube.level, cube.double_pass) == ("rollout 12", 1.0)
    assert (cube.no_double, cube.double_take) == (idle.equity_cubeful, taken.equity_cubeful)
    assert cube.std_error == max(idle.std_error, taken.std_error)


@pytest.mark.parametrize("rollout", [None, replace(ROLLOUT, trials=1000, truncation_ply=0)])
def test_a_stopped_analysis_says_nothing(rollout: RolloutSettings | None) -> None:
    control = RunControl()
    control.stop()
    settings = AnalysisSettings(ply=2, rollout=rollout)
    with pytest.raises(SearchStopped):
        analyse(play(STATE, (3, 1), "8/5 6/5", settings), control)


PROBS = Probs(0.5, 0.1, 0.0, 0.1, 0.0)

equities = st.floats(-6.0, 6.0)


def cube_analysis(
    no_double: float, double_take: float, double_pass: float, double_beaver: float | None = None
) -> CubeAnalysis:
    return CubeAnalysis(
        "2-ply", no_double, double_take, double_pass, "", 0.0, PROBS, double_beaver=double_beaver
    )


def checker_analysis(values: list[float], played: int) -> CheckerAnalysis:
    moves = tuple(MoveAnalysis(str(i), "2-ply", e, 0.0, PROBS) for i, e in enumerate(values))
    return CheckerAnalysis(moves, played, len(values) == 1)


cubes = st.builds(cube_analysis, equities, equities, equities, st.none() | equities)


@given(cubes)
def test_an_opponent_who_answers_best_leaves_the_least(cube: CubeAnalysis) -> None:
    assert cube.doubled == min(cube.not_passed, cube.double_pass)
    assert cube.doubled <= cube.double_pass
    assert cube.doubled in (cube.double_take, cube.double_pass, cube.double_beaver)


@given(cubes)
def test_a_player_who_acts_best_has_the_most(cube: CubeAnalysis) -> None:
    assert cube.best >= cube.no_double
    assert cube.best >= cube.doubled
    assert cube.best in (cube.no_double, cube.doubled)


@given(cubes)
def test_a_beaver_is_an_answer_only_where_there_is_one(cube: CubeAnalysis) -> None:
    taken = cube.double_take if cube.double_beaver is None else cube.double_beaver
    assert cube.not_passed == taken


@given(equities, equities, equities, st.floats(0.0, 3.0))
def test_a_beaver_that_gains_the_opponent_something_costs_the_doubler_no_less(
    no_double: float, double_take: float, double_pass: float, gain: float
) -> None:
    plain = cube_analysis(no_double, double_take, double_pass)
    beavered = cube_analysis(no_double, double_take, double_pass, double_take - gain)
    assert beavered.doubled <= plain.doubled
    assert beavered.best <= plain.best


@given(st.lists(equities, min_size=1, max_size=8), st.data())
def test_the_error_of_a_play_is_what_the_best_one_has_over_it(
    values: list[float], data: st.DataObject
) -> None:
    ranked = sorted(values, reverse=True)
    played = data.draw(st.integers(0, len(ranked) - 1))
    analysis = checker_analysis(ranked, played)
    assert analysis.error == ranked[0] - ranked[played]
    assert (analysis.error == 0.0) == (ranked[played] == ranked[0])
    assert checker_analysis(ranked, 0).error == 0.0


def test_an_equal_play_that_has_a_last_bit_more_is_no_error() -> None:
    assert checker_analysis([0.1, 0.1 + 2**-54], 1).error == 0.0


ONE_ROLLOUT = RolloutSettings(trials=9, seed=3, truncation_ply=4)
QUESTION = AnalyseQuestion(
    "0" * 16,
    STATE,
    DecisionKind.CUBE,
    AnalysisSettings(move_filter="tiny", rollout=ONE_ROLLOUT),
)


def test_means_are_those_of_the_rollouts_trials() -> None:
    alternatives = cube_alternatives(STATE)
    context = rollout_context(STATE, alternatives, seed=3, truncation_ply=4, move_filter="tiny")
    trials = RolloutPlayer(context).run(0, 18, RunControl())
    for i, rolled in enumerate(means_of(QUESTION, alternatives, ONE_ROLLOUT, RunControl())):
        columns = list(zip(*trials[i::2], strict=True))
        means = [*rolled.probs, rolled.equity_cubeless, rolled.equity_cubeful]
        assert means == pytest.approx([mean(column) for column in columns], abs=1e-12)
        assert rolled.std_error == pytest.approx(stdev(columns[6]) / sqrt(9), abs=1e-12)


def test_a_single_trial_has_no_spread() -> None:
    single = RolloutSettings(trials=1)
    rolled = means_of(QUESTION, cube_alternatives(STATE), single, RunControl())
    assert [one.std_error for one in rolled] == [0.0, 0.0]


def test_a_stopped_rollout_has_no_means() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SearchStopped):
        means_of(QUESTION, cube_alternatives(STATE), ONE_ROLLOUT, control)


def test_how_many_are_played_at_once_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = means_of(QUESTION, cube_alternatives(STATE), ONE_ROLLOUT, RunControl())
    monkeypatch.setattr(rolled_out, "ROUNDS_AT_ONCE_MAX", 2)
    assert means_of(QUESTION, cube_alternatives(STATE), ONE_ROLLOUT, RunControl()) == whole

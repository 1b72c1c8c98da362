from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext import services
from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.backgammon.trials import engine_digest
from engine_ext.control import RunControl
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.judging import (
    ActionChoice,
    CubeMistake,
    Judgement,
    cost_of,
    judge,
)
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import start_of
from tests.engine_ext.backgammon.exact_bearoffs import BearOff
from tests.master.games.backgammon.matches.analysed_matches import analysed_matches, checker, cube
from tests.master.games.backgammon.matches.solved_games import solved_game

BEAR_OFFS = [
    (BearOff((6, 3, 2, 1), (6, 6, 1), 2, is_owned=True, length=25, score=(21, 18)), 30),
    (BearOff((6, 1, 1), (5, 2), 1, is_owned=False, length=11, score=(2, 9)), 48),
    (BearOff((5, 3, 3), (5, 1, 1), 1, is_owned=False, length=9, score=(7, 2)), 90),
    (BearOff((6,), (6, 1), 2, is_owned=True, length=25, score=(20, 5)), 142),
]
"""Ends of games, and seeds of their dice: a money table stretched over these scores charged their
right decisions .667, .328, .099 and .208."""

OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(1, (6, 5), ((24, 18), (18, 13)))
MONEY = Match(("A", "B"), 0, beavers=True)


def judged(*actions: tuple[Action, ActionAnalysis | None]) -> list[Judgement]:
    """Judge a game of these actions; its beginning is the last that is not analysed."""
    played = tuple(action for action, _ in actions)
    result = Result(0, 1) if isinstance(played[-1], Drop) else None
    match = replace(MONEY, games=(Game((0, 0), played, result),))
    analyses = (tuple(analysis for _, analysis in actions),)
    return list(judge(AnalysedMatch(match, analyses), 0).decisions)


def after_opening(*actions: tuple[Action, ActionAnalysis | None]) -> list[Judgement]:
    return judged((OPENING, None), (REPLY, None), *actions)


def test_move_gives_away_what_the_best_is_better() -> None:
    (move,) = judged((OPENING, checker(0.05, 0.2)))
    assert move.choice is ActionChoice.MOVE
    assert move.error == pytest.approx(0.05)
    assert (move.played, move.best, move.dice) == ("8/5 6/5", "24/23 13/11", (3, 1))
    assert move.is_close
    assert move.is_counted


def test_forced_move_is_not_close() -> None:
    forced = checker(0.0)
    assert forced.checker is not None
    forced = ActionAnalysis(replace(forced.checker, is_forced=True))
    (move,) = judged((OPENING, forced))
    assert not move.is_close
    assert not move.is_counted


def test_move_that_makes_no_difference_does_not_count_for_pr() -> None:
    (move,) = judged((OPENING, checker(0.0004, 0.0009)))
    assert move.is_close
    assert not move.is_counted


DOUBLED = (Double(0), None)
PLAYED = Play(0, (3, 1), ((8, 5), (6, 5)))


@pytest.mark.parametrize(
    ("actions", "error", "mistake"),
    [
        (((PLAYED, cube(0.5, 0.7)),), 0.2, CubeMistake.MISSED_BELOW_CP),
        (((PLAYED, cube(0.9, 1.2)),), 0.1, CubeMistake.MISSED_ABOVE_CP),
        (((PLAYED, cube(0.5, 0.3)),), 0.0, None),
        (((PLAYED, cube(1.2, 1.3)),), 0.0, None),
        (((Double(0), cube(0.5, 0.2)),), 0.3, CubeMistake.WRONG_DOUBLE_BELOW_DP),
        (((Double(0), cube(1.25, 1.5)),), 0.25, CubeMistake.WRONG_DOUBLE_ABOVE_TG),
        (((Double(0), cube(0.5, 0.7)),), 0.0, None),
        ((DOUBLED, (Take(1), cube(0.9, 1.2))), 0.2, CubeMistake.WRONG_TAKE),
        ((DOUBLED, (Take(1), cube(0.5, 0.7))), 0.0, None),
        ((DOUBLED, (Beaver(1), cube(0.9, 1.2))), 0.2, CubeMistake.WRONG_TAKE),
        ((DOUBLED, (Drop(1), cube(0.5, 0.7))), 0.3, CubeMistake.WRONG_PASS),
        ((DOUBLED, (Drop(1), cube(0.9, 1.2))), 0.0, None),
    ],
)
def test_cube_mistakes_are_distinguished(
    actions: tuple[tuple[Action, ActionAnalysis | None], ...],
    error: float,
    mistake: CubeMistake | None,
) -> None:
    judgement = after_opening(*actions)[-1]
    assert judgement.error == pytest.approx(error)
    assert judgement.mistake is mistake


@pytest.mark.parametrize(
    ("action", "error", "mistake", "best"),
    [
        (Take(1), 0.25, CubeMistake.MISSED_BEAVER, "beaver"),
        (Beaver(1), 0.0, None, "beaver"),
        (Drop(1), 1.5, CubeMistake.WRONG_PASS, "beaver"),
    ],
)
def test_beaver_that_gains_is_the_best_answer(
    action: Action, error: float, mistake: CubeMistake | None, best: str
) -> None:
    known = cube(-0.125, -0.25).cube
    assert known is not None
    double, answer = (ActionAnalysis(cube=replace(known, double_beaver=-0.5)) for _ in range(2))
    doubled, answered = after_opening((Double(0), double), (action, answer))
    assert doubled.error == 0.375
    assert (answered.error, answered.mistake, answered.best) == (error, mistake, best)


@pytest.mark.parametrize(
    ("double_take", "is_close", "is_counted"),
    [(0.35, True, True), (0.33, False, True), (0.29, False, False), (0.51, True, True)],
)
def test_not_doubling_is_close_or_counts_by_how_wrong_a_double_is(
    double_take: float, is_close: bool, is_counted: bool
) -> None:
    (judgement,) = after_opening((PLAYED, cube(0.5, double_take)))
    assert (judgement.is_close, judgement.is_counted) == (is_close, is_counted)


@pytest.mark.parametrize("double_take", [-2.0, 3.0])
def test_every_double_and_answer_is_close_and_counts(double_take: float) -> None:
    both = cube(0.1, double_take)
    for judgement in after_opening((Double(0), both), (Take(1), both)):
        assert judgement.is_close
        assert judgement.is_counted


def test_money_costs_the_cube() -> None:
    state = start_of(MONEY, Game((0, 0))).game
    doubled = replace(state, match=replace(state.match, cube_value=8, cube_owner=0))
    assert cost_of(doubled, 0.25) == 2.0


def test_match_costs_half_of_what_is_between_winning_and_losing_the_cube() -> None:
    state = start_of(Match(("A", "B"), 1), Game((0, 0))).game
    assert cost_of(state, 0.25) == pytest.approx(0.125)


@pytest.mark.slow
@given(analysed_matches)
@pytest.mark.when_changed
def test_errors_are_never_negative_and_only_mistakes_have_any(match: AnalysedMatch) -> None:
    for index in range(len(match.match.games)):
        for each in judge(match, index).decisions:
            assert each.error >= 0.0
            assert each.cost >= 0.0
            if each.choice is not ActionChoice.MOVE:
                assert (each.mistake is not None) == (each.error > 0.0)
                assert each.is_counted or not each.is_close
                assert each.is_counted or each.error == 0.0


def test_a_double_that_would_be_beavered_gives_away_what_the_beaver_costs() -> None:
    taken = cube(-0.3, -0.1, "double, beaver")
    assert taken.cube is not None
    beavered = ActionAnalysis(cube=replace(taken.cube, double_beaver=-0.2))
    (double,) = after_opening((Double(0), beavered), (Take(1), None))
    assert double.error == 0.0
    worse = ActionAnalysis(cube=replace(taken.cube, double_beaver=-0.4))
    (double,) = after_opening((Double(0), worse), (Take(1), None))
    assert double.error == pytest.approx(0.1)


@pytest.mark.parametrize(("bear_off", "seed"), BEAR_OFFS)
@pytest.mark.parametrize("ply", [0, 2])
def test_right_decisions_at_the_end_of_a_match_game_cost_nothing(
    bear_off: BearOff, seed: int, ply: int
) -> None:
    match = solved_game(bear_off, seed)
    asked = ask_about(match, AnalysisSettings(ply=ply, cube_ply=ply), engine_digest())
    answers = [services.answer(one.question.to_text(), RunControl()) for one in asked]
    assert None not in answers
    known = answered(match, asked, [str(answer) for answer in answers])
    decisions = judge(known, 0).decisions
    assert any(decision.choice is not ActionChoice.MOVE for decision in decisions)
    assert {decision.level for decision in decisions} == {"exact"}
    assert max(decision.error for decision in decisions) < 1e-6

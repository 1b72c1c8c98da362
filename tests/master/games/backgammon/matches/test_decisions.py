from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import AnswerError, analysis_to_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    RolloutSettings,
)
from engine_ext.control import RunControl
from master.games.backgammon.levels import LEVEL_DEFAULT, LEVELS, level_words
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.judging import ActionChoice, Judgement, judge
from master.games.backgammon.matches.record import (
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import walk
from master.games.backgammon.matches.second_pass import (
    RolloutBounds,
    cube_gap,
    move_gap,
    rollout_questions,
    with_rollouts,
)
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.analysed_matches import analysed, checker, cube
from tests.master.games.backgammon.matches.random_matches import Habits, matches, random_match

ENGINE = "0123456789abcdef"
SETTINGS = AnalysisSettings(ply=0, cube_ply=0)
OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))


def of_game(*actions: object, winner: int = 0, points: int = 1) -> Match:
    return Match(("A", "B"), 0, (Game((0, 0), actions, Result(winner, points)),))  # type: ignore[arg-type]


def dead_doubles(match: Match) -> set[tuple[int, int]]:
    """Places of the doubles, and answers, of a cube that already decides the match."""
    return {
        (number, moment.index)
        for number in range(len(match.games))
        for moment in walk(match, number)
        if isinstance(moment.action, Double | Take | Beaver | Drop)
        and not cube_of(moment.state.game.match).may_double
    }


@pytest.mark.slow
@given(matches)
@pytest.mark.when_changed
def test_every_action_but_resignations_is_asked_about_once_in_order(match: Match) -> None:
    asked, dead = ask_about(match, SETTINGS, ENGINE), dead_doubles(match)
    assert [(one.game, one.action) for one in asked] == [
        (number, index)
        for number, game in enumerate(match.games)
        for index, action in enumerate(game.actions)
        if not isinstance(action, Resign) and (number, index) not in dead
    ]
    for one in asked:
        assert AnalyseQuestion.from_text(one.question.to_text()) == one.question


@pytest.mark.slow
@given(matches)
@pytest.mark.when_changed
def test_answers_come_to_stand_beside_their_actions(match: Match) -> None:
    known = analysed(match, 1)
    dead = dead_doubles(match)
    asked = ask_about(match, SETTINGS, ENGINE)
    answers = [
        analysis_to_text(known.of(one.game, one.action) or ActionAnalysis()) for one in asked
    ]
    again = answered(match, asked, answers)
    for index in range(len(match.games)):
        own, other = judge(again, index), judge(known, index)
        decisions = [each for each in other.decisions if (index, each.action) not in dead]
        assert own == replace(other, decisions=tuple(decisions))


def test_questions_about_some_games_and_one_player_are_some_of_all() -> None:
    match = random_match(7, length=7)
    everything = ask_about(match, SETTINGS, ENGINE)
    some = ask_about(match, SETTINGS, ENGINE, games=[1], players=[0])
    assert some == [
        one
        for one in everything
        if one.game == 1 and match.games[1].actions[one.action].player == 0
    ]


def test_double_and_its_answer_are_one_question() -> None:
    match = of_game(OPENING, Double(1), Take(0), Resign(1), points=2)
    _, double, take = ask_about(match, SETTINGS, ENGINE)
    assert double.question == take.question
    assert double.question.kind is DecisionKind.CUBE


def test_opening_roll_is_asked_about_as_such() -> None:
    reply = Play(1, (6, 5), ((24, 18), (18, 13)))
    first, second = ask_about(of_game(OPENING, reply, Resign(1)), SETTINGS, ENGINE)
    assert first.question.kind is DecisionKind.OPENING
    assert second.question.kind is DecisionKind.MOVE


def test_without_a_level_of_the_cube_nothing_is_asked_about_doubles() -> None:
    match = of_game(OPENING, Double(1), Drop(0), winner=1)
    settings = replace(SETTINGS, cube_ply=None)
    assert [one.action for one in ask_about(match, settings, ENGINE)] == [0]


def test_of_a_roll_left_unmoved_only_the_luck_is_kept() -> None:
    match = of_game(OPENING, Play(1, (6, 5), ()), Resign(1))
    asked = ask_about(match, SETTINGS, ENGINE)
    assert [one.is_luck_only for one in asked] == [False, True]
    assert asked[1].question.settings.cube_ply is None
    answer = analysis_to_text(replace(checker(0.1), luck=0.5))
    known = answered(match, asked, [answer, answer])
    assert known == AnalysedMatch(match, ((replace(checker(0.1), luck=0.5),
                                           ActionAnalysis(luck=0.5), None),))  # fmt: skip


def test_double_of_a_dead_cube_is_not_asked_about() -> None:
    """The doubler wins the match with the cube as it is; only the opponent could gain by it."""
    reply, run = Play(1, (6, 5), ((24, 18), (18, 13))), Play(0, (6, 5), ((24, 18), (18, 13)))
    actions = (OPENING, Double(1), Take(0), reply, Double(0), Take(1), run, Resign(0))
    match = Match(("A", "B"), 2, (Game((0, 0), actions, Result(1, 4)),))
    asked = ask_about(match, SETTINGS, ENGINE)
    assert [one.action for one in asked] == [0, 1, 2, 3, 6]


def test_impossible_game_is_named() -> None:
    with pytest.raises(RecordError, match="game 1, action 1"):
        ask_about(of_game(Take(0)), SETTINGS, ENGINE)


def test_answer_that_is_none_is_an_error() -> None:
    asked = ask_about(of_game(OPENING, Resign(1)), SETTINGS, ENGINE)
    with pytest.raises(AnswerError):
        answered(of_game(OPENING, Resign(1)), asked, ["nonsense"])


def test_default_is_a_level_and_that_of_questions() -> None:
    assert LEVELS[LEVEL_DEFAULT] == AnalysisSettings()


def test_each_level_looks_no_less_deep_than_the_one_before() -> None:
    depths = [(each.rollout is not None, each.ply, each.cube_ply) for each in LEVELS.values()]
    assert depths == sorted(depths)
    assert len(set(depths)) == len(depths)


@pytest.mark.parametrize("name", LEVELS)
def test_words_say_all_that_a_level_stands_for(name: str) -> None:
    settings, words = LEVELS[name], level_words(name)
    assert words.startswith(f"{settings.ply}-ply, cube {settings.cube_ply}-ply")
    assert f"filter {settings.move_filter}" in words
    trials = "" if settings.rollout is None else str(settings.rollout.trials)
    assert words.endswith(f"then {trials} games of each of the best") is bool(trials)


PROBE = AnalysisSettings(0, 0)
ROLLED = AnalysisSettings(0, 0, rollout=RolloutSettings(1, truncation_ply=2))
bounds = st.sampled_from((0.0, 0.02, 0.1, 0.4, 1.0, inf))


def short_match() -> Match:
    """A game's beginning with plays, doubles and takes."""
    match = random_match(3, length=7, habits=Habits(double=0.4, drop=0.0, resign=0.0))
    game = match.games[0]
    return replace(match, games=(replace(game, actions=game.actions[:14], result=None),))


@cache
def answer(question: str) -> str:
    text = services.answer(question, RunControl())
    assert text is not None
    return text


def asked_about(match: Match, how: AnalysisSettings) -> tuple[list[ActionQuestion], AnalysedMatch]:
    asked = ask_about(match, how, services.engine_digest("backgammon"))
    return asked, answered(match, asked, [answer(one.question.to_text()) for one in asked])


def examined_again(match: Match, limits: RolloutBounds) -> tuple[list[str], AnalysedMatch]:
    asked, known = asked_about(match, PROBE)
    wanted = list(rollout_questions(known, asked, ROLLED, limits))
    answers = {text: answer(text) for text in wanted}
    return wanted, with_rollouts(known, asked, ROLLED, answers)


def decisions(match: AnalysedMatch) -> Sequence[Judgement]:
    return judge(match, 0).decisions


EVERYTHING = [RolloutBounds(errors=0.0), RolloutBounds(close=inf), RolloutBounds(0.0, inf)]


@pytest.mark.slow
@pytest.mark.parametrize("limits", EVERYTHING)
def test_lowest_bound_judges_as_a_rollout_of_every_decision(limits: RolloutBounds) -> None:
    match = short_match()
    _, everything = asked_about(match, ROLLED)
    wanted, again = examined_again(match, limits)
    assert decisions(again) == decisions(everything)
    assert again == everything
    assert {each.choice for each in decisions(again)} > {ActionChoice.DOUBLE, ActionChoice.TAKE}
    assert len(wanted) > len(match.games[0].actions)


def test_highest_bound_asks_for_nothing() -> None:
    match = short_match()
    wanted, again = examined_again(match, RolloutBounds())
    assert wanted == []
    assert again == asked_about(match, PROBE)[1]


@pytest.mark.slow
def test_what_passes_is_rolled_out_and_the_rest_is_as_it_was() -> None:
    match = short_match()
    before = decisions(asked_about(match, PROBE)[1])
    bound = sorted(each.error for each in before)[-4]
    after = decisions(examined_again(match, RolloutBounds(errors=bound))[1])
    rolled = [each.level.startswith("rollout") for each in after]
    answers = {ActionChoice.DOUBLE, ActionChoice.TAKE}  # one question: rolled out both or neither
    for old, new, is_rolled in zip(before, after, rolled, strict=True):
        if old.choice not in answers:
            assert is_rolled is (old.error >= bound)
        assert is_rolled or old == new
    assert 4 <= sum(rolled) < len(rolled)


@pytest.mark.slow
@settings(max_examples=25)
@given(matches, st.integers(0, 2**32), bounds, bounds)
@pytest.mark.when_changed
def test_wider_bounds_ask_for_no_less(match: Match, seed: int, one: float, other: float) -> None:
    known = analysed(match, seed)
    asked = ask_about(match, PROBE, ENGINE)
    least, most = sorted((one, other))

    def wanted(limits: RolloutBounds) -> set[str]:
        return set(rollout_questions(known, asked, ROLLED, limits))

    assert wanted(RolloutBounds(errors=most)) <= wanted(RolloutBounds(errors=least))
    assert wanted(RolloutBounds(close=least)) <= wanted(RolloutBounds(close=most))
    both = wanted(RolloutBounds(one, other))
    assert both == wanted(RolloutBounds(errors=one)) | wanted(RolloutBounds(close=other))


@pytest.mark.slow
@pytest.mark.when_changed
@settings(max_examples=15)
@given(matches, st.integers(0, 2**32))
def test_questions_are_canonical_and_each_is_asked_once(match: Match, seed: int) -> None:
    asked = ask_about(match, PROBE, ENGINE)
    known = analysed(match, seed)
    texts = list(rollout_questions(known, asked, ROLLED, RolloutBounds(errors=0.0)))
    assert len(texts) == len(set(texts))
    for text in texts:
        question = AnalyseQuestion.from_text(text)
        assert question.settings.rollout == ROLLED.rollout
        assert question.settings.luck_ply is None


def test_gaps_are_those_to_the_next_best_choice() -> None:
    play = checker(0.3, 0.2).checker
    assert play is not None
    assert move_gap(play) == pytest.approx(0.3)
    question = cube(0.5, 0.7).cube
    assert question is not None
    assert cube_gap(question, is_answer=False) == pytest.approx(0.2)
    assert cube_gap(question, is_answer=True) == pytest.approx(0.3)

from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import AnswerError, analysis_to_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.judging import judge
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
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.analysed_matches import analysed, checker
from tests.master.games.backgammon.matches.random_matches import matches, random_match

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

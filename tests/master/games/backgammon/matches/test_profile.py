from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.control import RunControl
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.profile import (
    UNDATED,
    PlayedMatch,
    Profile,
    ProfileKind,
    kind_of,
    performance,
    profile_of,
)
from master.games.backgammon.matches.quiz import QuizItem, QuizScore, quiz_items, verdict_on
from master.games.backgammon.matches.record import AnalysedMatch, Play
from tests.master.games.backgammon.matches.analysed_matches import analysed, analysed_matches
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

DATES = ("2026-03-01", "2025-12", "March", "", "2026-03-09")


def played(match: AnalysedMatch, player: int = 0, date: str = "") -> PlayedMatch:
    tags = {"date": date} if date else {}
    match = replace(match, match=replace(match.match, tags=tags))
    return PlayedMatch("a.mat", match, match_figures(match), (player,))


def several() -> list[PlayedMatch]:
    return [
        played(analysed(random_match(seed, games_max=1), seed), 0, date)
        for seed, date in enumerate(DATES)
    ]


def all_decisions(profile: Profile) -> int:
    return sum(own.decisions for _, own in profile.matches)


@pytest.mark.slow
@settings(max_examples=12)
@given(st.lists(analysed_matches, max_size=3), st.integers(0, 1))
def test_kinds_months_and_matches_are_the_same_decisions(
    matches: list[AnalysedMatch], player: int
) -> None:
    profile = profile_of([played(match, player) for match in matches])
    whole = profile.overall
    for parts in (
        [own for _, own in profile.matches],
        [own for *_, own in profile.months],
        [own for _, own in profile.sorts],
    ):
        for name in ("decisions", "counted", "errors"):
            assert sum(getattr(part, name) for part in parts) == getattr(whole, name)
        assert sum(part.loss for part in parts) == pytest.approx(whole.loss)
        assert sum(part.counted_loss for part in parts) == pytest.approx(whole.counted_loss)
    assert len(profile.worst) == whole.errors
    losses = [each.error for _, each in profile.worst]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.slow
@settings(max_examples=15)
@given(analysed_matches, st.integers(0, 1))
def test_rating_over_one_match_is_that_of_the_match(match: AnalysedMatch, player: int) -> None:
    own = played(match, player)
    expected = own.figures.match[player].pr
    assert performance(own.decisions).pr == (None if expected is None else pytest.approx(expected))


def test_matches_go_by_date_and_those_without_one_come_last() -> None:
    profile = profile_of(several())
    dates = [match.date for match, _ in profile.matches]
    assert dates == ["2025-12", "2026-03-01", "2026-03-09", UNDATED, UNDATED]
    assert [(month, count) for month, count, _ in profile.months] == [
        ("2025-12", 1), ("2026-03", 2), (UNDATED, 2),
    ]  # fmt: skip
    assert all_decisions(profile) == profile.overall.decisions > 0


def test_first_move_of_either_player_is_the_opening() -> None:
    match = analysed(random_match(2, games_max=2), 1)
    for each in match_figures(match).decisions:
        if each.choice is not ActionChoice.MOVE:
            assert kind_of(match, each).value == each.choice.value
            continue
        actions = match.match.games[each.game].actions[: each.action]
        own = [one for one in actions if isinstance(one, Play) and one.player == each.player]
        assert (kind_of(match, each) is ProfileKind.OPENING) is (not own)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ({6: 2, 20: 2}, ProfileKind.CONTACT),
        ({6: 2, 13: 2}, ProfileKind.RACE),
        ({6: 2, 1: 2}, ProfileKind.BEAR_OFF),
        ({6: 8, 4: 7}, ProfileKind.BEAR_OFF),
    ],
)
def test_later_moves_go_by_the_position(points: dict[int, int], expected: ProfileKind) -> None:
    match = analysed(random_match(2, games_max=1), 1)
    each = next(
        one
        for one in match_figures(match).decisions
        if one.choice is ActionChoice.MOVE and one.action > 6
    )
    own = tuple(points.get(point, 0) for point in range(26))
    other = tuple(2 if point == 6 else 0 for point in range(26))
    moved = replace(each, state=replace(each.state, position=Position(own, other)))
    assert kind_of(match, moved) is expected


def test_opponents_are_those_of_another_name() -> None:
    match = played(analysed(random_match(1, games_max=1), 1), 1)
    assert match.opponents == ("Ann",)
    assert replace(match, players=(0, 1)).opponents == ("Ann", "Bob")


@cache
def badly_played(length: int = 5) -> PlayedMatch:
    """Some turns of a match whose plays are random and whose cubes are turned early."""
    match = random_match(4, length, habits=Habits(double=0.5, drop=0.3, beaver=0.0, resign=0.0))
    games = tuple(replace(game, actions=game.actions[:24], result=None)
                  if len(game.actions) > 24 else game for game in match.games[:3])  # fmt: skip
    match = replace(match, games=games[:1] if games[0].result is None else games[:2])
    asked = ask_about(match, AnalysisSettings(0, 0), services.engine_digest("backgammon"))
    answers = [services.answer(one.question.to_text(), RunControl()) or "" for one in asked]
    known = answered(match, asked, answers)
    return PlayedMatch("a.mat", known, match_figures(known), (0, 1))


def items(count: int = 1000, least: float = 0.0) -> list[QuizItem]:
    return quiz_items([badly_played()], count, least)


def of(*choices: ActionChoice) -> list[QuizItem]:
    return [item for item in items() if item.judgement.choice in choices]


def test_largest_errors_come_first_and_each_once() -> None:
    errors = [item.judgement.error for item in items()]
    assert errors == sorted(errors, reverse=True)
    assert [item.judgement.error for item in items(3)] == errors[:3]
    assert [each for each in errors if each >= 0.3] == [
        item.judgement.error for item in items(least=0.3)
    ]
    twice = quiz_items([badly_played(), badly_played()], 1000)
    assert len(twice) == len(items())


def test_what_was_played_costs_what_it_cost_then() -> None:
    assert of(ActionChoice.MOVE)
    for item in items():
        verdict = verdict_on(item, item.judgement.played)
        assert verdict.loss == pytest.approx(item.judgement.error)
        assert not verdict.is_least


def test_best_answer_costs_nothing() -> None:
    for item in of(ActionChoice.MOVE):
        assert verdict_on(item, item.judgement.best).loss == 0.0
    for item in of(ActionChoice.TAKE, ActionChoice.PASS):
        assert verdict_on(item, item.judgement.best).loss == 0.0
    for item in of(ActionChoice.DOUBLE, ActionChoice.NO_DOUBLE):
        losses = [verdict_on(item, text).loss for text in ("double", "no double")]
        assert min(losses) == 0.0


def test_every_legal_move_is_an_answer() -> None:
    item = of(ActionChoice.MOVE)[0]
    moves = item.moves()
    verdicts = [verdict_on(item, text) for text in moves]
    assert [verdict.answer for verdict in verdicts] == moves
    kept = {move.text for move in item.checker.moves}
    for verdict in verdicts:
        assert verdict.is_least is (verdict.answer not in kept)
        assert verdict.loss >= 0.0


def test_move_that_the_analysis_has_not_loses_at_least_as_much_as_its_worst() -> None:
    item = of(ActionChoice.MOVE)[0]
    checker = replace(item.checker, moves=item.checker.moves[:2], played=1)
    short = replace(item, analysis=replace(item.analysis, checker=checker))
    other = next(text for text in item.moves() if text not in {m.text for m in checker.moves})
    verdict = verdict_on(short, other)
    assert verdict.is_least
    assert verdict.loss == checker.error


@pytest.mark.parametrize("text", ["", "take", "31", "8/9", "bar/20 24/23", "double"])
def test_what_is_no_move_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        verdict_on(of(ActionChoice.MOVE)[0], text)


def test_words_of_the_other_side_are_no_answers() -> None:
    doubling = of(ActionChoice.DOUBLE, ActionChoice.NO_DOUBLE)[0]
    with pytest.raises(ValueError, match="expected double or no double"):
        verdict_on(doubling, "take")
    answering = of(ActionChoice.TAKE, ActionChoice.PASS)[0]
    for text in ("double", "beaver"):
        with pytest.raises(ValueError, match="expected take or pass"):
            verdict_on(answering, text)


def test_beaver_is_an_answer_where_beavers_are_played() -> None:
    item = of(ActionChoice.TAKE, ActionChoice.PASS)[0]
    state = item.judgement.state
    money = replace(state, match=replace(state.match, match_length=0, score=(0, 0), beavers=True))
    item = replace(item, judgement=replace(item.judgement, state=money))
    assert item.expected == "take, pass or beaver"
    assert item.moves() == ["take", "pass", "beaver"]
    assert verdict_on(item, "beaver").answer == "beaver"


def test_score_counts_answers() -> None:
    item = of(ActionChoice.MOVE)[0]
    score = QuizScore()
    for text in (item.judgement.best, item.judgement.played):
        score = score.after(verdict_on(item, text))
    assert (score.answered, score.right) == (2, 1)
    assert score.loss == pytest.approx(item.judgement.error)

"""The plot has a step for each action, which leads to it, and the borders of games."""

import re
from dataclasses import replace

from master.games.backgammon.review.page_trend import trend_parts
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import random_match
from tests.master.games.backgammon.review.reviews import played_review, review_of


def test_each_step_leads_to_its_action_and_tells_it() -> None:
    review = played_review()
    plot = "".join(trend_parts(review))
    steps = re.findall(r'<a href="#m([0-9.]+)"( tabindex="-1")?>.*?<title>(.*?)</title>', plot)
    turns = list(review.turns)
    assert [step[0] for step in steps] == [f"{t.game + 1}.{t.index + 1}" for t in turns]
    for (_, is_passed, text), turn in zip(steps, turns, strict=True):
        assert review.names[turn.player] in text
        assert (not is_passed) == (turn.error >= 0.0005)
    borders = re.findall(r'class="border" href="#g(\d+)"', plot)
    assert borders == [str(game.index + 1) for game in review.games]


def test_chances_run_from_half_to_the_end() -> None:
    review = played_review()
    plot = "".join(trend_parts(review))
    lines = re.findall(r'<path class="line" d="M([^"]*)"', plot)
    assert len(lines) == len(review.games) + 1
    ends = [[float(number) for number in point.split()] for point in lines[-2].split("L")[-1:]]
    assert ends[0][0] == sum(len(game.turns) for game in review.games)
    assert "Match winning chance" in plot


def test_luck_that_was_not_analysed_has_no_curve() -> None:
    review = played_review()
    assert "Luck so far" in "".join(trend_parts(review))
    games = tuple(
        tuple(None if each is None else replace(each, luck=None) for each in game)
        for game in review.analysed.analyses
    )
    without = review_of(replace(review.analysed, analyses=games))
    assert "Luck so far" not in "".join(trend_parts(without))


def test_money_is_told_in_points() -> None:
    session = review_of(analysed(random_match(7, 0, games_max=2), 1))
    plot = "".join(trend_parts(session))
    assert "Points ahead" in plot
    assert "%" not in re.sub(r'style="[^"]*"', "", plot)


def test_match_without_actions_has_no_plot() -> None:
    played = played_review().analysed
    empty = replace(played, match=replace(played.match, games=()), analyses=())
    assert list(trend_parts(review_of(empty))) == []

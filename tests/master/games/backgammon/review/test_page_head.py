"""Figures, games and largest errors of a page are those of the tables."""

import re
from dataclasses import replace

from master.games.backgammon.review.page_head import (
    ERRORS_LISTED,
    checker,
    head_parts,
    list_parts,
)
from tests.master.games.backgammon.review.reviews import played_review

REVIEW = played_review()


def test_head_says_who_played_what_and_how_it_was_analysed() -> None:
    tags = {"event": "Open <5>", "date": "2026-11-27"}
    match = replace(REVIEW.analysed.match, tags=tags)
    review = replace(REVIEW, analysed=replace(REVIEW.analysed, match=match, warnings=("odd",)))
    head = "".join(head_parts(review))
    for words in ("Ann", "Bob", "3-point match", "Open &lt;5&gt;", "2026-11-27", "Warning: odd"):
        assert words in head
    assert str(REVIEW.engine) in head


def test_figures_are_those_of_both_or_of_the_one_asked_for() -> None:
    both, one = (
        "".join(head_parts(replace(REVIEW, players=players))) for players in ((0, 1), (1,))
    )
    prs = [f"<td>{own.pr:.2f}</td>" for own in REVIEW.figures.match]
    assert f'<th scope="row">PR</th>{prs[0]}{prs[1]}' in both
    assert f'<th scope="row">PR</th>{prs[1]}</tr>' in one


def test_games_and_errors_lead_to_their_moves() -> None:
    listed = "".join(list_parts(REVIEW))
    games = re.findall(r'<a href="#g(\d+)">', listed)
    assert games == [str(game.index + 1) for game in REVIEW.games]
    errors = re.findall(r'<a href="#m([0-9.]+)">', listed)
    largest = REVIEW.figures.errors()[:ERRORS_LISTED]
    assert errors == [f"{each.game + 1}.{each.action + 1}" for each in largest]


def test_a_checker_is_an_ornament() -> None:
    assert checker(1) == '<i class="c1"></i>'

"""The text of a review has every move with its board, and no line that would steer a terminal."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.ids import parse_id
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.review.boards import asked_state
from master.games.backgammon.review.plain_text import review_text
from master.games.backgammon.review.turns import MatchReview
from master.games.skipped import SkippedGame
from tests.master.games.backgammon.review.reviews import played_review, reviews

REVIEW = played_review(3, 7)
LINES = review_text(REVIEW, ["PR  1.00"]).splitlines()


@pytest.mark.slow
@settings(max_examples=10)
@given(reviews)
def test_any_match_has_its_text(review: MatchReview) -> None:
    text = review_text(review)
    assert text.endswith("\n")
    assert all(each.isprintable() or each in "\n\t" for each in text)
    boards = text.count("|BAR|")
    assert boards >= len({(each.game, each.action) for each in review.figures.decisions})


def test_each_decision_has_its_ids() -> None:
    asked = [asked_state(turn) for turn in REVIEW.turns if turn.decisions]
    for prefix in ("XGID=", "GNUBG ID: "):
        found = [line.removeprefix("GNUBG ID: ") for line in LINES if line.startswith(prefix)]
        assert [parse_id(text).position for text in found] == [state.position for state in asked]
        assert [parse_id(text).match.dice for text in found] == [s.match.dice for s in asked]


def test_the_played_move_has_a_star() -> None:
    starred = [line for line in LINES if line.startswith("* ")]
    played = [turn for turn in REVIEW.turns if turn.move_decision is not None]
    assert len(starred) == len(played)
    for line, turn in zip(starred, played, strict=True):
        assert f"  {turn.text}" in line


def test_lines_fit_a_mail_but_for_the_heads() -> None:
    long = [line for line in LINES if len(line) > 80]
    assert [line for line in long if not re.search("^Analysis: |Crawford", line)] == []
    assert all(line.isascii() for line in LINES)


def test_figures_stand_at_the_end() -> None:
    assert LINES[-1] == "PR  1.00"
    assert review_text(REVIEW) == review_text(replace(REVIEW, settings=REVIEW.settings))


def test_comments_and_warnings_are_told() -> None:
    match = REVIEW.analysed.match
    first = replace(match.games[0], comments=((0, "good\nmove\x1b[31m"),))
    known = replace(REVIEW.analysed, match=replace(match, games=(first, *match.games[1:]),
                    tags={"event": "Open"}), warnings=("odd",),
                    skipped=(SkippedGame(9, "illegal", 70),))  # fmt: skip
    text = review_text(MatchReview(known, match_figures(known)))
    assert "\n| good\n| move?[31m\n" in text
    assert "\nEvent: Open\nWarning: odd\nWarning: game 9: illegal; skipped\n" in text
    assert "\nAnalysis: analysis of the file\n" in text

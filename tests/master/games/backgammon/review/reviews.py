"""Reviews for tests: of random matches with random analyses, and of one that was played."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.backgammon.analysing.analyse_asking import answer_here
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import AnalysedMatch
from master.games.backgammon.review.turns import MatchReview
from tests.master.games.backgammon.matches.played_matches import played_match
from tests.master.games.backgammon.matches.random_analyses import analysed, annotated, set_up

STATIC = AnalysisSettings(0, 0)


def review_of(match: AnalysedMatch) -> MatchReview:
    return MatchReview(match, match_figures(match))


@cache
def played_review(seed: int = 5, length: int = 3) -> MatchReview:
    """A match as people play it, looked at statically."""
    match, engine = played_match(seed, length), services.engine_digest("backgammon")
    asked = ask_about(match, STATIC, engine)
    known = answered(match, asked, answer_here([each.question.to_text() for each in asked]))
    return MatchReview(known, match_figures(known), STATIC, engine)


analysed_annotated = st.builds(analysed, annotated(), st.integers(0, 2**32))
"""Matches with names and comments of any kind, most actions analysed."""

reviews = st.one_of(
    st.builds(review_of, analysed_annotated),
    st.builds(review_of, st.builds(analysed, set_up(), st.integers(0, 2**32))),
)

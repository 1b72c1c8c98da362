"""A review as a page: one file that opens offline, with every decision's board.

The parts are in page_head, page_trend and page_turns, the styles in master/reports.  Nothing in it
depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterator

from master.games.backgammon.drawing.shapes import STYLE, definitions
from master.games.backgammon.review.page_head import head_parts, list_parts
from master.games.backgammon.review.page_trend import trend_parts
from master.games.backgammon.review.page_turns import game_parts, row_shapes
from master.games.backgammon.review.turns import MatchReview
from master.reports.html_page import controls, review_html

SHOWN = (("all", "everything"), ("errors", "errors"), ("bad", "bad errors"), ("cube", "cube"))
"""The filters that the reader may choose; review.js uses the same words."""


def review_page(review: MatchReview) -> str:
    """Return the page of a review.

    Raises:
        RecordError: a game breaks the rules.
    """
    title = f"{review.names[0]} - {review.names[1]}: backgammon match, analysed"
    return review_html(title, STYLE, _parts(review))


def _parts(review: MatchReview) -> Iterator[str]:
    shapes = definitions() + "".join(row_shapes(review))
    yield f'<svg class="shapes" aria-hidden="true"><defs>{shapes}</defs></svg>'
    yield from head_parts(review)
    yield from trend_parts(review)
    yield from list_parts(review)
    yield '<main id="moves"><h2>Move by move</h2>'
    yield from controls(SHOWN, review.names)
    for game in review.games:
        yield from game_parts(review, game)
    yield "</main>"
    yield '<footer class="small">Made by manyply.</footer>'

"""A review as a page: one file that opens offline, with every decision's board.

Knows what stands where; the parts are in page_head, page_course and page_turns, looks in page.css.
Nothing in it depends on who computed, nor on when.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from master.games.backgammon.drawing.shapes import STYLE, definitions
from master.games.backgammon.review.page_course import course_parts
from master.games.backgammon.review.page_head import head_parts, list_parts
from master.games.backgammon.review.page_turns import game_parts, row_shapes
from master.games.backgammon.review.turns import MatchReview
from master.reports.html_page import html_page
from master.reports.markup import escaped


def review_page(review: MatchReview) -> str:
    """Return the page of a review.

    Raises:
        RecordError: a game cannot have gone so.
    """
    title = f"{review.names[0]} - {review.names[1]}: backgammon match, analysed"
    return html_page(title, STYLE + _own("page.css"), review_script(), _parts(review))


def review_script() -> str:
    """Return the one script of every such page."""
    return _own("page.js")


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _parts(review: MatchReview) -> Iterator[str]:
    shapes = definitions() + "".join(row_shapes(review))
    yield f'<svg class="shapes" aria-hidden="true"><defs>{shapes}</defs></svg>'
    yield from head_parts(review)
    yield from course_parts(review)
    yield from list_parts(review)
    yield '<main id="moves"><h2>Move by move</h2>'
    yield from _controls(review)
    for game in review.games:
        yield from game_parts(review, game)
    yield "</main>"
    yield '<footer class="small">Made by manyply.</footer>'


def _controls(review: MatchReview) -> Iterator[str]:
    """Yield what the script needs; without it the page has no use for them, nor shows them."""
    yield '<form class="controls" hidden>'
    yield from _choice("order", "Order", [("game", "as played"), ("error", "largest errors first")])
    shown = [("all", "everything"), ("errors", "errors"), ("bad", "bad errors"), ("cube", "cube")]
    yield from _choice("show", "Show", shown)
    players = [("", "both players"), *((str(player), review.names[player]) for player in (0, 1))]
    yield from _choice("player", "Of", players)
    yield "<span>Keys: <kbd>j</kbd> <kbd>k</kbd> next and last move, <kbd>n</kbd> <kbd>p</kbd> "
    yield "next and last error.</span></form>"


def _choice(name: str, label: str, options: list[tuple[str, str]]) -> Iterator[str]:
    listed = "".join(f'<option value="{value}">{escaped(text)}</option>' for value, text in options)
    yield f'<label>{label} <select name="{name}">{listed}</select></label>'

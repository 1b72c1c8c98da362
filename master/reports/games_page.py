"""The common parts of pages of analysed games: frame, sections, and the moves at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from master.reports.html_page import controls, facts, review_html
from master.reports.markup import escaped

ERRORS_LISTED = 20
"""Of the largest; all of them are among the moves."""

ABSENT = "-"
"""The text for a missing figure."""

STYLE = (
    ".all{display:block;overflow-x:auto;overflow-wrap:normal;font-size:14px}"
    ".all td,.all th{min-width:4.5em}.moves td:nth-child(2){min-width:6em}"
    ".turn{grid-template-columns:minmax(220px,320px) minmax(0,1fr)}"
    "@media screen and (max-width:760px){.turn{grid-template-columns:minmax(0,1fr)}"
    ".turn>svg{max-width:370px}}"
)
"""For square boards, and tables of many games (class `all`)."""


@dataclass(frozen=True)
class GamesPage:
    """A page.

    Args:
        kind: the game's name.
        names: of the players of each game.
        subtitle: of a single game: its result, and its place.
        facts_shown: facts about the analysis, each a name and a text.
        style: the game's addition to the style sheet.
        shapes: the parts of boards, in SVG.
        sections: title and content of each; those without content are left out.
        shown: the filters: each with its name in review.js, and in words.
        sides: the names of both sides.
        moves: of all games.
    """

    kind: str
    names: Sequence[tuple[str, str]]
    subtitle: str
    facts_shown: Sequence[tuple[str, str]]
    style: str
    shapes: str
    sections: Sequence[tuple[str, Iterable[str]]]
    shown: Sequence[tuple[str, str]]
    sides: tuple[str, str]
    moves: Iterable[str]

    @property
    def title(self) -> str:
        """The players of a single game, or the number of games."""
        return " - ".join(self.names[0]) if len(self.names) == 1 else f"{len(self.names)} games"


def games_page(page: GamesPage) -> str:
    """Return the document."""
    title = f"{page.title}: {page.kind}, analysed"
    return review_html(title, page.style + STYLE, _parts(page))


def _parts(page: GamesPage) -> Iterator[str]:
    yield f'<svg class="shapes" aria-hidden="true"><defs>{page.shapes}</defs></svg>'
    yield f"<header><h1>{escaped(page.title)}</h1>"
    if len(page.names) == 1:
        yield f"<p>{escaped(page.subtitle)}</p>"
    yield from facts(page.facts_shown)
    yield "</header>"
    for title, content in page.sections:
        if found := "".join(content):
            yield f'<section class="wide"><h2>{escaped(title)}</h2>{found}</section>'
    yield '<main id="moves"><h2>Move by move</h2>'
    yield from controls(page.shown, page.sides)
    yield from page.moves
    yield "</main>"
    yield '<footer class="small">Made by manyply.</footer>'


def number_text(value: float | None, decimals: int, unit: str = "") -> str:
    """Return a figure of a table."""
    return ABSENT if value is None else f"{value:.{decimals}f}{unit}"


def player_mark(player: int) -> str:
    """Return a disc of a player's colour, as an ornament."""
    return f'<i class="c{player}"></i>'


def game_heading(number: int, names: Sequence[str], words: str) -> str:
    """Return the heading of a game: its players, and its result and place in words."""
    first, second = (f"{player_mark(who)}{escaped(name)}" for who, name in enumerate(names))
    heading = f'<h3 id="g{number}">Game {number}: {first} &ndash; {second}'
    return f"{heading}\n <small>{escaped(words)}</small></h3>"


def turn_start(name: str, grade: int, player: int, lost: float) -> str:
    """Return the start of a move's article, by which the page's script finds and filters it.

    Args:
        name: of the move on the page, `1.23`.
        grade: how bad the move is; 0: it is good.
        player: 0 or 1.
        lost: by the move.
    """
    marked = f" m{grade}" if grade else ""
    return f'<article class="turn{marked}" id="m{name}" data-p="{player}" data-e="{lost:.2f}">'


def accuracy_words(accuracies: Sequence[float | None]) -> str:
    """Return the accuracy of both players, in one line."""
    return "accuracy " + " - ".join(number_text(each, 1, " %") for each in accuracies)

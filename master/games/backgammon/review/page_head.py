"""The head of a review's page: players and match, their figures, games, largest errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from master.games.backgammon.figure_rows import ABSENT, figure_sections
from master.games.backgammon.matches.figures import Both
from master.games.backgammon.matches.judging import Judgement
from master.games.backgammon.matches.ratings import mark
from master.games.backgammon.review.turns import MatchReview
from master.games.backgammon.review.wording import (
    match_words,
    result_words,
    rules_words,
    settings_words,
    tags_of,
    unit_of,
)
from master.reports.html_page import facts, table
from master.reports.markup import escaped

ERRORS_LISTED = 20
"""Of the largest; all of them are among the moves."""


def head_parts(review: MatchReview) -> Iterator[str]:
    """Yield the parts above the curves: players, match, and the figures of both players."""
    names = [f"{checker(player)}{escaped(review.names[player])}" for player in (0, 1)]
    yield f"<header><h1>{names[0]} &ndash; {names[1]}</h1>"
    yield f"<p>{escaped(match_words(review))}</p>"
    own = [("rules", rules_words(review)), ("analysis", settings_words(review))]
    yield from facts([*tags_of(review), *own])
    for warning in review.analysed.notices:
        yield f'<p class="warning">Warning: {escaped(warning)}</p>'
    yield "</header>"
    yield '<section class="wide"><h2>Figures</h2>'
    yield from figure_tables(review, review.figures.match)
    yield "</section>"


def list_parts(review: MatchReview) -> Iterator[str]:
    """Yield the parts below the curves: the games and the largest errors, with links."""
    yield '<section class="wide"><h2>Games</h2>'
    yield from _games(review)
    yield "</section>"
    if errors := review.figures.errors()[:ERRORS_LISTED]:
        yield '<section class="wide"><h2>Largest errors</h2>'
        yield from _errors(review, errors)
        yield "</section>"


def checker(player: int) -> str:
    """Return a checker of a player's colour, as an ornament."""
    return f'<i class="c{player}"></i>'


def figure_tables(review: MatchReview, both: Both) -> Iterator[str]:
    """Yield the figures of both players in the match, or in a game."""
    heads = ["", *(f"{checker(each)}{escaped(review.names[each])}" for each in review.players)]
    yield '<div class="four">'
    for section in figure_sections(unit_of(review)):
        rows = [
            (
                escaped(label),
                *(escaped(cell(both[each])) for each in review.players),
            )
            for label, cell in section
        ]
        yield from table(heads, rows, "figures")
    yield "</div>"


def _games(review: MatchReview) -> Iterator[str]:
    unit = unit_of(review)
    names = [escaped(review.names[each]) for each in review.players]
    heads = ["Game", "Score", "Result", *(f"PR {each}" for each in names)]
    heads += [f"Luck {each}" for each in names]
    rows = []
    for game in review.games:
        own = [game.figures[each] for each in review.players]
        score = "-".join(map(str, game.game.score))
        rows.append(
            [
                f'<a href="#g{game.index + 1}">{game.index + 1}</a>',
                score + (" Crawford" if game.game.is_crawford else ""),
                escaped(result_words(game.game, review.names)),
                *(ABSENT if each.pr is None else f"{each.pr:.2f}" for each in own),
                *(unit.luck(each.tally.luck) for each in own),
            ]
        )
    yield from table(heads, rows, "games")


def _errors(review: MatchReview, errors: Sequence[Judgement]) -> Iterator[str]:
    unit = unit_of(review)
    heads = ["Move", "Player", "Error", unit.name, "", "Roll", "Played", "Better"]
    rows = []
    for each in errors:
        place = f"{each.game + 1}.{each.action + 1}"
        rows.append(
            [
                f'<a href="#m{place}">{place}</a>',
                f"{checker(each.player)}{escaped(review.names[each.player])}",
                f"{-each.error:z.3f}",
                unit.cost(-each.cost),
                mark(each.error).value,
                "" if each.dice is None else f"{each.dice[0]}-{each.dice[1]}",
                escaped(each.played),
                escaped(each.best),
            ]
        )
    yield from table(heads, rows, "errors")

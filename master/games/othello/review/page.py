"""A review of games of Othello as a page: one file that opens offline, with every move's board.

Knows what stands where.  Nothing in it depends on who computed, nor on when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove, SideFigures
from master.games.othello.analysis.report import final_score
from master.games.othello.drawing.board_svg import STYLE, field
from master.games.othello.review.page_moves import disc, field_name, game_parts, place
from master.games.othello.review.wording import (
    SIDE_SIGNS,
    Reviewed,
    game_words,
    grade_name,
    grade_words,
    level_words,
    player_of,
    players,
    value_after,
    value_words,
)
from master.reports.course_plot import Border, Panel, Point, Target, course_plot
from master.reports.html_page import review_html
from master.reports.markup import escaped
from master.reports.page_parts import controls, facts, table

ERRORS_LISTED = 20
"""Of the largest; all of them are among the moves."""

GAMES_MAX = 100
"""On a page; each takes some 60 kB."""

NAMED_SHARE = 0.1
"""A game that has so much of the plot is called `Game 3`, a shorter one `3`."""

SHOWN = (("all", "everything"), ("errors", "errors"), ("bad", "bad errors"))

ABSENT = "-"

_OWN_STYLE = (
    ".c0{background:#14181b;border-color:#8996a1}.c1{background:#fbfaf5;border-color:#7d868d}"
    ".turn{grid-template-columns:minmax(220px,300px) minmax(0,1fr)}"
    ".all{display:block;overflow-x:auto;overflow-wrap:normal;font-size:14px}"
    ".all td,.all th{min-width:4.5em}"
    "@media screen and (max-width:760px){.turn{grid-template-columns:minmax(0,1fr)}"
    ".turn>svg{max-width:360px}}"
)


def review_page(review: Reviewed) -> str:
    """Return the page of at most GAMES_MAX games, and of one at least."""
    return review_html(f"{_title(review)}: Othello, analysed", STYLE + _OWN_STYLE, _parts(review))


def _title(review: Reviewed) -> str:
    if len(review.games) == 1:
        return " - ".join(players(review.games[0]))
    return f"{len(review.games)} games"


def _parts(review: Reviewed) -> Iterator[str]:
    sizes = sorted({game.record.game.board.size for game in review.games})
    fields = "".join(f'<g id="{field_name(size)}">{field(size)}</g>' for size in sizes)
    yield f'<svg class="shapes" aria-hidden="true"><defs>{fields}</defs></svg>'
    yield from _head(review)
    yield from _course(review)
    yield from _lists(review)
    yield '<main id="moves"><h2>Move by move</h2>'
    yield from controls(SHOWN, ("Black", "White"))
    for game in review.games:
        yield from game_parts(game)
    yield "</main>"
    yield '<footer class="small">Made by manyply.</footer>'


def _head(review: Reviewed) -> Iterator[str]:
    yield f"<header><h1>{escaped(_title(review))}</h1>"
    if len(review.games) == 1:
        yield f"<p>{escaped(game_words(review.games[0]))}</p>"
    yield from facts([
        ("analysis", level_words(review.level)),
        ("errors", f"by the discs that they gave away: {grade_words()}"),
    ])  # fmt: skip
    yield "</header>"
    if len(review.games) == 1:
        yield '<section class="wide"><h2>Figures</h2>'
        yield from _figures(review.games[0])
        yield "</section>"


def _figures(game: AnalysedGame) -> Iterator[str]:
    both = [game.figures(side) for side in SIDE_SIGNS]
    heads = ["", *(f"{disc(who)}{escaped(name)}" for who, name in enumerate(players(game)))]
    rows = [
        ("Accuracy", *map(_accuracy, both)),
        (
            "Best moves, of those with a choice",
            *(f"{each.best} of {each.choices}" for each in both),
        ),
        ("Discs given away", *(f"{each.discs_lost:.2f}" for each in both)),
        ("Discs given away a move", *(_number(each.discs_lost_a_choice) for each in both)),
    ]
    yield from table(heads, rows, "figures")


def _accuracy(found: SideFigures) -> str:
    return ABSENT if found.accuracy is None else f"{found.accuracy:.1f} %"


def _number(value: float | None) -> str:
    return ABSENT if value is None else f"{value:.2f}"


def _course(review: Reviewed) -> Iterator[str]:
    """Yield the section of the curves; nothing of games without moves."""
    moves = [(game, move) for game in review.games for move in game.moves]
    if not moves:
        return
    lines, borders, first = list[list[Point]](), [], 0
    for game in review.games:
        lines.append(_line(game, first))
        is_long = len(game.moves) >= NAMED_SHARE * len(moves)
        name = f"Game {game.number}" if is_long else f"{game.number}"
        borders.append(Border(first, name, f"#g{game.number}"))
        first += len(game.moves)
    bars = [
        (step, move.lost if move.side == "X" else -move.lost)
        for step, (_, move) in enumerate(moves)
    ]
    panels = (
        _panel("Discs ahead, by the analysis", [y for line in lines for _, y in line], lines, ()),
        _panel("Discs given away", [size for _, size in bars], (), bars),
    )
    targets = [
        Target(f"#m{place(game, move)}", _told(game, move), move.lost > 0) for game, move in moves
    ]
    yield '<section class="wide"><h2>Course</h2>'
    yield from course_plot(panels, targets, borders if len(review.games) > 1 else ())
    yield '<p class="small">Click a step to go to its move.</p></section>'


def _line(game: AnalysedGame, first: int) -> list[Point]:
    """Return what black has after each move of a game, and at its end."""
    line: list[Point] = [(first, 0.0)]
    for step, move in enumerate(game.moves, first + 1):
        value = value_after(move)
        if value is not None:
            line.append((step, value))
    if (score := final_score(game.record)) is not None:
        line.append((first + len(game.moves), float(score[0] - score[1])))
    return line


def _panel(
    title: str, values: Iterable[float], lines: Sequence[Sequence[Point]], bars: Sequence[Point]
) -> Panel:
    """Return a panel on which black is above and white below."""
    most = max(2.0, *map(abs, values))
    labels = [(most, f"Black {most:.0f}"), (0.0, "0"), (-most, f"White {most:.0f}")]
    return Panel(title, (-most, most), labels, lines, bars, height=140)


def _told(game: AnalysedGame, move: JudgedMove) -> str:
    """Return what a step is, in one line."""
    words = f"{place(game, move)} {players(game)[player_of(move)]}: {move.square}"
    if move.judgement is None:
        return f"{words}, the only move"
    words += f", {value_words(move.judgement.value, move)}"
    if not move.lost:
        return words
    return f"{words}; better {move.judgement.best} ({value_words(-move.lost, move)})"


def _lists(review: Reviewed) -> Iterator[str]:
    if len(review.games) > 1:
        yield '<section class="wide"><h2>Games</h2>'
        yield from _games(review)
        yield "</section>"
    errors = sorted(
        ((game, move) for game in review.games for move in game.worst(ERRORS_LISTED)),
        key=lambda each: (-each[1].lost, each[0].number, each[1].number),
    )[:ERRORS_LISTED]
    if errors:
        yield '<section class="wide"><h2>Largest errors</h2>'
        yield from _errors(errors)
        yield "</section>"


def _games(review: Reviewed) -> Iterator[str]:
    heads = ["Game", "Black", "White", "Result", "Accuracy of black", "of white"]
    heads += ["Discs given away by black", "by white"]
    rows = []
    for game in review.games:
        both = [game.figures(side) for side in SIDE_SIGNS]
        rows.append([
            f'<a href="#g{game.number}">{game.number}</a>',
            *map(escaped, players(game)),
            escaped(game_words(game)),
            *map(_accuracy, both),
            *(f"{each.discs_lost:.2f}" for each in both),
        ])  # fmt: skip
    yield from table(heads, rows, "all")


def _errors(errors: list[tuple[AnalysedGame, JudgedMove]]) -> Iterator[str]:
    rows = []
    for game, move in errors:
        found = move.judgement
        assert found is not None, "it lost something beside another move"
        player = player_of(move)
        rows.append([
            f'<a href="#m{place(game, move)}">{place(game, move)}</a>',
            f"{disc(player)}{escaped(players(game)[player])}",
            value_words(-move.lost, move),
            grade_name(move.lost),
            move.square,
            found.best,
        ])  # fmt: skip
    yield from table(["Move", "Player", "Discs", "", "Played", "Better"], rows, "errors")

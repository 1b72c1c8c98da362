"""A review of games of chess as a page: one file that opens offline, with every move's board.

Nothing in it depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterator

from master.games.chess.analysis.judging import JudgedMove, Mark
from master.games.chess.analysis.report import SIDES, AnalysedGame
from master.games.chess.drawing.board_svg import field
from master.games.chess.drawing.men import STYLE, definitions
from master.games.chess.review.page_moves import FIELD, game_parts, man, place
from master.games.chess.review.wording import (
    GRADES,
    Reviewed,
    chances_after,
    game_words,
    grade,
    grade_name,
    grade_words,
    lost_words,
    player_of,
    players,
    worst,
)
from master.reports.games_page import ERRORS_LISTED, GamesPage, games_page, number_text
from master.reports.markup import escaped
from master.reports.page_parts import table
from master.reports.trend_plot import Border, Panel, Point, Target, trend_plot

MOVES_MAX = 6_000
"""Half-moves on a page; each takes some 2 kB."""

SHOWN = (("all", "everything"), ("errors", "errors"), ("bad", "mistakes and blunders"))

_OWN_STYLE = (
    ".c0{background:#fffdf6;border-color:#22272b}.c1{background:#22272b;border-color:#8996a1}"
)

_PLURALS = {Mark.INACCURACY: "Inaccuracies", Mark.MISTAKE: "Mistakes", Mark.BLUNDER: "Blunders"}


def review_page(review: Reviewed) -> str:
    """Return the page of games, of one at least, with at most MOVES_MAX moves together."""
    games = review.games
    is_single = len(games) == 1
    errors = f"by the winning chances that they gave away, in per cent: {grade_words()}"
    return games_page(GamesPage(
        kind="chess",
        names=[*map(players, games)],
        subtitle=game_words(games[0]),
        facts_shown=[
            ("analysis", f"{review.nodes:,} positions a move, {review.engine}"),
            ("errors", errors),
        ],
        style=STYLE + _OWN_STYLE,
        shapes=f'{definitions()}<g id="{FIELD}">{field()}</g>',
        sections=[
            ("Figures", _figures(games[0]) if is_single else ()),
            ("Course", _trend(review)),
            ("Games", () if is_single else _games(review)),
            ("Largest errors", _errors(review)),
        ],
        shown=SHOWN,
        sides=("White", "Black"),
        moves=(
            part for game in games for part in game_parts(game.number, game)
        ),
    ))  # fmt: skip


def _figures(game: AnalysedGame) -> Iterator[str]:
    both = [game.figures(side) for side in SIDES]
    heads = ["", *(f"{man(who)}{escaped(name)}" for who, name in enumerate(players(game)))]
    rows = [
        ("Accuracy", *(number_text(each.accuracy, 1, " %") for each in both)),
        ("Centipawns lost a move", *(number_text(each.centipawns_lost, 0) for each in both)),
        *(
            (_PLURALS[mark], *(str(each.marks[mark]) for each in both))
            for mark in reversed(GRADES[1:])
        ),
    ]
    if any(each.unscored for each in both):
        rows.append(("Unscored", *(str(each.unscored) for each in both)))
    yield from table(heads, rows, "figures")


def _trend(review: Reviewed) -> Iterator[str]:
    """Yield the section of the curves; nothing for games without moves."""
    if not any(game.moves for game in review.games):
        return
    lines, bars = list[list[Point]](), list[Point]()
    targets, borders = list[Target](), list[Border]()
    for game in review.games:
        number = game.number
        borders.append(Border(len(targets), str(number), f"#g{number}"))
        line: list[Point] = []
        for move in game.moves:
            lost = -move.lost if player_of(game, move) else move.lost
            bars.append((len(targets), lost))
            targets.append(Target(f"#m{place(number, move)}", _hint(game, move), grade(move) > 0))
            after = chances_after(game, move)
            if after is not None:
                line.append((len(targets), after))
        lines.append(line)
    most = max(5.0, *(abs(size) for _, size in bars))
    panels = (
        Panel(
            "White's winning chances", (0.0, 100.0),
            [(100.0, "100 %"), (50.0, "50 %"), (0.0, "0")], [each for each in lines if each],
            height=160,
        ),
        Panel(
            "Chances given away", (-most, most),
            [(most, f"White {most:.0f} %"), (0.0, "0"), (-most, f"Black {most:.0f} %")], (), bars,
        ),
    )  # fmt: skip
    yield from trend_plot(panels, targets, borders if len(review.games) > 1 else ())
    yield '<p class="small">Click a step to go to its move.</p>'


def _hint(game: AnalysedGame, move: JudgedMove) -> str:
    """Return a description of a step, in one line."""
    after = chances_after(game, move)
    if after is None:
        return f"{game.name(move)}, unscored"
    words = f"{game.name(move)}{move.mark.value}, White {after:.0f} %"
    return f"{words}; better {game.better(move)}" if grade(move) else words


def _games(review: Reviewed) -> Iterator[str]:
    heads = ["Game", "White", "Black", "Result", "Accuracy of White", "of Black"]
    heads += ["Blunders of White", "of Black"]
    rows = []
    for game in review.games:
        number = game.number
        both = [game.figures(side) for side in SIDES]
        rows.append([
            f'<a href="#g{number}">{number}</a>',
            *map(escaped, players(game)),
            escaped(game_words(game)),
            *(number_text(each.accuracy, 1, " %") for each in both),
            *(str(each.marks[Mark.BLUNDER]) for each in both),
        ])  # fmt: skip
    yield from table(heads, rows, "all")


def _errors(review: Reviewed) -> Iterator[str]:
    """Yield the moves with the largest losses, the worst first; nothing if there are none."""
    rows = []
    for number, game, move in worst(review.games, ERRORS_LISTED):
        player = player_of(game, move)
        where = f"{number}: " if len(review.games) > 1 else ""
        rows.append([
            f'<a href="#m{place(number, move)}">{where}{escaped(game.name(move))}</a>',
            f"{man(player)}{escaped(players(game)[player])}",
            lost_words(move),
            grade_name(move),
            escaped(game.better(move)),
        ])  # fmt: skip
    if rows:
        yield from table(["Move", "Player", "Chances", "", "Better"], rows, "errors")

"""A review of games of Othello as a page: one file that opens offline, with every move's board.

Nothing in it depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove
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
from master.reports.games_page import ERRORS_LISTED, GamesPage, games_page, number_text
from master.reports.markup import escaped
from master.reports.page_parts import table
from master.reports.trend_plot import Border, Panel, Point, Target, trend_plot

GAMES_MAX = 100
"""On a page; each takes some 60 kB."""

NAMED_SHARE = 0.1
"""A game that has so much of the plot is called `Game 3`, a shorter one `3`."""

SHOWN = (("all", "everything"), ("errors", "errors"), ("bad", "bad errors"))

_OWN_STYLE = (
    ".c0{background:#14181b;border-color:#8996a1}.c1{background:#fbfaf5;border-color:#7d868d}"
)


def review_page(review: Reviewed) -> str:
    """Return the page of at most GAMES_MAX games, and of one at least."""
    games = review.games
    is_single = len(games) == 1
    sizes = sorted({game.record.game.board.size for game in games})
    return games_page(GamesPage(
        kind="Othello",
        names=[*map(players, games)],
        subtitle=game_words(games[0]),
        facts_shown=[
            ("analysis", level_words(review.level)),
            ("errors", f"by the discs that they gave away: {grade_words()}"),
        ],
        style=STYLE + _OWN_STYLE,
        shapes="".join(f'<g id="{field_name(size)}">{field(size)}</g>' for size in sizes),
        sections=[
            ("Figures", _figures(games[0]) if is_single else ()),
            ("Course", _trend(review)),
            ("Games", () if is_single else _games(review)),
            ("Largest errors", _errors(review)),
        ],
        shown=SHOWN,
        sides=("Black", "White"),
        moves=(part for game in games for part in game_parts(game)),
    ))  # fmt: skip


def _figures(game: AnalysedGame) -> Iterator[str]:
    both = [game.figures(side) for side in SIDE_SIGNS]
    heads = ["", *(f"{disc(who)}{escaped(name)}" for who, name in enumerate(players(game)))]
    rows = [
        ("Accuracy", *(number_text(each.accuracy, 1, " %") for each in both)),
        (
            "Best moves, of those with a choice",
            *(f"{each.best} of {each.choices}" for each in both),
        ),
        ("Discs given away", *(f"{each.discs_lost:.2f}" for each in both)),
        ("Discs given away a move", *(number_text(each.discs_lost_a_choice, 2) for each in both)),
    ]
    yield from table(heads, rows, "figures")


def _trend(review: Reviewed) -> Iterator[str]:
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
        Target(f"#m{place(game, move)}", _hint(game, move), move.lost > 0) for game, move in moves
    ]
    yield from trend_plot(panels, targets, borders if len(review.games) > 1 else ())
    yield '<p class="small">Click a step to go to its move.</p>'


def _line(game: AnalysedGame, first: int) -> list[Point]:
    """Return black's value after each move of a game, and at its end."""
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


def _hint(game: AnalysedGame, move: JudgedMove) -> str:
    """Return a description of a step, in one line."""
    words = f"{place(game, move)} {players(game)[player_of(move)]}: {move.square}"
    if move.judgement is None:
        return f"{words}, the only move"
    words += f", {value_words(move.judgement.value, move)}"
    if not move.lost:
        return words
    return f"{words}; better {move.judgement.best} ({value_words(-move.lost, move)})"


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
            *(number_text(each.accuracy, 1, " %") for each in both),
            *(f"{each.discs_lost:.2f}" for each in both),
        ])  # fmt: skip
    yield from table(heads, rows, "all")


def _errors(review: Reviewed) -> Iterator[str]:
    """Yield the moves that gave most away, the worst first; nothing if none did."""
    errors = sorted(
        ((game, move) for game in review.games for move in game.worst(ERRORS_LISTED)),
        key=lambda each: (-each[1].lost, each[0].number, each[1].number),
    )[:ERRORS_LISTED]
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
    if rows:
        yield from table(["Move", "Player", "Discs", "", "Played", "Better"], rows, "errors")

"""A review of games of Othello as a page: one file that opens offline, with every move's board.

Nothing in it depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove
from master.games.othello.analysis.report import SIDES, event, final_score
from master.games.othello.board_svg import STYLE, board_parts, board_title, extent, field
from master.games.othello.level import Level
from master.games.othello.record import opening_name
from master.games.othello.search_report import value_text
from master.reports.games_page import (
    ERRORS_LISTED,
    GamesPage,
    game_heading,
    games_page,
    number_text,
    player_mark,
    turn_start,
)
from master.reports.html_page import table
from master.reports.markup import escaped
from master.reports.trend_plot import Border, Panel, Point, Target, trend_plot

SIDE_SIGNS = tuple(SIDES.values())
"""Black's and white's, in the order of players."""

BOUNDS = (2.0, 4.0, 10.0)
"""Discs given away: from so many on a move is doubtful, bad, very bad.  Scores of best play differ
by two at least: a smaller one comes from estimates alone."""

_NAMES = ("", "doubtful", "bad", "very bad")


@dataclass(frozen=True)
class Reviewed:
    """The content of a review.

    Args:
        games: analysed.
        level: of the analysis.
    """

    games: tuple[AnalysedGame, ...]
    level: Level


def players(game: AnalysedGame) -> tuple[str, str]:
    """Return the names of black and white."""
    return game.record.black or "Black", game.record.white or "White"


def player_of(move: JudgedMove) -> int:
    """Return the player of a move: 0 for black, 1 for white."""
    return SIDE_SIGNS.index(move.side)


def grade(lost: float) -> int:
    """Return how bad it is to give so many discs away: 0 not at all, 3 very."""
    return sum(lost >= bound for bound in BOUNDS)


def grade_name(lost: float) -> str:
    """Return the name of the loss's grade; empty: it has none."""
    return _NAMES[grade(lost)]


def grade_words() -> str:
    """Return the meaning of the names."""
    return ", ".join(
        f"{name} from {bound:g}" for name, bound in zip(_NAMES[1:], BOUNDS, strict=True)
    )


def level_words(level: Level) -> str:
    """Return how games were analysed."""
    examined = f"depth {level.depth}" if level.seconds is None else f"{level.seconds:g} s a move"
    if not level.exact_empties:
        return examined
    return f"{examined}, exact scores from {level.exact_empties} empty squares on"


def game_words(game: AnalysedGame) -> str:
    """Return the result, the tournament and the opening of a game."""
    score = final_score(game.record)
    ending = "not over" if score is None else f"{score[0]}-{score[1]}"
    more = (event(game.record), opening_name(game.record.game))
    return ", ".join(filter(None, (ending, *more)))


def value_words(value: float, move: JudgedMove) -> str:
    """Return a value of a move: to the side that made it."""
    found = move.judgement
    return value_text(value, is_exact=found is not None and found.is_exact)


def value_after(move: JudgedMove) -> float | None:
    """Return black's value after a move, in discs; None: there was no other move."""
    if move.judgement is None:
        return None
    return move.judgement.value if move.side == "X" else -move.judgement.value


def place(game: AnalysedGame, move: JudgedMove) -> str:
    """Return the name of a move on the page: `1.23`."""
    return f"{game.number}.{move.number + 1}"


def field_name(size: int) -> str:
    """Return the name of the empty board of that size."""
    return f"f{size}"


def game_parts(game: AnalysedGame) -> Iterator[str]:
    """Yield a game: its heading and its moves."""
    yield game_heading(game.number, players(game), game_words(game))
    for move in game.moves:
        yield from _move(game, move)


def _move(game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    name, player = place(game, move), player_of(move)
    number = f'<a href="#m{name}">{move.number + 1}</a>'
    who = f"{player_mark(player)}{escaped(players(game)[player])}"
    if move.judgement is None:
        yield f'<p class="slim" id="m{name}">{number} {who} {move.square}, the only move</p>'
        return
    yield turn_start(name, grade(move.lost), player, move.lost)
    yield f"<h4>{number} {who} {move.square}"
    if words := grade_name(move.lost):
        lost = value_words(-move.lost, move)
        yield f' <span class="error">{words} <small>({lost})</small></span>'
    yield "</h4>"
    yield from _board(game, move)
    yield "<div>"
    yield from _worth(move)
    board = game.record.game.boards[move.number].to_text()
    yield f'<p class="ids"><code>othello:{board}</code>'
    yield "</div></article>"


def _board(game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    board, found = game.record.game.boards[move.number], move.judgement
    assert found is not None, "it is a move with a board"
    better = found.best if move.lost else ""
    last = game.moves[move.number - 1].square if move.number else ""
    across, down = extent(board)
    yield (
        f'<svg viewBox="0 0 {across} {down}" role="img" aria-label="{board_title(board)}">'
        f'<use href="#{field_name(board.size)}"/>'
        + "".join(board_parts(board, move.square, better, last))
        + "</svg>"
    )


def _worth(move: JudgedMove) -> Iterator[str]:
    """Yield the move played and a better one."""
    found = move.judgement
    assert found is not None, "it has an alternative"
    yield '<table class="moves"><thead><tr><th><th>Move<th>Discs<th>Diff</thead><tbody>'
    if move.lost:
        value = value_words(found.best_value, move)
        yield f'<tr><td><b class="B" title="better">B</b><td>{found.best}<td>{value}<td>'
    lost = value_words(-move.lost, move) if move.lost else ""
    value = value_words(found.value, move)
    yield '<tr class="played"><td><b class="P" title="played">P</b>'
    yield f"<td>{move.square}<td>{value}<td>{lost}</tbody></table>"
    basis = "exact score" if found.is_exact else "estimate"
    yield f'<p class="told">To the side that moves, {basis}.'


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
    heads = ["", *(f"{player_mark(who)}{escaped(name)}" for who, name in enumerate(players(game)))]
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
            f"{player_mark(player)}{escaped(players(game)[player])}",
            value_words(-move.lost, move),
            grade_name(move.lost),
            move.square,
            found.best,
        ])  # fmt: skip
    if rows:
        yield from table(["Move", "Player", "Discs", "", "Played", "Better"], rows, "errors")

"""A review of games of chess as a page: one file that opens offline, with every move's board.

Nothing in it depends on the analysers or on the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine_ext.chess.fen import is_chess960, write_fen
from master.games.chess.analysis.judging import JudgedMove, Mark, chances
from master.games.chess.analysis.report import SIDES, AnalysedGame, value_text, white_value
from master.games.chess.board_svg import EXTENT, STYLE, board_parts, board_title, definitions, field
from master.games.chess.san import NULL_MOVE
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

GRADES = (Mark.GOOD, Mark.INACCURACY, Mark.MISTAKE, Mark.BLUNDER)
"""Worse grades come later."""

_NAMES = {Mark.INACCURACY: "inaccuracy", Mark.MISTAKE: "mistake", Mark.BLUNDER: "blunder"}

_TAGS = ("Event", "Site", "Date", "Round")


@dataclass(frozen=True)
class Reviewed:
    """The content of a review.

    Args:
        games: analysed.
        nodes: visited for each move, at most if there is a depth.
        engine: name of the engine that analysed.
        depth: of each probe; 0: none is set.
    """

    games: tuple[AnalysedGame, ...]
    nodes: int
    engine: str
    depth: int = 0

    @property
    def effort(self) -> str:
        """How thorough the analysis is."""
        return f"depth {self.depth}" if self.depth else f"{self.nodes:,} positions a move"


def players(game: AnalysedGame) -> tuple[str, str]:
    """Return the names of White and Black."""
    return game.player("w"), game.player("b")


def player_of(game: AnalysedGame, move: JudgedMove) -> int:
    """Return the player of a move: 0 for White, 1 for Black."""
    return [*SIDES].index(game.record.game.side_of(move.number))


def grade(move: JudgedMove) -> int:
    """Return the grade of a move: 0 is good, 3 the worst."""
    return GRADES.index(move.mark)


def grade_name(move: JudgedMove) -> str:
    """Return the name of the move's grade; empty: it has none."""
    return _NAMES.get(move.mark, "")


def grade_words() -> str:
    """Return the meaning of the names."""
    return "inaccuracy from 5, mistake from 10, blunder from 15"


def game_words(game: AnalysedGame) -> str:
    """Return the result, the place and the date of a game."""
    tags = dict(game.record.tags)
    known = (tags.get(name, "") for name in _TAGS)
    return ", ".join([game.record.result, *(each for each in known if each.strip("?. "))])


def lost_words(move: JudgedMove) -> str:
    """Return the loss of winning chances by a move."""
    return f"-{move.lost:.1f} %"


def chances_after(game: AnalysedGame, move: JudgedMove) -> float | None:
    """Return White's winning chances after a move, in per cent; None: they are unknown."""
    value = white_value(move, is_black=game.record.game.side_of(move.number) == "b")
    return None if value is None else chances(value)


def worst(games: Sequence[AnalysedGame], count: int) -> list[tuple[int, AnalysedGame, JudgedMove]]:
    """Return the bad moves with the largest losses, the worst first, with their games' numbers.

    Args:
        games: with the numbers of their file.
        count: the maximum.
    """
    bad = [(game.number, game, move) for game in games for move in game.moves if grade(move)]
    return sorted(bad, key=lambda each: (-each[2].lost, each[0], each[2].number))[:count]


def value_words(move: JudgedMove) -> str:
    """Return the value of a move to its player, in pawns."""
    return value_text(move.value)


FIELD = "field"
"""The name of the empty board on the page."""


def place(number: int, move: JudgedMove) -> str:
    """Return the name of a move of the game of that number: `1.23`, counted in half-moves."""
    return f"{number}.{move.number + 1}"


def game_parts(number: int, game: AnalysedGame) -> Iterator[str]:
    """Yield a game: its heading and its moves."""
    yield game_heading(number, players(game), game_words(game))
    for move in game.moves:
        yield from _move(number, game, move)


def _move(number: int, game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    name, player = place(number, move), player_of(game, move)
    yield turn_start(name, grade(move), player, move.lost)
    said = escaped(f"{game.name(move)}{move.mark.value}")
    yield f'<h4><a href="#m{name}">{said}</a> {player_mark(player)}{escaped(players(game)[player])}'
    if not move.is_scored:
        yield ' <span class="error">unscored</span>'
    elif words := grade_name(move):
        yield f' <span class="error">{words} <small>({lost_words(move)})</small></span>'
    yield "</h4>"
    yield from _board(game, move)
    yield "<div>"
    yield from _worth(game, move)
    board = game.record.game.boards[move.number]
    yield f'<p class="ids"><code>{write_fen(board, is_chess960(board))}</code>'
    yield "</div></article>"


def _board(game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    board = game.record.game.boards[move.number]
    better = "" if move.is_best or not grade(move) else move.before.line[0]
    last = game.record.game.moves[move.number - 1] if move.number else NULL_MOVE
    last = "" if last == NULL_MOVE else last
    yield (
        f'<svg viewBox="0 0 {EXTENT} {EXTENT}" role="img" aria-label="{board_title(board)}">'
        f'<use href="#{FIELD}"/>' + "".join(board_parts(board, move.move, better, last)) + "</svg>"
    )


def _worth(game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    """Yield the move played and the move that the analysis prefers."""
    yield '<table class="moves"><thead><tr><th><th>Moves<th>Pawns<th>Chances</thead><tbody>'
    if not move.is_best and move.lost:
        yield '<tr><td><b class="B" title="better">B</b>'
        yield f"<td>{escaped(game.better(move))}<td>{value_text(move.before.value)}<td>"
    lost = lost_words(move) if move.lost else ""
    line = game.better(move) if move.is_best else game.name(move)
    yield '<tr class="played"><td><b class="P" title="played">P</b>'
    yield f"<td>{escaped(line)}<td>{value_words(move)}<td>{lost}</tbody></table>"
    yield '<p class="told">Pawns and chances to the side that moves.'


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
            ("analysis", f"{review.effort}, {review.engine}"),
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
    heads = ["", *(f"{player_mark(who)}{escaped(name)}" for who, name in enumerate(players(game)))]
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
            f"{player_mark(player)}{escaped(players(game)[player])}",
            lost_words(move),
            grade_name(move),
            escaped(game.better(move)),
        ])  # fmt: skip
    if rows:
        yield from table(["Move", "Player", "Chances", "", "Better"], rows, "errors")

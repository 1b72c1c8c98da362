"""The moves of a review's page: each with its board, its value and a better move."""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.chess.fen import is_chess960, write_fen
from master.games.chess.analysis.judging import JudgedMove
from master.games.chess.analysis.report import AnalysedGame, value_text
from master.games.chess.drawing.board_svg import EXTENT, board_parts, board_title
from master.games.chess.review.wording import (
    game_words,
    grade,
    grade_name,
    lost_words,
    player_of,
    players,
    value_words,
)
from master.games.chess.san import NULL_MOVE
from master.reports.markup import escaped

FIELD = "field"
"""The name of the empty board on the page."""


def man(player: int) -> str:
    """Return a disc of a player's colour, as an ornament."""
    return f'<i class="c{player}"></i>'


def place(number: int, move: JudgedMove) -> str:
    """Return the name of a move of the game of that number: `1.23`, counted in half-moves."""
    return f"{number}.{move.number + 1}"


def game_parts(number: int, game: AnalysedGame) -> Iterator[str]:
    """Yield a game: its heading and its moves."""
    names = [f"{man(player)}{escaped(name)}" for player, name in enumerate(players(game))]
    yield f'<h3 id="g{number}">Game {number}: {names[0]} &ndash; {names[1]}'
    yield f" <small>{escaped(game_words(game))}</small></h3>"
    for move in game.moves:
        yield from _move(number, game, move)


def _move(number: int, game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    name, player = place(number, move), player_of(game, move)
    marked = f" m{grade(move)}" if grade(move) else ""
    yield (
        f'<article class="turn{marked}" id="m{name}" data-p="{player}" data-e="{move.lost:.2f}">'
    )
    said = escaped(f"{game.name(move)}{move.mark.value}")
    yield f'<h4><a href="#m{name}">{said}</a> {man(player)}{escaped(players(game)[player])}'
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

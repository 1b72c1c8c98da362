"""The moves of a review's page: each with its board, its value and a better move."""

from __future__ import annotations

from collections.abc import Iterator

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove
from master.games.othello.drawing.board_svg import board_parts, board_title, extent
from master.games.othello.review.wording import (
    game_words,
    grade,
    grade_name,
    player_of,
    players,
    value_words,
)
from master.reports.markup import escaped


def disc(player: int) -> str:
    """Return a disc of a player's colour, as an ornament."""
    return f'<i class="c{player}"></i>'


def place(game: AnalysedGame, move: JudgedMove) -> str:
    """Return the name of a move on the page: `1.23`."""
    return f"{game.number}.{move.number + 1}"


def field_name(size: int) -> str:
    """Return the name of the empty board of that size."""
    return f"f{size}"


def game_parts(game: AnalysedGame) -> Iterator[str]:
    """Yield a game: its heading and its moves."""
    names = [f"{disc(player)}{escaped(name)}" for player, name in enumerate(players(game))]
    yield f'<h3 id="g{game.number}">Game {game.number}: {names[0]} &ndash; {names[1]}'
    yield f" <small>{escaped(game_words(game))}</small></h3>"
    for move in game.moves:
        yield from _move(game, move)


def _move(game: AnalysedGame, move: JudgedMove) -> Iterator[str]:
    name, player = place(game, move), player_of(move)
    number = f'<a href="#m{name}">{move.number + 1}</a>'
    who = f"{disc(player)}{escaped(players(game)[player])}"
    if move.judgement is None:
        yield f'<p class="slim" id="m{name}">{number} {who} {move.square}, the only move</p>'
        return
    marked = f" m{grade(move.lost)}" if grade(move.lost) else ""
    yield (
        f'<article class="turn{marked}" id="m{name}" data-p="{player}" data-e="{move.lost:.2f}">'
    )
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

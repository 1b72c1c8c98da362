"""The moves of a review's page: each decision with its board, moves and cube question.

Parts that appear some hundred times on a page are kept short: rows and cells have no end tags,
which are optional in HTML, and boards use shapes that the page defines once.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.backgammon.xgid import to_xgid
from master.games.backgammon.drawing.board_svg import BOARD, checker_parts, player_rows, slots_text
from master.games.backgammon.drawing.geometry import HEIGHT, WIDTH
from master.games.backgammon.matches.ratings import Mark, mark
from master.games.backgammon.review.boards import asked_state, bottom, drawing
from master.games.backgammon.review.page_head import checker, figure_tables
from master.games.backgammon.review.turns import Candidate, GameReview, MatchReview, Turn
from master.games.backgammon.review.wording import (
    chances,
    cube_basis,
    cube_rows,
    cube_verdict,
    done,
    equity,
    error_words,
    loss,
    luck_words,
    place,
    result_words,
    unit_of,
)
from master.reports.markup import escaped

_MARK_CLASSES = {Mark.NONE: "", Mark.DOUBTFUL: " m1", Mark.BAD: " m2", Mark.VERY_BAD: " m3"}


def row_shapes(review: MatchReview) -> Iterator[str]:
    """Yield boards without checkers: one for each game and player at the bottom."""
    for game in review.games:
        known = set[int]()
        for turn in game.turns:
            if turn.decisions and bottom(turn) not in known:
                known.add(bottom(turn))
                rows = "".join(player_rows(drawing(turn, review.names)))
                yield f'<g id="{_row_name(turn)}">{rows}{BOARD}</g>'


def _row_name(turn: Turn) -> str:
    return f"r{turn.game + 1}-{bottom(turn)}"


def game_parts(review: MatchReview, game: GameReview) -> Iterator[str]:
    """Yield a game: its heading, its turns and its result."""
    score = f"{game.game.score[0]}-{game.game.score[1]}"
    crawford = ", Crawford game" if game.game.is_crawford else ""
    number = game.index + 1
    yield f'<h3 id="g{number}">Game {number} <small>at {score}{crawford}</small></h3>'
    for turn in game.turns:
        yield from _turn(review, turn)
    yield from _comments(game.comments)
    yield f'<p class="end">{escaped(result_words(game.game, review.names))}.</p>'
    yield f'<details class="of-game"><summary>Figures of game {number}</summary>'
    yield from figure_tables(review, game.figures)
    yield "</details>"


def _turn(review: MatchReview, turn: Turn) -> Iterator[str]:
    who = f"{checker(turn.player)}{escaped(review.names[turn.player])}"
    number = f'<a href="#m{place(turn)}">{place(turn)}</a>'
    if not turn.decisions:
        yield f'<p class="slim" id="m{place(turn)}">{number} {who} {escaped(done(turn))}</p>'
        yield from _comments(turn.comments)
        return
    worst = max(each.error for each in turn.decisions)
    kind = "c" if _has_open_cube(turn) else "m"
    yield (
        f'<article class="turn{_MARK_CLASSES[mark(worst)]}" id="m{place(turn)}" '
        f'data-p="{turn.player}" data-e="{turn.error:.4f}" data-k="{kind}">'
    )
    yield f"<h4>{number} {who} {escaped(done(turn))}"
    if words := error_words(turn):
        cost = unit_of(review).cost(-turn.cost)
        yield f' <span class="error">{words} <small>({cost})</small></span>'
    yield "</h4>"
    yield from _board(review, turn)
    yield "<div>"
    yield from _moves(turn)
    yield from _cube(turn)
    if words := luck_words(turn):
        yield f'<p class="luck">Luck {words}'
    yield from _comments(turn.comments)
    yield f'<p class="ids"><code>{to_xgid(asked_state(turn))}</code>'
    yield "</div></article>"


def _board(review: MatchReview, turn: Turn) -> Iterator[str]:
    drawn = drawing(turn, review.names)
    own, other = drawn.scene.position.on_roll, drawn.scene.position.opponent
    names = [escaped(name) for name in drawn.scene.names]
    label = f"{names[0]}: {slots_text(own)}; {names[1]}: {slots_text(other)}"
    parts = "".join(checker_parts(drawn))
    yield (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'<use href="#{_row_name(turn)}"/>{parts}</svg>'
    )


def _moves(turn: Turn) -> Iterator[str]:
    if turn.checker is None or turn.move_decision is None:
        return
    yield (
        '<table class="moves"><thead><tr><th>#<th>Move<th>Equity<th>Diff<th>Win g bg - lose g bg, %'
        "<th>Level</thead><tbody>"
    )
    has_better = turn.checker.played != 0
    for each in turn.candidates:
        yield _move_row(each, has_better=has_better)
    yield "</tbody></table>"


def _move_row(each: Candidate, *, has_better: bool) -> str:
    badge, name = "", ""
    if each.is_played:
        badge, name = '<b class="P" title="played">P</b>', ' class="played"'
    elif has_better and each.rank == 1:
        badge = '<b class="B" title="better">B</b>'
    move = each.move
    return (
        f"<tr{name}><td>{each.rank_text}{badge}<td>{escaped(move.text)}"
        f"<td>{equity(move.equity_cubeful, move.std_error)}<td>{loss(each.loss)}"
        f"<td>{chances(move.probs)}<td>{escaped(move.level)}"
    )


def _has_open_cube(turn: Turn) -> bool:
    """Whether to show the cube question: there was an action, it is close, or an error."""
    decision = turn.cube_decision
    return decision is not None and (decision.is_close or decision.error > 0.0)


def _cube(turn: Turn) -> Iterator[str]:
    if turn.cube is None or turn.cube_decision is None:
        return
    rows = cube_rows(turn.cube)
    if not _has_open_cube(turn):
        amounts = "; ".join(f"{name} {value:+z.3f}" for name, value, _ in rows)
        yield f'<p class="told">Cube: {amounts}. {escaped(cube_verdict(turn))}'
        return
    yield '<table class="cube"><thead><tr><th>Cube<th>Equity<th>Diff</thead><tbody>'
    for name, value, lack in rows:
        yield f"<tr><td>{name}<td>{value:+z.3f}<td>{'' if lack == 0.0 else f'{lack:+z.3f}'}"
    yield "</tbody></table>"
    yield f'<p class="told">{escaped(cube_basis(turn.cube))}'
    yield f'<p class="verdict">{escaped(cube_verdict(turn))}'
    if turn.dice is not None:
        yield f'<p class="ids"><code>{to_xgid(asked_state(turn, is_rolled=False))}</code>'


def _comments(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        yield f'<p class="comment">{escaped(text)}</p>'

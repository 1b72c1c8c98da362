"""A review as plain text with text boards, for mail, forums and grep.

Everything is ASCII, except names and comments from the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.xgid import to_xgid
from master.games.backgammon.play.board_view import SIDE_BY_SIDE_COLUMNS, board_lines
from master.games.backgammon.review.turns import GameReview, MatchReview, Turn
from master.games.backgammon.review.wording import (
    asked_state,
    chances,
    cube_basis,
    cube_rows,
    cube_verdict,
    done,
    epc_words,
    equity,
    error_words,
    loss,
    luck_words,
    match_words,
    mwc_words,
    place,
    result_words,
    rules_words,
    scene,
    settings_words,
    tags_of,
    unit_of,
)
from master.reports.markup import plain

RULE = "-" * 72


def review_text(review: MatchReview, figures: Sequence[str] = ()) -> str:
    """Return the text of a review.

    Args:
        review: the content.
        figures: lines of figures of the match, put below its moves.

    Raises:
        RecordError: a game breaks the rules.
    """
    lines = [*_head(review), *(line for game in review.games for line in _game(review, game))]
    if figures:
        lines += [RULE, "", *figures]
    return "\n".join(plain(line.rstrip()) for line in lines) + "\n"


def _head(review: MatchReview) -> Iterator[str]:
    yield f"{review.names[0]} - {review.names[1]}"
    yield match_words(review)
    yield f"Rules: {rules_words(review)}"
    yield f"Analysis: {settings_words(review)}"
    for name, text in tags_of(review):
        yield f"{name.capitalize()}: {text}"
    for warning in review.analysed.notices:
        yield f"Warning: {warning}"
    yield ""


def _game(review: MatchReview, game: GameReview) -> Iterator[str]:
    one, other = game.game.score
    score = f"{review.names[0]} {one}, {review.names[1]} {other}"
    yield RULE
    yield f"Game {game.index + 1}: {score}{', Crawford game' if game.game.is_crawford else ''}"
    yield RULE
    yield ""
    for turn in game.turns:
        yield from turn_lines(review, turn)
    yield from _comments(game.comments)
    yield f"{result_words(game.game, review.names)}."
    yield ""


def turn_lines(
    review: MatchReview,
    turn: Turn,
    *,
    is_drawn: bool = False,
    width: int = SIDE_BY_SIDE_COLUMNS,
) -> list[str]:
    """Return a turn's lines, an empty one last; its board too where nothing is judged, if asked."""
    lines = _turn(review, turn, is_drawn=is_drawn, width=width)
    return [line.rstrip() for line in lines]


def _turn(review: MatchReview, turn: Turn, *, is_drawn: bool, width: int) -> Iterator[str]:
    head = f"{place(turn)}  {review.names[turn.player]}: {done(turn)}"
    if words := error_words(turn):
        head += f"   {words} ({unit_of(review).cost(-turn.cost)})"
    yield head
    yield ""
    if turn.decisions or is_drawn:
        yield f"GNUBG ID: {to_gnubg_id(asked_state(turn))}"
        yield to_xgid(asked_state(turn))
        drawn = scene(turn, review.names)
        yield from ("".join(span.text for span in line) for line in board_lines(drawn, width))
        if words := epc_words(turn, review.names):
            yield f" {words}"
        yield ""
        yield from _moves(turn, review.table)
        yield from _cube(turn, review.table)
        if words := luck_words(turn):
            yield f"Luck: {words}"
            yield ""
    yield from _comments(turn.comments)


def _moves(turn: Turn, table: MatchTable | None) -> Iterator[str]:
    candidates = turn.candidates
    if not candidates or turn.move_decision is None:
        return
    width = max(len(each.move.text) for each in candidates)
    levels = max(len(each.move.level) for each in candidates)
    for each in candidates:
        mark, move = "*" if each.is_played else " ", each.move
        worth = equity(move.equity_cubeful, move.std_error)
        worth += mwc_words(turn, move.equity_cubeful, table)
        lack = f"({loss(each.loss)})" if loss(each.loss) else ""
        name = f"{move.level:{levels}}  {move.text:{width}}"
        yield f"{mark} {each.rank_text:>3}. {name}  {worth} {lack}"
        yield f"       {chances(move.probs)}"
    yield ""


def _cube(turn: Turn, table: MatchTable | None) -> Iterator[str]:
    if turn.cube is None or turn.cube_decision is None:
        return
    decision = turn.cube_decision
    yield cube_verdict(turn)
    if not decision.is_close and not decision.error:
        yield ""
        return
    for name, value, lack in cube_rows(turn.cube):
        worth = f"{value:+z.3f}{mwc_words(turn, value, table)}"
        yield f"  {name:14}  {worth}" + (f"  ({lack:+z.3f})" if lack else "")
    yield f"  {cube_basis(turn.cube)}"
    yield ""


def _comments(texts: tuple[str, ...]) -> Iterator[str]:
    for text in texts:
        yield from (f"| {line}" for line in text.split("\n"))
        yield ""

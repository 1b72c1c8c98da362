"""The texts of a game of Othello at the terminal: board, moves, hints, the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from master.cli.othello.play_advisor import Hint
from master.cli.output import echo
from master.cli.terminal import terminal_width
from master.games.othello.analysis.judging import Judgement
from master.games.othello.board_view import (
    BLACK,
    SIDE_BY_SIDE_COLUMNS,
    WHITE,
    OthelloScene,
    othello_lines,
)
from master.games.othello.game import OthelloGame, result_of
from master.games.othello.record import OthelloRecord, is_transcribable, opening_name
from master.games.othello.search_report import value_text
from master.games.spans import Line
from master.reports.texts import printable

LINE_MOVES_SHOWN = 12
"""Of a hint's line: with the numbers before it 60 columns; people play on from there themselves."""


ERRORS_SHOWN = 10


def player_text(record: OthelloRecord, side: str) -> str:
    """Return a player's mark and name, without characters that control a terminal."""
    return f"{side} {_names(record)[side != BLACK]}".rstrip()


def game_lines(record: OthelloRecord, mine: str = BLACK) -> list[Line]:
    """Draw the board, with one side as the person's."""
    last = record.game.squares[-1:]
    scene = OthelloScene(record.game.board, _names(record), "".join(last), mine)
    return othello_lines(scene, terminal_width() or SIDE_BY_SIDE_COLUMNS)


def _names(record: OthelloRecord) -> tuple[str, str]:
    return printable(record.black), printable(record.white)


def pass_text(record: OthelloRecord) -> str | None:
    """Return a line about the player who just had to pass; None: there is none."""
    side = record.game.has_passed
    return None if side is None else f"{player_text(record, side)} cannot move and passes."


def result_text(record: OthelloRecord) -> str:
    """Return how the game ended: `X Ann wins by 12: 38-26, 4 of them empty squares.`."""
    board = record.game.board
    result = result_of(board)
    squares = board.size * board.size
    more = (squares + abs(result.margin)) // 2
    score = f"{more}-{squares - more}"
    empties = f", {result.empties} of them empty squares" if result.empties else ""
    if result.winner is None:
        shared = f", {result.empties} empty squares shared" if result.empties else ""
        return f"The game is over: a draw, {score}{shared}."
    winner = player_text(record, result.winner)
    return f"The game is over: {winner} wins by {abs(result.margin)}: {score}{empties}."


def show_hints(hints: Sequence[Hint], *, is_exact: bool) -> None:
    """Print moves, best first, with their values and the expected lines."""
    headings = f"{'Discs':>10} {'Diff':>6}  Line" if len(hints) > 1 else f"{'Discs':>10}  Line"
    echo(headings, is_bold=True)
    for rank, hint in enumerate(hints, 1):
        value = value_text(hint.value, is_exact=is_exact)
        behind = hint.value - hints[0].value
        diff = value_text(behind, is_exact=is_exact) if behind else ""
        column = f" {diff:>6}" if len(hints) > 1 else ""
        line = " ".join(hint.line[:LINE_MOVES_SHOWN])
        echo(f"{rank:>2}. {value:>6}{column}  {line}")


def judgement_text(square: str, judged: Judgement) -> str:
    """Return the value of a move, and its difference from the best one's."""
    value = value_text(judged.value, is_exact=judged.is_exact)
    if judged.best == square:
        return f"{value}, the best"
    loss = value_text(judged.best_value - judged.value, is_exact=judged.is_exact)
    return f"{value}, {loss.removeprefix('+')} less than {judged.best}"


def show_review(record: OthelloRecord, judged: Mapping[int, Judgement]) -> None:
    """Print the loss of each player, and the largest errors.

    Args:
        record: the game.
        judged: turns that had an alternative, by their numbers from 0.
    """
    game = record.game
    losses = {number: one.best_value - one.value for number, one in judged.items()}
    for side in (BLACK, WHITE):
        own = [number for number in losses if game.side_of(number) == side]
        lost = sum(losses[number] for number in own)
        best = sum(losses[number] == 0 for number in own)
        echo(f"{player_text(record, side)}: {best} of {len(own)} moves were best, "
             f"{lost:.2f} discs given away.")  # fmt: skip
    errors = sorted((number for number in losses if losses[number] > 0), key=lambda n: -losses[n])
    if errors:
        echo("The largest errors:", is_bold=True)
    for number in errors[:ERRORS_SHOWN]:
        square = game.turns[number].square
        echo(f"{number + 1:>3}. {game.side_of(number)} {square}  "
             f"{judgement_text(square, judged[number])}")  # fmt: skip


def record_text(game: OthelloGame) -> str:
    """Return the moves as a transcript, after the board if it is not usual, and the opening."""
    moves = "".join(game.squares) or "no move is made"
    if not is_transcribable(game):
        return f"{game.start.to_text()}\n{moves}"
    opening = opening_name(game)
    return moves if opening is None else f"{moves}\nOpening: {opening}"

"""The texts of a game of chess at the terminal: board, moves, hints, the result."""

from __future__ import annotations

from master.cli.output import echo, screen
from master.games.chess.board_view import ChessScene, draw_scene
from master.games.chess.game import ChessGame, Ending
from master.games.chess.record import ChessRecord
from master.games.chess.san import by_king, numbered
from master.games.chess.search_report import ranked_lines
from master.games.chess.threaded_search import ChessLine
from master.games.spans import Line
from master.reports.texts import printable

LINE_MOVES_SHOWN = 8
"""Of a hint's line: with numbers, rank and value about 75 columns."""

SIDES = {"w": "White", "b": "Black"}


def player_text(record: ChessRecord, side: str) -> str:
    """Return a player's side and name, without characters that control a terminal."""
    name = record.black if side == "b" else record.white
    return f"{SIDES[side]} {printable(name)}".rstrip()


def game_lines(record: ChessRecord, *, is_flipped: bool) -> list[Line]:
    """Draw the board."""
    game = record.game
    last = by_king(game.boards[-2], game.moves[-1]) if game.moves else ""
    names = player_text(record, "w"), player_text(record, "b")
    return draw_scene(ChessScene(game.board, names, last, is_flipped), screen())


def result_text(record: ChessRecord) -> str:
    """Return how the game ended: `White Ann wins by checkmate.`."""
    ending = record.game.ending
    assert ending is not None, "the game is over"
    if ending is Ending.CHECKMATE:
        winner = player_text(record, "w" if record.game.result == "1-0" else "b")
        return f"The game is over: {winner} wins by checkmate."
    return f"The game is over, a draw: {ending.value}."


def show_hints(game: ChessGame, hints: tuple[ChessLine, ...]) -> None:
    """Print moves, best first, with their values and the expected lines."""
    short = tuple(ChessLine(hint.value, hint.moves[:LINE_MOVES_SHOWN]) for hint in hints)
    echo(f"{'Pawns':>14}  Line", is_bold=True)
    echo("\n".join(ranked_lines(game.board, short)))


def moves_text(game: ChessGame) -> str:
    """Return the moves so far with their numbers."""
    start = game.start
    moves = numbered(game.sans, start.move_number, is_black=start.is_black)
    return moves or "no move is made"

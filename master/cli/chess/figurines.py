"""Chess boards on standard output: as wide as it is, figurines where it has them."""

from __future__ import annotations

from dataclasses import replace

from master.cli.terminal import can_say, terminal_width
from master.games.chess.board_view import FIGURINES, ChessScene, chess_lines
from master.games.spans import Line


def drawing(scene: ChessScene) -> list[Line]:
    """Return a scene's lines for the standard output there is."""
    shown = replace(scene, has_figurines=can_say(FIGURINES))
    columns = terminal_width()
    return chess_lines(shown) if columns is None else chess_lines(shown, columns)

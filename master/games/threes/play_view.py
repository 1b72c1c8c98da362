"""Draws a game of Threes! as lines of text.

Styles are marks around spans; the caller turns them into colours or drops them.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.spans import Line, Span
from master.games.threes.board_view import BOARD_COLUMNS, GAP_COLUMNS, style_of, threes_lines

SIDE_COLUMNS = 27
"""The width of the text beside the board."""

SCENE_COLUMNS = BOARD_COLUMNS + GAP_COLUMNS + SIDE_COLUMNS


@dataclass(frozen=True, slots=True)
class ThreesScene:
    """The content of a drawing.

    Args:
        board: the board.
        next_ranks: the next card's rank, or up to three candidates.
        moves: the number made.
        name: of the player.
        notes: more lines beside the board.
    """

    board: ThreesBoard
    next_ranks: tuple[int, ...]
    moves: int
    name: str = ""
    notes: tuple[str, ...] = ()


def next_text(ranks: tuple[int, ...]) -> str:
    """Return the next card, or its candidates: `6/12/24`."""
    return "/".join(str(card_of(rank)) for rank in ranks)


def scene_lines(scene: ThreesScene, width: int = SCENE_COLUMNS) -> list[Line]:
    """Return the board in nine lines; the rest is to its right, or below on a narrow screen."""
    board = threes_lines(scene.board)
    if width < SCENE_COLUMNS:
        return [*board, *_side_lines(scene)]
    gap = Span(" " * GAP_COLUMNS)
    side = dict(enumerate(_side_lines(scene), 1))
    return [(*line, gap, *side[i]) if i in side else line for i, line in enumerate(board)]


def _side_lines(scene: ThreesScene) -> list[Line]:
    shown = next_text(scene.next_ranks)
    name: list[Line] = [(Span(scene.name[:SIDE_COLUMNS]),)] if scene.name else []
    return [
        *name,
        (Span("next   "), Span(shown, style_of(scene.next_ranks[0]))),
        (Span(f"score  {scene.board.score:,}"),),
        (Span(f"moves  {scene.moves:,}"),),
        *((Span(note),) for note in scene.notes),
    ]

"""Draws a game of Threes! as lines of text.

Knows cards and widths.  Styles are marks around spans; the caller turns them into colours or drops
them.  Must not know terminals.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.spans import Line, Span

CARD_COLUMNS = 5
"""Of the largest card, 12288."""

SIDE_COLUMNS = 27
"""Of what stands beside the board; with it they make 60 columns."""

BOARD_COLUMNS = 4 * (CARD_COLUMNS + 2) + 1
GAP_COLUMNS = 3
SCENE_COLUMNS = BOARD_COLUMNS + GAP_COLUMNS + SIDE_COLUMNS

_BORDER = ("+" + "-" * (CARD_COLUMNS + 1)) * 4 + "+"
_STYLES = {1: "blue", 2: "red"}


@dataclass(frozen=True, slots=True)
class ThreesScene:
    """What is drawn.

    Args:
        board: the board.
        next_ranks: the next card's rank, or up to three candidates.
        moves: how many were made.
        name: whose game it is.
    """

    board: ThreesBoard
    next_ranks: tuple[int, ...]
    moves: int
    name: str = ""


def next_text(ranks: tuple[int, ...]) -> str:
    """Return the next card, or its candidates: `6/12/24`."""
    return "/".join(str(card_of(rank)) for rank in ranks)


def threes_lines(scene: ThreesScene, width: int = SCENE_COLUMNS) -> list[Line]:
    """Return the board in nine lines; the rest stands to its right, or below if it is narrow."""
    board = _board_lines(scene.board)
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
        (Span("next   "), Span(shown, _style(scene.next_ranks[0]))),
        (Span(f"score  {scene.board.score:,}"),),
        (Span(f"moves  {scene.moves:,}"),),
    ]


def _board_lines(board: ThreesBoard) -> list[Line]:
    border: Line = (Span(_BORDER, "dim"),)
    lines = [border]
    for row in range(4):
        cells = [span for rank in board.ranks[4 * row : 4 * row + 4] for span in _cell(rank)]
        lines += [(*cells, Span("|", "dim")), border]
    return lines


def _cell(rank: int) -> tuple[Span, ...]:
    edge = Span("|", "dim")
    if not rank:
        return edge, Span(" " * (CARD_COLUMNS + 1))
    return edge, Span(f"{card_of(rank):>{CARD_COLUMNS}}", _style(rank)), Span(" ")


def _style(rank: int) -> str:
    return _STYLES.get(rank, "strong")

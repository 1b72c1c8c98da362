"""Positions of Threes! as text: boards, moves side by side, and a game with the cards to come."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.errors import OtherTextError
from master.games.spans import DrawnPosition, Line, Screen, Span
from master.reports.report import Report

POSITION_PREFIX = "threes:"
"""Prefix of a board without context: 16 digits would be the number of a job."""

BOARD_COLUMNS = 25
"""Four boxes, each as wide as the largest card, 12288."""

GAP_COLUMNS = 3
"""Between two boards side by side."""

_EDGE = Span("+-----+-----+-----+-----+", "dim")
_SIDE = Span("|", "dim")
_ENTRY = Span("  +  ", "strong")
_EMPTY = Span("     ")
_LOOKAHEADS = {1: "blue", 2: "red"}


def read_position(text: str) -> ThreesBoard:
    """Return the board of `threes:` and 16 hex digits; ValueError for anything else."""
    if not re.fullmatch(POSITION_PREFIX + r"[0-9a-fA-F]{16}", text):
        error = ValueError if text.startswith(POSITION_PREFIX) else OtherTextError
        raise error(f"{text[:40]!r} is no board: expected {POSITION_PREFIX} and 16 hex digits")
    return ThreesBoard.from_text(text.removeprefix(POSITION_PREFIX))


def heading(board: ThreesBoard) -> str:
    """Return a board's text, which `show` reads, and its points."""
    ending = "" if board.moves() else ", no move is legal"
    return f"{POSITION_PREFIX}{board.to_text()}  {board.score:,} points{ending}"


def draw_position(board: ThreesBoard, screen: Screen) -> DrawnPosition:
    """Return a board below its text; every screen has room for it."""
    return DrawnPosition(heading(board), threes_lines(board))


def position_report(board: ThreesBoard) -> Report:
    """Return a board's text, its cards, its score and its moves."""
    return {
        "board": board.to_text(),
        "cards": [card_of(rank) if rank else 0 for rank in board.ranks],
        "score": board.score,
        "moves": list(board.moves()),
    }


def threes_lines(board: ThreesBoard, entry: Collection[int] = ()) -> list[Line]:
    """Return a board, nine lines; `+` is on the squares where a card may enter."""
    lines: list[Line] = [(_EDGE,)]
    for row in range(4):
        cells = [_cell(board, square, entry) for square in range(4 * row, 4 * row + 4)]
        lines.append((_SIDE, *(span for cell in cells for span in (cell, _SIDE))))
        lines.append((_EDGE,))
    return lines


def _cell(board: ThreesBoard, square: int, entry: Collection[int]) -> Span:
    """Return the content of a square; the largest cards are highlighted."""
    rank = board.ranks[square]
    if not rank:
        return _ENTRY if square in entry else _EMPTY
    return Span(f"{card_of(rank):^5}", style_of(rank, "highest" if rank == board.highest else ""))


def style_of(rank: int, other: str = "strong") -> str:
    """Return the style of a card: 1 and 2, which merge with each other, have their own."""
    return _LOOKAHEADS.get(rank, other)


def titled(title: str, lines: Sequence[Line]) -> list[Line]:
    """Return a board below its title, which is cut to the board's width."""
    return [(Span(title[:BOARD_COLUMNS], "strong"),), *lines]


def side_by_side(drawings: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Return boards of equal height in rows of four, two or one, to fit the columns."""
    room = (width + GAP_COLUMNS) // (BOARD_COLUMNS + GAP_COLUMNS)
    count = next((each for each in (4, 2) if each <= room), 1)
    found: list[Line] = []
    for first in range(0, len(drawings), count):
        if first:
            found.append(())
        found += map(_joined, zip(*drawings[first : first + count], strict=True))
    return found


def _joined(lines: Sequence[Line]) -> Line:
    *others, last = lines
    return (*(span for line in others for span in _filled(line)), *last)


def _filled(line: Line) -> Line:
    """Return a line padded with blanks to the next board."""
    columns = sum(len(span.text) for span in line)
    return (*line, Span(" " * (BOARD_COLUMNS + GAP_COLUMNS - columns)))


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

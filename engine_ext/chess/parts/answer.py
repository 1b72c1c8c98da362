"""One whole question about a chess position: its reproducible value at a depth, and the best line.

The module contains the question, its answer, and the search in steps.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import DEEPEST, MATE_VALUE, SPLIT_DEPTH, ExactSearch
from engine_ext.chess.fast.search import MATE_VALUE as FAST_MATE
from engine_ext.chess.fast.search import FastSearch
from engine_ext.control import RunControl
from engine_ext.search.table import KeyedTable

STEP_NODES = 50_000
"""Some 50 ms: often enough for progress, seldom enough to cost nothing."""

DEPTH_MIN = SPLIT_DEPTH
"""Shallower searches return no move."""

DEPTH_MAX = DEEPEST

MATE_DEPTH_MAX = 10
"""A mate that a line leads to is near its end: the fast search finds it within so many plies."""


@dataclass(frozen=True, slots=True)
class ExactQuestion:
    """A question about a position.

    Args:
        board: a position with a legal move.
        before: the game's positions, itself among them.
        depth: in plies, DEPTH_MIN to DEPTH_MAX.
    """

    board: ChessBoard
    before: GameBefore
    depth: int

    @property
    def position(self) -> Position:
        """The root."""
        return Position(self.board, ROOT | BEFORE)


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """The result of a search.

    Args:
        value: in centipawns for the side to move, as exact.search.ExactSearch has it.
        depth: of the search.
        line: best moves of both sides in UCI's words, as far as they are known; not empty.
        nodes: positions visited.
    """

    value: int
    depth: int
    line: tuple[str, ...]
    nodes: int

    @property
    def is_mate(self) -> bool:
        """Whether one side mates."""
        return abs(self.value) >= MATE_VALUE


@dataclass(frozen=True, slots=True)
class ExactStatus:
    """The progress of a search.

    Args:
        nodes: positions visited so far.
        found: the answer at the depth of the last finished iteration; None: there is none yet.
    """

    nodes: int
    found: ExactAnswer | None


Steps = Generator[ExactStatus, None, ExactAnswer]


def answer(question: ExactQuestion, table: KeyedTable) -> Steps:
    """Search in steps, and yield the progress after each; the answer is the return value."""
    found, nodes = None, 0
    for depth in range(1, question.depth + 1):
        search = ExactSearch(
            question.position, depth, first_depth=depth, before=question.before, table=table
        )
        while not search.step(STEP_NODES):
            yield ExactStatus(nodes + search.nodes, found)
        nodes += search.nodes
        if depth >= DEPTH_MIN:
            assert search.value is not None
            line = best_line(question.position, depth, search.value, question.before, table)
            found = ExactAnswer(search.value, depth, line, nodes)
    assert found is not None, "there was an iteration of DEPTH_MIN or more"
    return found


def answer_at_once(question: ExactQuestion, table: KeyedTable) -> ExactAnswer:
    """Return the answer; nothing stops it."""
    steps = answer(question, table)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: ExactAnswer = end.value
            return found


def best_line(
    position: Position,
    depth: int,
    value: int,
    before: GameBefore,
    table: KeyedTable,
    control: RunControl | None = None,
) -> tuple[str, ...]:
    """Return the best moves from a position that its search at a depth found, or to mate.

    Args:
        position: the first one of the line.
        depth: of its value.
        value: for its side to move.
        before: the game's positions.
        table: knows most of it.
        control: stops it, and then the line is invalid.
    """
    line = []
    while True:
        moves = position.moves(depth, before)
        if not moves:
            break
        search = ExactSearch(
            position, depth, value - 1, value + 1, first_depth=depth, before=before, table=table,
            control=control,
        )  # fmt: skip
        search.run()
        place = -1 if search.best_move is None else int(search.best_move)
        if place < 0 or not moves[place]:
            break  # a draw, or the pass
        line.append(moves[place])
        packed, depth = position.children(depth, before)[place]
        position, value = Position.from_bytes(packed), -value
    if abs(value) >= MATE_VALUE:
        line += mating_line(position.board)
    return tuple(line)


def mating_line(board: ChessBoard) -> tuple[str, ...]:
    """Return the moves that mate, of a position where there is a mate near; () if none is found."""
    if not board.move_count:
        return ()
    search = FastSearch(board)
    while search.depth < MATE_DEPTH_MAX and search.deepen():
        value, line = search.lines[0]
        if abs(value) == FAST_MATE - len(line):
            return line
    return ()

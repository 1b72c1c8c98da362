"""A search by another engine, in rounds of probes at whole positions that many analysers share.

An engine that is not ours is not divided at the root (engine_ext/chess/NOTES.md).  So the best move
comes from probes at the position itself, each with more nodes than the one before.  Several lines,
and chosen moves, come from probes at the positions after them: each may be on another machine.

The caller asks, and measures the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import MATE_VALUE
from engine_ext.chess.probes.probe_text import (
    MOVES_MAX,
    NODES_MAX,
    ProbeAnswer,
    ProbeQuestion,
    ProbeValue,
)
from master.games.chess.analysis.judging import turned
from master.games.chess.game import ChessGame, Ending
from master.games.chess.threaded_search import MATE_PLIES_MAX

NODES_FIRST = 10_000
"""Of the first round: some 20 ms, so that a move is known at once.  Glaurung has none yet after
1,000 nodes."""

GROWTH_OPEN = 2
"""Without an end that is known, each round has so many times the nodes of the one before."""

GROWTH_TIMED = 6
"""Against the clock only the last round counts: those before it take a fifth of its time."""

USED_SHARE = 0.85
"""Of the time that is left: a round that is stopped has no result."""

ROUND_SHARE_MIN = 1.5
"""A round with fewer times the nodes of the last one finds nothing new."""

SPARE_LINES = 2
"""Moves next to the best ones that are probed as deeply: one of them may be better."""

VALUE_MAX = MATE_VALUE - MATE_PLIES_MAX - 1
"""Larger values would be read as mates."""


def number_of(value: ProbeValue) -> int:
    """Return a value in centipawns; near MATE_VALUE it means a mate, as in our own searches."""
    if not value.is_mate:
        return min(max(value.number, -VALUE_MAX), VALUE_MAX)
    if value.number > 0:
        return MATE_VALUE - (2 * value.number - 1)
    return -(MATE_VALUE + 2 * value.number)


def moves_between(boards: Sequence[ChessBoard]) -> tuple[str, ...]:
    """Return the moves that lead from each position to the next, castling by the rook's square."""
    return tuple(
        next(name for name in before.moves(True) if before.play(name) == after)
        for before, after in pairwise(boards)
    )


def rook_move(board: ChessBoard, move: str) -> str:
    """Return a legal move in the words of a probe: castling by the rook's square."""
    (found,) = moves_between((board, board.play(move)))
    return found


def usual_words(board: ChessBoard, moves: Sequence[str]) -> tuple[str, ...]:
    """Return a line of a probe with castling written by the king's square."""
    written = []
    for move in moves:
        written.append(dict(zip(board.moves(True), board.moves(False), strict=True))[move])
        board = board.play(move)
    return tuple(written)


def rook_words(board: ChessBoard, moves: Sequence[str]) -> tuple[str, ...]:
    """Return a line with castling written by the rook's square."""
    written = []
    for move in moves:
        written.append(rook_move(board, move))
        board = board.play(move)
    return tuple(written)


@dataclass(frozen=True, slots=True)
class ProbeTask:
    """What a search is to find.

    Args:
        engine: digest of the engine.
        boards: of the game, the oldest first; the last one is searched, and has a legal move.
        line_count: how many of the best moves.
        moves: the only ones to search, in the words of a probe; empty: all.
        nodes: of the last round's probes; None: no limit.
        depth: of the last round; None: no limit.
    """

    engine: str
    boards: tuple[ChessBoard, ...]
    line_count: int = 1
    moves: tuple[str, ...] = ()
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A move, and what follows it.

    Args:
        value: in centipawns, see `number_of`; None: the engine gave none.
        moves: in the words of a probe.
        depth: of the probe, in plies from the position that is searched.
    """

    value: int | None
    moves: tuple[str, ...]
    depth: int


class ProbeRounds:
    """One search: the questions of its rounds, and the lines found so far."""

    def __init__(self, task: ProbeTask) -> None:
        self._task = task
        first = max(0, len(task.boards) - MOVES_MAX)
        self._boards = task.boards[first:]
        self._moves = moves_between(self._boards)
        self._known: dict[str, FoundLine] = {}
        self._best = ""
        self._is_by_moves = task.line_count > 1 or bool(task.moves)
        self._candidates = self._first_candidates()
        self._asked: tuple[str, ...] = ()
        self.nodes = 0

    def _first_candidates(self) -> tuple[str, ...]:
        """Take the chosen moves, or all; those that end the game need no probe."""
        if not self._is_by_moves:
            return ()
        moves = self._task.moves or tuple(self._boards[-1].moves(True))
        open_moves = []
        for move in moves:
            game = self._after(move)
            if game.ending is None:
                open_moves.append(move)
                continue
            is_mate = game.ending is Ending.CHECKMATE
            value = turned(ProbeValue(0, is_mate))
            self._known[move] = FoundLine(number_of(value), (move,), 1)
        return tuple(open_moves)

    def _after(self, move: str) -> ChessGame:
        boards = (*self._boards, self._boards[-1].play(move))
        return ChessGame(boards[0], (*self._moves, move), boards)

    def questions(self, nodes: int) -> list[ProbeQuestion]:
        """Return the next round's questions: the position's own first, then those of moves."""
        task, depth = self._task, self._task.depth or 0
        root = () if task.moves else ("",)
        self._asked = (*root, *self._candidates)
        found = []
        for move in self._asked:
            boards = (*self._boards, self._boards[-1].play(move)) if move else self._boards
            moves = (*self._moves, move) if move else self._moves
            plies = max(depth - bool(move), 1) if depth else 0
            first = max(0, len(boards) - 1 - MOVES_MAX)
            found.append(
                ProbeQuestion(task.engine, boards[first:], moves[first:], nodes, depth=plies)
            )
        return found

    def take(self, index: int, answer: ProbeAnswer) -> None:
        """Take in the answer to one of the round's questions, in any order."""
        self.nodes += answer.nodes
        if not answer.lines:
            return
        line, move = answer.lines[0], self._asked[index]
        if move:
            value = None if line.value is None else number_of(turned(line.value))
            self._known[move] = FoundLine(value, (move, *line.moves), answer.depth + 1)
            return
        value = None if line.value is None else number_of(line.value)
        self._best = line.moves[0]
        known = self._known.get(self._best)
        if known is None or known.depth <= answer.depth or not self._is_by_moves:
            self._known[self._best] = FoundLine(value, line.moves, answer.depth)

    def end_round(self) -> None:
        """Choose the moves of the next round: the best ones, and some next to them."""
        if not self._is_by_moves or (
            self._task.moves and self._task.line_count >= len(self._known)
        ):
            return
        ranked = [line.moves[0] for line in self._ranked()]
        chosen = ranked[: self._task.line_count + SPARE_LINES]
        self._candidates = tuple(move for move in chosen if self._after(move).ending is None)

    def _ranked(self) -> list[FoundLine]:
        """Return all lines, the best first, those without a value last; ties by the move."""
        return sorted(
            self._known.values(),
            key=lambda line: (-inf if line.value is None else line.value, line.moves[0] ==
                              self._best, line.moves[0]),
            reverse=True,
        )  # fmt: skip

    @property
    def lines(self) -> tuple[FoundLine, ...]:
        """The best lines so far, the best first."""
        if self._is_by_moves:
            return tuple(self._ranked()[: self._task.line_count])
        return (self._known[self._best],) if self._best else ()

    @property
    def depth(self) -> int:
        """The depth of the best line."""
        return self.lines[0].depth if self.lines else 0

    def next_nodes(self, last: int, rate: float, left_s: float) -> int:
        """Return the nodes of each probe of the next round; 0: the search is over.

        Args:
            last: the nodes of the round before; 0: there was none.
            rate: nodes of each probe in a second of that round.
            left_s: until the end of the search; infinite: no end is known.
        """
        most = NODES_MAX if self._task.nodes is None else min(self._task.nodes, NODES_MAX)
        is_deep = self._task.depth is not None and self.depth >= self._task.depth
        if last >= most or (last and is_deep):
            return 0
        if not last:
            return min(NODES_FIRST, most)
        if left_s == inf:
            return min(last * GROWTH_OPEN, most)
        fitting = int(rate * max(left_s, 0.0) * USED_SHARE)
        if fitting < last * ROUND_SHARE_MIN:
            return 0
        if fitting <= last * GROWTH_TIMED * ROUND_SHARE_MIN:
            return min(fitting, most)
        return min(last * GROWTH_TIMED, most)

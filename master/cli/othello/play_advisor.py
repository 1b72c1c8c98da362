"""Who values Othello boards at the table: the engine's moves, hints, and what a move gave away.

Knows what to ask of the engine at a level, and keeps answers, since people ask twice.  Must not
know what is done with them.  Ctrl-C ends any of it by KeyboardInterrupt, with nothing lost.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStanding, move_so_far
from engine_ext.othello.board import OthelloBoard
from master.cli.othello.search_watch import watched
from master.games.othello.level import Level

KNOWN_MAX = 500
"""Answers kept, some kilobytes each: a game taken back and played again several times."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move of the engine.

    Args:
        square: a legal one.
        value: for the side that moves, in discs; None: it did not look, or had no time to.
        is_exact: whether that is the score of best play.
    """

    square: str
    value: float | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """A legal move, and what it is worth to the side that moves.

    Args:
        value: in discs.
        line: what best follows, the move first; passes are left out.
    """

    value: float
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a move was worth to the side that made it, and what the best one was.

    Args:
        value, best_value: in discs.
        best: a best move; the one that was made if that is one.
        is_exact: whether the values are scores of best play.
    """

    value: float
    best: str
    best_value: float
    is_exact: bool


class OthelloAdvisor:
    """Values boards at one level.  The same questions have the same answers, time limits apart."""

    def __init__(self, level: Level) -> None:
        """Prepare an advisor.

        Args:
            level: how deep boards are searched.
        """
        self.level = level
        self._known: dict[BoardQuestion, BoardAnswer] = {}

    def choose(self, board: OthelloBoard) -> Choice:
        """Return the engine's move; of a single legal one nothing is asked."""
        moves = board.moves()
        if len(moves) == 1:
            return Choice(moves[0], None, is_exact=False)
        found = self._in_time(board)
        is_exact = isinstance(found, BoardAnswer) and found.is_exact
        return Choice(move_so_far(board, found), found.value, is_exact)

    def hints(self, board: OthelloBoard, count: int) -> tuple[list[Hint], bool]:
        """Return the best so many moves, best first, and whether their values are exact."""
        found = self._answer(self.level.question(board, is_every_move_asked=count > 1))
        values = [value for _, value in found.moves] or [found.value]
        lines = found.lines or (found.pv or (found.best_move or "",),)
        hints = [Hint(value, line) for value, line in zip(values, lines, strict=True)]
        hints.sort(key=lambda hint: (-hint.value, hint.line[0] != found.best_move))
        return hints[:count], found.is_exact

    def judge(self, board: OthelloBoard, square: str) -> Judgement:
        """Return what a legal move is worth beside the best one."""
        question = self.level.question(board)
        found = self._answer(question)
        assert found.best_move is not None, "there are legal moves"
        value = dict(found.moves).get(square, found.value)
        if square != found.best_move and not found.moves:
            value = -self._answer(question.behind(square)).value
        best = square if value >= found.value else found.best_move
        return Judgement(value, best, max(value, found.value), found.is_exact)

    def _in_time(self, board: OthelloBoard) -> BoardAnswer | BoardStanding:
        """Return what a move is chosen by: the last answer there was time for."""
        limit_s = self.level.seconds
        if limit_s is None:
            return self._answer(self.level.question(board))
        started, best = time.perf_counter(), None
        for question in self.level.stages(board):
            left_s = limit_s - (time.perf_counter() - started)
            if best is not None and left_s <= 0:
                break
            found = watched(question, max(left_s, 0.0), is_quiet=True)
            best = found if best is None or isinstance(found, BoardAnswer) else best
        assert best is not None, "there is a stage"
        return best

    def _answer(self, question: BoardQuestion) -> BoardAnswer:
        """Search, unless that is known."""
        for known in (replace(question, is_every_move_asked=True), question):
            if known in self._known:
                return self._known[known]
        found = watched(question, is_quiet=True)
        assert isinstance(found, BoardAnswer), "there is no limit"
        if len(self._known) >= KNOWN_MAX:
            del self._known[next(iter(self._known))]
        self._known[question] = found
        return found

"""Values of Othello boards in a session: the engine's moves, hints, and the loss of a move.

Answers are kept, since people ask twice. Ctrl-C ends any search by KeyboardInterrupt, with nothing
lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, move_so_far
from engine_ext.othello.board import OthelloBoard
from master.cli.interruptible import interruptible
from master.cli.othello.search_alone import watched
from master.cli.playing.opponent_options import LevelPlayer
from master.games.othello.analysis.judging import Judgement
from master.games.othello.level import DEPTH_MAX, Level
from master.games.othello.opponents import OPPONENTS, OthelloOpponent

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
    """A legal move, and its value to the side that moves.

    Args:
        value: in discs.
        line: the best continuation, the move first; passes are left out.
    """

    value: float
    line: tuple[str, ...]


Search: TypeAlias = Callable[[BoardQuestion, float | None], BoardAnswer | BoardStatus]
"""Answers a question, or returns its progress after so many seconds."""


def _quietly(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
    return watched(question, limit_s, is_quiet=True)


class OthelloAdvisor:
    """Values boards at one level.  The same questions have the same answers, time limits apart."""

    def __init__(self, level: Level, search: Search = _quietly) -> None:
        """Prepare an advisor.

        Args:
            level: how deep boards are searched.
            search: searches a board, and may show progress.
        """
        self.level = level
        self._search = search
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
        """Return the value of a legal move beside that of the best one."""
        question = self.level.question(board)
        found = self._answer(question)
        assert found.best_move is not None, "there are legal moves"
        value = dict(found.moves).get(square, found.value)
        if square != found.best_move and not found.moves:
            value = -self._answer(question.behind(square)).value
        best = square if value >= found.value else found.best_move
        return Judgement(value, best, max(value, found.value), found.is_exact)

    def judge_in_time(self, board: OthelloBoard, square: str) -> Judgement:
        """Judge as deep as there is time for at the best move; ends are solved without a limit.

        The move that was made is looked at as deep, so that both values compare.
        """
        limit_s = self.level.seconds
        if limit_s is None or board.empties <= self.level.exact_empties:
            return self.judge(board, square)
        deepest = BoardQuestion(board, min(DEPTH_MAX, board.empties - 1))
        found = self._search(deepest, limit_s)
        depth = deepest.depth if isinstance(found, BoardAnswer) else found.depth
        if found.value is None or not depth:
            depth, found = 1, self._answer(replace(deepest, depth=1))
        best, best_value = move_so_far(board, found), found.value
        assert best_value is not None, "an answer has a value"
        value = best_value
        if square != best:
            value = -self._answer(replace(deepest, depth=depth).behind(square)).value
        best = square if value >= best_value else best
        return Judgement(value, best, max(value, best_value), is_exact=False)

    def _in_time(self, board: OthelloBoard) -> BoardAnswer | BoardStatus:
        """Return the result that a move is chosen by: the last one within the time."""
        limit_s = self.level.seconds
        if limit_s is None:
            return self._answer(self.level.question(board))
        started, best = time.perf_counter(), None
        for question in self.level.stages(board):
            left_s = limit_s - (time.perf_counter() - started)
            if best is not None and left_s <= 0:
                break
            found = self._search(question, max(left_s, 0.0))
            best = found if best is None or isinstance(found, BoardAnswer) else best
        assert best is not None, "there is a stage"
        return best

    def _answer(self, question: BoardQuestion) -> BoardAnswer:
        """Search, unless that is known."""
        for known in (replace(question, is_every_move_asked=True), question):
            if known in self._known:
                return self._known[known]
        found = self._search(question, None)
        assert isinstance(found, BoardAnswer), "there is no limit"
        if len(self._known) >= KNOWN_MAX:
            del self._known[next(iter(self._known))]
        self._known[question] = found
        return found


class LevelOpponent(LevelPlayer):
    """The engine as an opponent of a level."""

    __slots__ = ()

    def choose(self, board: OthelloBoard) -> Choice:
        """Return its move, without a value: that would be no advice."""
        strength = OPPONENTS[self.level]
        if self.depth is not None:
            strength = replace(strength, depth=self.depth)
        move = interruptible(partial(OthelloOpponent(strength, self.seed).choose, board))
        return Choice(move, None, is_exact=False)

"""The engine's lines in the NBoard protocol during and after a search.

Makes the questions for a board's search, and the lines of the answers.  The caller passes the
elapsed time and the stop flag.  Evaluations are discs for the side to move; depth `100%` means that
they are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

from engine_ext.othello.answer import (
    PATTERN_SIZE,
    BoardAnswer,
    BoardQuestion,
    BoardStatus,
    Steps,
    answer,
    move_so_far,
)
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.choice import Chooser, effort_for
from engine_ext.othello.patterns import load_game_patterns
from master.games.othello.nboard import Wish, WishKind, status_line

STATUS_S = 1.0
"""People read no faster."""

PASS = "PA"


@dataclass(frozen=True, slots=True)
class Watch:
    """The caller's input to a search.

    Args:
        elapsed_s: seconds since it began.
        is_stopped: whether it must end; checked some times a second.
    """

    elapsed_s: Callable[[], float]
    is_stopped: Callable[[], bool]


Lines = Generator[str, None, BoardAnswer | BoardStatus]
"""Yields lines; returns the answer, or the state at the stop."""


def thinking(wish: Wish, watch: Watch) -> Iterator[str]:
    """Search, and yield each line at once.

    Stopped, a `go` still gets the best move so far, legal in any case; hints and analyses end.
    """
    yield status_line("thinking")
    yield from {WishKind.GO: _go, WishKind.HINT: _hint, WishKind.ANALYZE: _analyze}[wish.kind](
        wish, watch
    )
    yield status_line("ready")


def line_text(board: OthelloBoard, moves: Sequence[str]) -> str:
    """Write a line such as F5D6C3, with the passes that it implies."""
    text = ""
    for move in moves:
        if board.must_pass:
            board, text = board.passed(), text + PASS
        board, text = board.play(move), text + move.upper()
    return text


def _go(wish: Wish, watch: Watch) -> Iterator[str]:
    board = wish.boards[-1]
    moves = board.moves()
    if len(moves) < 2:
        yield f"=== {moves[0].upper() if moves else PASS}"
        return
    found = yield from _followed(_choosing(board, wish.depth), board, watch, is_reported=True)
    value = "" if found.value is None else f"{found.value:z.2f}"
    yield f"=== {move_so_far(board, found).upper()}/{value}/{watch.elapsed_s():.2f}"


def _hint(wish: Wish, watch: Watch) -> Iterator[str]:
    board = wish.boards[-1]
    is_pass = board.must_pass
    question = BoardQuestion(
        board.passed() if is_pass else board,
        wish.depth,
        is_every_move_asked=wish.move_count > 1 and not is_pass,
    )
    asked = question.board
    found = yield from _followed(answer(question), asked, watch, is_reported=not is_pass)
    if not isinstance(found, BoardAnswer):
        return
    depth = "100%" if found.is_exact else str(wish.depth)
    if is_pass:
        yield f"search {PASS}{line_text(question.board, found.pv)} {-found.value:z.2f} 0 {depth}"
        return
    values = [value for _, value in found.moves] or [found.value]
    for value, line in zip(values[: wish.move_count], found.lines or [found.pv], strict=False):
        yield f"search {line_text(board, line)} {value:z.2f} 0 {depth}"


def _analyze(wish: Wish, watch: Watch) -> Iterator[str]:
    """Analyse the game from its end backwards, as people search for the losing move."""
    for number, board in reversed(list(enumerate(wish.boards))):
        if board.is_over:
            yield f"analysis {number} {board.final_score:z.2f}"
            continue
        asked = board.passed() if board.must_pass else board
        steps = answer(BoardQuestion(asked, wish.depth))
        found = yield from _followed(steps, asked, watch, is_reported=False)
        if not isinstance(found, BoardAnswer):
            return
        yield f"analysis {number} {-found.value if board.must_pass else found.value:z.2f}"


def _choosing(board: OthelloBoard, depth: int) -> Steps:
    """Search for a move to play; smaller boards, which no weights are for, as for a hint."""
    if board.size != PATTERN_SIZE:
        return answer(BoardQuestion(board, depth))
    return Chooser(load_game_patterns(), effort_for(depth)).steps(board)


def _followed(steps: Steps, board: OthelloBoard, watch: Watch, is_reported: bool) -> Lines:
    """Search a board until done or stopped; yield lines about iterations, at times about speed."""
    reported_depth, reported_s = 0, 0.0
    while True:
        try:
            status = next(steps)
        except StopIteration as end:
            found: BoardAnswer = end.value
            yield f"nodestats {found.nodes} {watch.elapsed_s():.2f}"
            return found
        if watch.is_stopped():
            return status
        if is_reported and status.depth > reported_depth and status.value is not None and status.pv:
            reported_depth = status.depth
            line = line_text(board, status.pv)
            yield f"search {line} {status.value:z.2f} 0 {reported_depth}"
        if watch.elapsed_s() - reported_s >= STATUS_S:
            reported_s = watch.elapsed_s()
            yield status_line(status.phase)
            yield f"nodestats {status.nodes} {reported_s:.2f}"

"""A reproducible search of a chess position as a job: its request, its progress and its result.

Prints nothing.
"""

from __future__ import annotations

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, MATE_VALUE
from engine_ext.chess.fast.search import MATE_VALUE as FAST_MATE
from engine_ext.chess.fen import is_chess960, write_fen
from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion
from engine_ext.chess.parts.part_words import position_text, read_position
from engine_ext.chess.whole_search import WholeSearch, read_answer
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.contract.views import JobRequest, JobView
from master.games.chess.search_report import (
    effort_text,
    line_object,
    line_text,
    side_name,
)
from master.games.chess.threaded_search import ChessLine, mate_moves, value_text
from master.games.job_words import SearchWords
from master.reports.job_result import no_answer_lines, search_report
from master.reports.report import Report

GAME = "chess"

DEPTH_DEFAULT = 16
"""One to five seconds of one core."""


def search_request(question: ExactQuestion, strategy: str, is_trusting: bool = False) -> JobRequest:
    """Return the job; blocks while the engine is loaded.

    Args:
        question: the question to answer.
        strategy: name of the strategy by which the fleet shares the work.
        is_trusting: results of analysers over a network are accepted without proof.
    """
    whole = WholeSearch(engine_digest(GAME), question, strategy, is_trusting)
    return JobRequest(whole.to_text(), label=write_fen(question.board, is_chess960(question.board)))


MODE = "reproducible"
"""Every search, on every fleet, finds the same result."""


# Its progress.
def view_position(position: Position, depth: int, before: GameBefore) -> str:
    """Return a position and its search depth as one word; the move names depend on both."""
    return f"{depth}:{position_text(position, before)}"


def _moves(view: SearchView, path: tuple[int, ...]) -> list[str]:
    """Return the names of moves given by their indices."""
    depth_text, _, word = view.position.partition(":")
    depth, (position, before) = int(depth_text), read_position(word)
    names = []
    for place in path:
        names.append(position.moves(depth, before)[place] or "pass")
        packed, depth = position.children(depth, before)[place]
        position = Position.from_bytes(packed)
    return names


def _bound_text(value: int) -> str:
    if abs(value) >= MATE_VALUE:
        return "a mate" if value > 0 else "being mated"
    return value_text(value)


def _bracket(view: SearchView) -> str:
    """Return the proved bounds of the value, without those that hold for every position."""
    low = -LARGEST_VALUE if view.lower is None else max(view.lower, -LARGEST_VALUE)
    high = LARGEST_VALUE if view.upper is None else min(view.upper, LARGEST_VALUE)
    if low == high:
        return f"value {_bound_text(low)}"
    if high == LARGEST_VALUE:
        return "value unknown" if low == -LARGEST_VALUE else f"value at least {_bound_text(low)}"
    if low == -LARGEST_VALUE:
        return f"value at most {_bound_text(high)}"
    return f"value {_bound_text(low)} to {_bound_text(high)}"


WORDS = SearchWords(_bracket, _moves, lambda view, depth: f"depth {depth}")


# Its result.
def best_of(found: ExactAnswer) -> ChessLine:
    """Return the best line; a mate is counted by its moves, as far as the line shows it."""
    if not found.is_mate:
        return ChessLine(found.value, found.line)
    plies = FAST_MATE - len(found.line)
    return ChessLine(plies if found.value > 0 else -plies, found.line)


def answer_object(
    question: ExactQuestion, strategy: str, found: ExactAnswer, seconds: float
) -> Report:
    """Return the answer as an object with stable keys."""
    board = question.board
    return {
        "fen": write_fen(board, is_chess960(board)),
        "mode": MODE,
        "over": None,
        "depth": found.depth,
        "value": found.value,
        "lines": [line_object(board, best_of(found))],
        "nodes": found.nodes,
        "seconds": seconds,
        "strategy": strategy,
    }


def answer_lines(question: ExactQuestion, found: ExactAnswer, seconds: float) -> list[str]:
    """Return the answer for people."""
    board, best = question.board, best_of(found)
    unit = "" if mate_moves(best.value) is not None else " pawns"
    return [
        f"{side_name(board)} to move: {value_text(best.value)}{unit} ({MODE}, depth {found.depth})",
        f"best line: {line_text(board, best.moves)}",
        effort_text(found.nodes, seconds, digits=2),
    ]


def answer_of(view: JobView) -> ExactAnswer | None:
    """Return the answer of a job; None: there is none yet."""
    search = view.search
    if search is None or not search.answer:
        return None
    return read_answer(search.answer, search.nodes)


def job_report(view: JobView) -> Report:
    """Return the object of a job."""
    whole, found = WholeSearch.from_text(view.context), answer_of(view)
    seconds = 0.0 if view.search is None else view.search.seconds
    answer = (
        None if found is None else answer_object(whole.question, whole.strategy, found, seconds)
    )
    return search_report(view, answer)


def job_lines(view: JobView, width: int | None = None) -> list[str]:
    """Return the lines of a job's result."""
    found = answer_of(view)
    if found is None or view.search is None:
        return no_answer_lines(view)
    return answer_lines(WholeSearch.from_text(view.context).question, found, view.search.seconds)

"""A search of an Othello board as a job: its request, its progress and its result.

Prints nothing.
"""

from __future__ import annotations

from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import DISC
from engine_ext.othello.search import MODES
from engine_ext.othello.whole_search import WholeSearch, read_answer
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.contract.views import JobRequest, JobView
from master.games.job_words import SearchWords
from master.reports.job_result import no_answer_lines, search_report
from master.reports.report import Report

GAME = "othello"


def search_request(question: BoardQuestion, strategy: str, is_trusting: bool = False) -> JobRequest:
    """Return the job; blocks while the engine is loaded.

    Args:
        question: the question to answer.
        strategy: name of the strategy by which the fleet shares the work.
        is_trusting: results of analysers over a network are accepted without proof.
    """
    whole = WholeSearch(engine_digest(GAME), question, strategy, is_trusting)
    return JobRequest(whole.to_text(), label=question.board.to_text())


def value_text(value: float, *, is_exact: bool) -> str:
    """Return a value in discs: whole ones are exact."""
    return f"{value:+z.0f}" if is_exact else f"{value:+z.2f}"


# Its progress.
def _bracket(view: SearchView) -> str:
    """Return the proved bounds of the value, without those that hold for every board."""
    unit = 1 if view.is_exact else DISC
    value_max = OthelloBoard.from_text(view.position).size ** 2 * unit if view.position else 0
    low = -value_max if view.lower is None else max(view.lower, -value_max)
    high = value_max if view.upper is None else min(view.upper, value_max)
    low_text = value_text(low / unit, is_exact=view.is_exact)
    high_text = value_text(high / unit, is_exact=view.is_exact)
    if low == high and view.position:
        return f"value {low_text}"
    if high == value_max:
        return "value unknown" if low == -value_max else f"value at least {low_text}"
    return f"value at most {high_text}" if low == -value_max else f"value {low_text} to {high_text}"


def _moves(view: SearchView, path: tuple[int, ...]) -> list[str]:
    """Return the names of moves that their places name, passes left out."""
    board, names = OthelloBoard.from_text(view.position), list[str]()
    for index in path:
        moves = board.moves()
        if moves:
            names.append(moves[index])
        board = board.play(moves[index]) if moves else board.passed()
    return names


def _depth(view: SearchView, depth: int) -> str:
    return f"{depth} {'empty squares' if view.is_exact else 'moves deep'}"


WORDS = SearchWords(_bracket, _moves, _depth)


# Its result.
def answer_object(
    question: BoardQuestion, strategy: str, found: BoardAnswer, seconds: float
) -> Report:
    """Return the answer as an object that stays stable."""
    document: Report = {
        "value": found.value,
        "exact": found.is_exact,
        "best_move": found.best_move,
        "pv": list(found.pv),
        "nodes": found.nodes,
        "seconds": seconds,
        # A value that another search may not find is marked so.
        "strategy": strategy if question.mode == MODES[0] or found.is_exact else f"{strategy}-fast",
    }
    if found.moves:
        document["moves"] = [{"move": move, "value": value} for move, value in found.moves]
    return document


def answer_lines(question: BoardQuestion, found: BoardAnswer, seconds: float) -> list[str]:
    """Return the answer for people."""
    value = value_text(found.value, is_exact=found.is_exact)
    kind = "exact" if found.is_exact else f"evaluation, {question.mode}"
    lines = [f"{question.board.to_move} to move: {value} discs ({kind})"]
    if found.pv:
        lines.append(f"best line: {' '.join(found.pv)}")
    lines += [f"{move}  {value_text(each, is_exact=found.is_exact)}" for move, each in found.moves]
    lines.append(f"{found.nodes:,} nodes, {seconds:.2f} s")
    return lines


def answer_of(view: JobView) -> BoardAnswer | None:
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

"""Makes the job that searches a board by a fleet."""

from __future__ import annotations

from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.contract.views import JobRequest
from master.games.othello.wording import GAME


def search_request(question: BoardQuestion, strategy: str, is_trusting: bool = False) -> JobRequest:
    """Return the job; blocks while the engine is loaded.

    Args:
        question: the question to answer.
        strategy: name of the strategy by which the fleet shares the work.
        is_trusting: results of analysers over a network are accepted without proof.
    """
    whole = WholeSearch(engine_digest(GAME), question, strategy, is_trusting)
    return JobRequest(whole.to_text(), label=question.board.to_text())

"""Makes the job that searches a position by a fleet."""

from __future__ import annotations

from engine_ext.chess.parts.answer import ExactQuestion
from engine_ext.chess.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.contract.views import JobRequest
from master.games.chess.wording import GAME

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
    return JobRequest(whole.to_text(), label=f"{GAME}, depth {question.depth}")

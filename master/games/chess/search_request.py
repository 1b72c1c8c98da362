"""The job of searching a position by a fleet.

Knows the text of such a search.  Must not know who asks for it, or how it goes.
"""

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
        question: what is asked.
        strategy: name of how the fleet shares the work.
        is_trusting: analysers over a network are believed.
    """
    whole = WholeSearch(engine_digest(GAME), question, strategy, is_trusting)
    return JobRequest(whole.to_text(), label=f"{GAME}, depth {question.depth}")

"""Checks whether a question can have an answer, by the check of the question's game.

The kind of the question names the game.  The check loads the game's rules, and an engine only if
the game needs it.
"""

from __future__ import annotations

from engine_ext.contexts import ANSWER_CHARACTERS_MAX, is_answer
from engine_ext.services import question_kind


def answer_fault(question: str, answer: str) -> str:
    """Return in one sentence why a question cannot have this answer; empty: it can have it.

    Form, ranges, legal moves, sums and order are checked, not the truth of the answer.  It is
    the same for all engines, needs no search, and holds for stored answers as for new ones.
    """
    if not is_answer(answer):
        return f"an answer is 1 to {ANSWER_CHARACTERS_MAX} printable ASCII characters"
    try:
        kind = question_kind(question)[1]
        if kind.validate_answer is None:
            return f"{question.split(' ', 1)[0][:40]} has no answer that is kept"
        kind.validate_answer(question, answer)
    except ValueError as error:
        return str(error)
    return ""

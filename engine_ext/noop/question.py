"""The no-op game's questions: `noop-question/1 rounds=R number=N`, for tests and measurements.

R is the number of hash rounds that the answer takes (0 ... ROUNDS_MAX); N tells questions of
equal cost apart (0 ... NUMBER_MAX).  The answer is a hash of both, in hex.
"""

from __future__ import annotations

import re

from engine_ext.contexts import DIGEST_CHARS, ContextError, context_digest
from engine_ext.control import RunControl
from engine_ext.noop.runner import ROUNDS_MAX
from engine_ext.noop.trials import run_noop

NUMBER_MAX = 2**32

_QUESTION = re.compile(r"noop-question/1 rounds=(0|[1-9][0-9]{0,12}) number=(0|[1-9][0-9]{0,9})")
_ANSWER = re.compile(rf"[0-9a-f]{{{DIGEST_CHARS}}}")


def noop_question(rounds: int = 0, number: int = 0) -> str:
    """Return the text of a no-op question."""
    return f"noop-question/1 rounds={rounds} number={number}"


def answer(question: str, control: RunControl) -> str | None:
    """Return the answer, None if stopped; ContextError `bad-context` if it is no question."""
    rounds, number = _read(question)
    values = run_noop(number, 1, rounds, control)
    return context_digest(f"{question} {values[0][0].hex()}") if values else None


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless an answer is a hash."""
    _read(question)
    if not _ANSWER.fullmatch(answer):
        raise ValueError(f"expected {DIGEST_CHARS} hex digits, not {answer[:40]!r}")


def _read(question: str) -> tuple[int, int]:
    match = _QUESTION.fullmatch(question)
    if match is None:
        raise ContextError("bad-context", "expected 'noop-question/1 rounds=R number=N'")
    rounds, number = int(match[1]), int(match[2])
    if rounds > ROUNDS_MAX or number > NUMBER_MAX:
        raise ContextError(
            "bad-context", f"expected <= {ROUNDS_MAX} rounds, a number <= {NUMBER_MAX}"
        )
    return rounds, number

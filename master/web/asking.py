"""Reads the path and body of a request, strictly."""

from __future__ import annotations

import json
import re

from master.contract.job_words import Priority
from master.store.store import JOB_MAX
from master.web.rules import Refusal
from master.web.schemas import EXTRA_TRIALS_MAX, PRIORITIES

BODY_BYTES_MAX = 1_024
"""The longest that is expected is `{"trials": 10000000}`."""


class RefusedError(Exception):
    """A request that is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


def read_job(text: str) -> int:
    """Return the job number of a path; RefusedError."""
    if re.fullmatch(r"[1-9][0-9]{0,15}", text) is None or int(text) > JOB_MAX:
        raise RefusedError(Refusal(404, "unknown-job", "expected the number of a job"))
    return int(text)


def read_body(
    body: bytes, fields: frozenset[str] = frozenset(), optional: frozenset[str] = frozenset()
) -> dict[str, object]:
    """Return the object of a body, which has just these fields; RefusedError.

    Args:
        body: JSON.
        fields: those that are there.
        optional: those that may be there.
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not fields <= set(found) <= fields | optional:
        wanted = f"the field {', '.join(sorted(fields))}" if fields else "no field"
        wanted += f", or beside it {', '.join(sorted(optional))}" if optional else ""
        raise bad_body(f"expected a JSON object with {wanted}")
    return found


def bad_body(text: str) -> RefusedError:
    """Return the refusal of a malformed body; the text names the expected form."""
    return RefusedError(Refusal(422, "bad-body", text))


def read_text(name: str, value: object, characters_max: int) -> str:
    """Return a text of a body; RefusedError."""
    is_text = isinstance(value, str) and len(value) <= characters_max and _is_unicode(value)
    if not is_text:
        raise bad_body(f"expected {name}, a text of at most {characters_max} characters")
    return value  # type: ignore[return-value]


def _is_unicode(text: str) -> bool:
    """Whether a text can be written; JSON may hold halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_priority(body: bytes) -> Priority:
    """Return the priority that a job is to have; RefusedError."""
    word = read_body(body, frozenset({"priority"}))["priority"]
    if word not in PRIORITIES:
        text = f"expected priority, one of {', '.join(PRIORITIES)}"
        raise RefusedError(Refusal(422, "bad-body", text))
    return Priority[str(word).upper()]


def read_trials(body: bytes) -> int:
    """Return how many trials a job is extended by; RefusedError."""
    trials = read_body(body, frozenset({"trials"}))["trials"]
    is_whole = isinstance(trials, int) and not isinstance(trials, bool)
    if not is_whole or not 1 <= trials <= EXTRA_TRIALS_MAX:  # type: ignore[operator]
        text = f"expected trials, a whole number from 1 to {EXTRA_TRIALS_MAX}"
        raise bad_body(text)
    assert isinstance(trials, int)
    return trials

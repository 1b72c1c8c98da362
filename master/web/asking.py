"""What a request's path and body ask for, read strictly.

Knows text.  Must not know frameworks or masters.
"""

from __future__ import annotations

import json
import re

from master.contract.events import Priority
from master.store import JOB_MAX
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


def read_body(body: bytes, fields: frozenset[str] = frozenset()) -> dict[str, object]:
    """Return the object of a body, which has just these fields; RefusedError."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or set(found) != fields:
        wanted = f"the field {', '.join(sorted(fields))}" if fields else "no field"
        raise RefusedError(Refusal(422, "bad-body", f"expected a JSON object with {wanted}"))
    return found


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
        raise RefusedError(Refusal(422, "bad-body", text))
    assert isinstance(trials, int)
    return trials

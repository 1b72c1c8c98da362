"""Limits and types of the fields of the control socket's messages (see control)."""

from typing import Annotated

from pydantic import AfterValidator, Field

from protocol.messages import (
    ANSWER_CHARACTERS_MAX,
    CONTEXT_CHARACTERS_MAX,
    NUMBER_MAX,
    Number,
    Value,
    to_text,
)

LABEL_CHARACTERS_MAX = 4_000
LONG_TEXT_CHARACTERS_MAX = 2_000
CAUGHT_MAX = 32
"""Analysers of one job named for breaking a rule; a fleet has fewer."""

NAMES_MAX = 1_024
PATH_MAX = 1_024
"""Moves from a root to a part; the longest game is shorter."""

INCIDENTS_MAX = 8
"""The latest of one analyser that are sent as text: as many as a person reads."""

VALUES_MAX = 64
# Of one `ask`: its answers have at most 24,576 characters each, together 12 MiB.
ASKED_MAX = 512
INTERVAL_S_DEFAULT, INTERVAL_S_MAX = 0.5, 3_600.0
"""Twice a second is fast enough for a live display."""

TRIALS_MAX = 2**40
"""Of one job: a million analysers for weeks."""

STOP_SETTLED_MAX = 100.0
"""Standard errors; more certainty is of no use."""

INTERVAL_S_MIN = 0.05
"""Updates more often than this would only cost the master time."""


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text holds control characters")
    return text


def _ascii(text: str) -> str:
    if not text.isascii():
        raise ValueError("text is not ASCII")
    return _printable(text)


LongText = Annotated[str, Field(max_length=LONG_TEXT_CHARACTERS_MAX), AfterValidator(_printable)]
Label = Annotated[str, Field(max_length=LABEL_CHARACTERS_MAX), AfterValidator(_printable)]
Names = Annotated[tuple[str, ...], Field(max_length=NAMES_MAX)]
Caught = Annotated[tuple[str, ...], Field(max_length=CAUGHT_MAX)]
ValueRow = Annotated[tuple[Value, ...], Field(min_length=1, max_length=VALUES_MAX)]
TrialCount = Annotated[int, Field(ge=1, le=TRIALS_MAX)]
StopSe = Annotated[float, Field(gt=0, allow_inf_nan=False)]
StopSettled = Annotated[float, Field(gt=0, le=STOP_SETTLED_MAX)]
PriorityWord = Annotated[str, Field(pattern=r"^(background|standing|asked|urgent)$")]
AskedCount = Annotated[int, Field(ge=1, le=ASKED_MAX)]
QuestionIndex = Annotated[int, Field(ge=0, lt=ASKED_MAX)]
Rate = Annotated[float, Field(ge=0, allow_inf_nan=False)]
WholeAnswer = Annotated[str, Field(max_length=ANSWER_CHARACTERS_MAX), AfterValidator(_printable)]
Position = Annotated[str, Field(max_length=CONTEXT_CHARACTERS_MAX), AfterValidator(_ascii)]
Bound = Annotated[int, Field(ge=-NUMBER_MAX, le=NUMBER_MAX)]
Rates = Annotated[tuple[Rate, ...], Field(max_length=NAMES_MAX)]
Numbers = Annotated[tuple[Number, ...], Field(max_length=NAMES_MAX)]
Incidents = Annotated[tuple[LongText, ...], Field(max_length=INCIDENTS_MAX)]
Path = Annotated[tuple[Number, ...], Field(max_length=PATH_MAX)]


def to_long_text(text: str) -> str:
    """Make any text fit for a long text field."""
    return to_text(text, LONG_TEXT_CHARACTERS_MAX)

"""Contexts, questions and answers: their limits, errors and digests, and the runners of contexts.

A *context* is one ASCII line that names everything a trial depends on.  Its first word
is `<kind>/<version>`; the kind names the game.  A *runner* computes trials of one context.

A *question* is such a line too, and its *answer* is one line of printable ASCII that depends
on the question alone, in the same bits everywhere.  The kind names the service that answers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol

from engine_ext.control import RunControl

# One trial's values: each an exact multiple of 2**-32, of magnitude below VALUE_MAX.
TrialValues = tuple[float, ...]
# Of each value of a trial the least and the greatest it can have, both of them values themselves.
ValueRanges = tuple[tuple[float, float], ...]

VALUE_SCALE = 2**32
"""Trial values are integers divided by this, so that sums of them are exact."""

VALUE_MAX = 2**20
"""Bound on |value|: value * VALUE_SCALE fits 53 bits, so every value is exact in a double."""

CONTEXT_BYTES_MAX = 8192
"""Longest context or question: forty moves of a roll with their names, and room to grow."""

ANSWER_CHARACTERS_MAX = 24_576
"""Longest answer: a hundred moves at 200 characters, and some space for future fields."""

DIGEST_CHARS = 16
"""Hex digits of a context or engine digest: 64 bits, against mistakes, not against attacks."""


class ContextError(ValueError):
    """A context that cannot be run here; `code` is the protocol's error code.

    Codes: `bad-context` (its text), `engine-mismatch` (another engine digest), `unknown-game`.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class EngineChoiceError(ValueError):
    """An engine that cannot be used; one line that names the expected form."""


@dataclass(frozen=True)
class Description:
    """How a context reads: a line for people, and facts, which are JSON, for machines."""

    line: str
    facts: dict[str, object]


class TrialRunner(Protocol):
    """Computes the trials of one context; may be used from several threads at once."""

    @property
    def context(self) -> str:
        """The canonical context text."""

    @property
    def digest(self) -> str:
        """The context's digest: see `context_digest`."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def engine(self) -> str:
        """Digest of the engine that the context asks for."""

    @property
    def alternative_names(self) -> tuple[str, ...]:
        """Names of the alternatives; trial seq belongs to number seq % len(names)."""

    @property
    def value_names(self) -> tuple[str, ...]:
        """Names of the values of one trial; the last one ranks the alternatives."""

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        """Return the values of trials first_seq ... in order.

        Fewer than `count` come back only if `control` was stopped.  The GIL is released
        in long work.
        """


def context_digest(text: str) -> str:
    """Return the digest that results carry in place of the context text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:DIGEST_CHARS]


def is_answer(text: str) -> bool:
    """Whether a text can be sent as an answer: short enough, printable, not empty."""
    return bool(text) and _is_plain(text) and len(text) <= ANSWER_CHARACTERS_MAX


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()

"""The no-op game's contexts: `noop/1 alternatives=A rounds=R`.

R is the number of hash rounds of one trial (0 ... ROUNDS_MAX).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.contexts import (
    DIGEST_CHARS,
    ContextError,
    Description,
    TrialValues,
    ValueRanges,
    context_digest,
)
from engine_ext.control import RunControl
from engine_ext.noop.trials import run_noop

ALTERNATIVES_MAX = 64
ROUNDS_MAX = 10**12
POWER_ROUNDS = 2_000_000
POWER_UNIT_ROUNDS = 1000

_CONTEXT = re.compile(r"noop/1 alternatives=([0-9]{1,4}) rounds=([0-9]{1,14})")


@dataclass(frozen=True)
class NoopRunner:
    """Runs no-op trials."""

    context: str
    digest: str
    engine: str
    alternative_names: tuple[str, ...]
    rounds: int
    game: str = "noop"
    value_names: tuple[str, ...] = ("hash",)

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        """Return the trials' values; see services.TrialRunner."""
        return run_noop(first_seq, count, self.rounds, control)


def noop_context(alternatives: int = 1, rounds: int = 0) -> str:
    """Return the context text of no-op trials."""
    return f"noop/1 alternatives={alternatives} rounds={rounds}"


def runner(context: str) -> NoopRunner:
    """Return the runner of a no-op context; ContextError `bad-context` if it is none."""
    alternatives, rounds = _read(context)
    names = tuple(f"noop {i + 1}" for i in range(alternatives))
    return NoopRunner(context, context_digest(context), engine_digest(), names, rounds)


def describe(context: str) -> Description:
    """Return how a no-op context reads; ContextError `bad-context` if it is none."""
    alternatives, rounds = _read(context)
    facts: dict[str, object] = {"alternatives": alternatives, "rounds": rounds}
    return Description(f"{alternatives} times {rounds} rounds of nothing", facts)


def _read(context: str) -> tuple[int, int]:
    """Return the alternatives and rounds that a context asks for."""
    match = _CONTEXT.fullmatch(context)
    if match is None:
        raise ContextError("bad-context", "expected 'noop/1 alternatives=A rounds=R'")
    alternatives, rounds = int(match[1]), int(match[2])
    if not 1 <= alternatives <= ALTERNATIVES_MAX or rounds > ROUNDS_MAX:
        raise ContextError(
            "bad-context", f"expected 1..{ALTERNATIVES_MAX} alternatives, <= {ROUNDS_MAX} rounds"
        )
    return alternatives, rounds


def value_ranges(context: str) -> ValueRanges:
    """Return the range of the one value, a hash in [0, 1); see services.value_ranges."""
    return ((0.0, 1.0),)


def engine_digest() -> str:
    """Return the digest over a few trials' bits."""
    bits = run_noop(0, 16, 1000, RunControl())
    return context_digest("noop " + repr(bits))[:DIGEST_CHARS]


def power_work(control: RunControl) -> int:
    """Mix a fixed number of rounds; a unit is POWER_UNIT_ROUNDS of them."""
    run_noop(0, 1, POWER_ROUNDS, control)
    return POWER_ROUNDS // POWER_UNIT_ROUNDS

"""Backgammon's entry in the registry of `engine_ext.services`: runners, digest, power.

It makes a runner from the text of a context.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from engine_ext.backgammon.board import START
from engine_ext.backgammon.context import (
    DOUBLE_PASS,
    DOUBLE_TAKE,
    NO_DOUBLE,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.match_table import shared_match_table
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.backgammon.value_ranges import value_ranges as settings_ranges
from engine_ext.backgammon.value_ranges import within
from engine_ext.contexts import DIGEST_CHARS, ContextError, TrialValues, ValueRanges, context_digest
from engine_ext.control import RunControl

VALUE_NAMES = (
    "win",
    "win_gammon",
    "win_backgammon",
    "lose_gammon",
    "lose_backgammon",
    "equity_cubeless",
    "equity_cubeful",
)

RULES_VERSION = 6
"""Raised when trials change their meaning in a way that the self-test may not show."""

POWER_TRIALS = 8
"""About a tenth of a second on one core of 2024: long enough to time, short at start-up."""

_NO_ENGINE = "0" * DIGEST_CHARS


@dataclass(frozen=True)
class BackgammonRunner:
    """Runs the trials of one rollout context; see services.TrialRunner."""

    context: str
    digest: str
    engine: str
    alternative_names: tuple[str, ...]
    player: RolloutPlayer
    ranges: ValueRanges
    game: str = "backgammon"
    value_names: tuple[str, ...] = VALUE_NAMES

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        """Return the trials' values; see services.TrialRunner."""
        trials = self.player.run(first_seq, count, control)
        return [within(self.ranges, values) for values in trials]


def runner(context: str) -> BackgammonRunner:
    """Return the runner of a rollout's context text.

    Raises:
        ContextError: `bad-context` for a text or position that means nothing;
            `engine-mismatch` if it names another engine than this one.
    """
    settings = RolloutContext.from_text(context)
    if settings.engine != engine_digest():
        raise ContextError(
            "engine-mismatch",
            f"the rollout needs engine {settings.engine}, this one is {engine_digest()}",
        )
    names = tuple(alternative.name for alternative in settings.alternatives)
    player = RolloutPlayer(settings)
    digest, ranges = context_digest(context), settings_ranges(settings)
    return BackgammonRunner(context, digest, settings.engine, names, player, ranges)


def value_ranges(context: str) -> ValueRanges:
    """Return the range of each value of a rollout's trials; see services.value_ranges.

    Raises:
        ContextError: `bad-context`.
    """
    return settings_ranges(RolloutContext.from_text(context))


def value_caps(context: str) -> tuple[float | None, ...]:
    """Return that a double is worth a pass at most, where doubling is the question.

    Raises:
        ContextError: `bad-context`.
    """
    alternatives = RolloutContext.from_text(context).alternatives
    return (None, DOUBLE_PASS) if alternatives == (NO_DOUBLE, DOUBLE_TAKE) else ()


@cache
def engine_digest() -> str:
    """Return the digest of nets, tables, rules and the bits of a few trials played here."""
    parts = [
        f"manyply backgammon {RULES_VERSION}",
        shared_evaluator().digest,
        shared_match_table().met.digest,
        *self_test(),
    ]
    return hashlib.sha256("\n".join(parts).encode("ascii")).hexdigest()[:DIGEST_CHARS]


def self_test() -> list[str]:
    """Play a few trials that reach every part of the engine; return their values' bits."""
    after_31 = Alternative(AlternativeKind.MOVE, START.swapped().position_id, "8/5 6/5")
    start = START.position_id
    money = RolloutContext(_NO_ENGINE, start, alternatives=(after_31,), truncation_ply=6)
    match = RolloutContext(
        _NO_ENGINE,
        start,
        match_length=7,
        score=(3, 1),
        jacoby=False,
        met=MET_NAME,
        variance_reduction=False,
        bearoff_truncation=False,
    )
    deep = RolloutContext(
        _NO_ENGINE, start, ply=2, cube_ply=1, truncation_ply=2, variance_reduction=False
    )
    trials = [
        (money, 2),
        (match, 4),
        (deep, 1),
    ]
    return [
        value.hex()
        for context, count in trials
        for values in RolloutPlayer(context).run(0, count, RunControl())
        for value in values
    ]


def power_work(control: RunControl) -> int:
    """Play the first trials of the starting position; a unit is one such trial."""
    context = RolloutContext(_NO_ENGINE, START.position_id)
    return len(RolloutPlayer(context).run(0, POWER_TRIALS, control))

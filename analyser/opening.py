"""Opening and closing of an agent by hours and by mains power."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from analyser.agent import Agent
from analyser.lending import Hours, is_on_battery, opening

CHECK_S = 30.0
"""Interval between checks for: mains power lost, a clock that was set, a machine that slept."""

SUPPLIES = Path("/sys/class/power_supply")
"""Linux's folder of mains and batteries."""

IDLE_CHECK_S = 1.0
"""An idle analyser leaves at most this much late."""


@dataclass(frozen=True)
class Terms:
    """When a machine is lent: within any of the hours, none being always; maybe on mains only."""

    hours: tuple[Hours, ...] = ()
    is_mains_only: bool = False


@dataclass(frozen=True)
class Sight:
    """Whether the terms allow serving now.

    Args:
        refusal: The reason why no master may be served; empty if one may be.
        notice: A line for people about it.
        recheck_s: Seconds until the next check is due.
    """

    refusal: str
    notice: str
    recheck_s: float


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def check(terms: Terms) -> Sight:
    """Return whether the machine is lent now."""
    now = utc_now()
    hours = opening(now, terms.hours)
    until = "" if hours.changes_at is None else f" until {hours.changes_at:%H:%M}"
    left_s = CHECK_S
    if hours.changes_at is not None:
        left_s = max(0.0, min(CHECK_S, (hours.changes_at - now).total_seconds()))
    if not hours.is_open:
        return Sight(f"not lent{until}", f"no master is served{until}", left_s)
    if terms.is_mains_only and is_on_battery(SUPPLIES):
        return Sight("not lent on battery", "on battery: no master is served", left_s)
    return Sight("", f"masters are served{until}", left_s)


async def keep_terms(agent: Agent, terms: Terms, say: Callable[[str], None]) -> None:
    """Open and close an agent by its terms, for ever; pass `say` one line for each change."""
    while True:
        sight = check(terms)
        if bool(sight.refusal) is agent.is_open:
            say(sight.notice)
        if not sight.refusal:
            agent.reopen()
        elif agent.is_open:
            await agent.pause(sight.refusal)
            continue  # that may have taken a while
        else:
            agent.refuse(sight.refusal)
        await asyncio.sleep(sight.recheck_s)


async def wait_idle(agent: Agent, idle_s: float) -> None:
    """Return once no master was served for `idle_s`; time outside the terms does not count."""
    loop = asyncio.get_running_loop()
    while True:
        since, now = agent.idle_since, loop.time()
        if since is not None and now >= since + idle_s:
            return
        await asyncio.sleep(min(IDLE_CHECK_S, idle_s if since is None else since + idle_s - now))

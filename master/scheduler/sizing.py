"""The arithmetic of parts, windows, leads and stalls.

Pure functions of rates (trials a second) and seconds.
"""

from math import ceil

from master.scheduler.limits import (
    LATENCY_MAX_S,
    LEAD_CAPACITIES,
    LEAD_S,
    LEAD_TRIALS_MAX,
    LEAD_TRIALS_MIN,
    PART_TARGET_S,
    PART_TRIALS_MAX,
    PREFETCH_S,
    STALL_FACTOR,
    STALL_S_MAX,
    STALL_S_MIN,
    TAIL_SHARE,
    WINDOW_MAX,
    WINDOW_OUTSTANDING_MAX,
)


def part_trials(rate: float, workers: int) -> int:
    """Return how many trials one worker plays in PART_TARGET_S; 1 when the rate is unknown (0)."""
    return max(1, min(PART_TRIALS_MAX, int(rate * PART_TARGET_S / workers)))


def window(rate: float, workers: int, trials: int, latency_s: float) -> int:
    """Return how many parts of `trials` trials an analyser may hold.

    One is computed by each worker; as many wait as are used up while the next are on their way,
    and at least one for each worker (one for all, when parts last long and a queue would wait).
    """
    ceiling = min(WINDOW_OUTSTANDING_MAX, max(WINDOW_MAX, 2 * workers))
    if rate <= 0.0:
        return min(ceiling, 2 * workers)
    part_s = trials * workers / rate
    on_their_way = ceil(min(latency_s, LATENCY_MAX_S) / part_s)
    waiting = max(1, on_their_way) if part_s > PREFETCH_S else workers * max(1, on_their_way)
    return min(ceiling, workers + waiting)


def lead(fleet_rate: float, capacity: int) -> int:
    """Return how far ahead of the folded prefix trials may be handed out.

    Args:
        fleet_rate: trials a second of all analysers together.
        capacity: trials that all windows hold together; a smaller lead would leave them unfilled.
    """
    least = max(LEAD_TRIALS_MIN, LEAD_CAPACITIES * capacity)
    return min(LEAD_TRIALS_MAX, max(least, int(fleet_rate * LEAD_S)))


def tail_share(rate: float, fleet_rate: float, workers: int) -> float:
    """Return the largest share of a job's remaining trials that one part may have.

    Guided self-scheduling: parts shrink as the end comes nearer, for slow workers more than for
    fast ones, so that all end together. 1.0 when the rates are unknown.
    """
    if rate <= 0.0 or fleet_rate <= 0.0:
        return 1.0
    return min(1.0, TAIL_SHARE * rate / (fleet_rate * workers))


def stall_after_s(rate: float, workers: int) -> float:
    """Return how long a part's step counter may stand still."""
    if rate <= 0.0:
        return STALL_S_MAX
    return max(STALL_S_MIN, min(STALL_S_MAX, STALL_FACTOR * workers / rate))

"""How much processor time a test takes, with the processes that it starts and waits for.

Seconds here are those of the machine on which the limits were set: a fixed loop, timed when the
tests begin, says how much slower this machine is.  A test over the limit fails, unless a marker
says when it runs (`when_changed`, `lint`).
"""

import os
import time

TEST_S_MAX = 2.0
"""For one test that runs always: hundreds do, on two cores, while somebody waits."""

SUITE_S_MAX = 600.0
"""For all tests that run always: 545 s were measured when the limit was set."""

LOOP_S = 0.038
"""What the loop takes on the machine of the limits (two cores of a 2.5 GHz x86-64 server)."""

NOISE = 1.5
"""Times that a test may take longer than the loop says, as neighbours share caches and cores."""

_LOOP_ROUNDS = 200_000
_LOOP_REPEATS = 5


def processor_s() -> float:
    """Return the processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def slowness() -> float:
    """Return how many times longer this machine takes, at least 1."""
    return max(1.0, min(_loop_s() for _ in range(_LOOP_REPEATS)) / LOOP_S)


def complaint(spent_s: float, slowness: float) -> str | None:
    """Return what is wrong with a test that took so long, if anything is."""
    if spent_s <= TEST_S_MAX * NOISE * slowness:
        return None
    return (
        f"took {spent_s:.1f} s of processor time: expected {TEST_S_MAX * slowness:.1f} s at most, "
        "or a marker that says when it runs (when_changed)"
    )


def suite_complaint(spent_s: float, slowness: float) -> str | None:
    """Return why a run took too long in all, if it did."""
    if spent_s <= SUITE_S_MAX * NOISE * slowness:
        return None
    limit_s = SUITE_S_MAX * slowness
    return f"the tests that always run took {spent_s:.0f} s: expected {limit_s:.0f} s at most"


def _loop_s() -> float:
    begin = time.process_time()
    total = 0
    for number in range(_LOOP_ROUNDS):
        total = (total * 31 + number) & 0xFFFFFFFF
    return time.process_time() - begin

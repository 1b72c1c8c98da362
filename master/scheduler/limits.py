"""The scheduler's named limits, each with the reason for its size, and its two options.

Knows numbers only.
"""

from dataclasses import dataclass

PART_TARGET_S = 1.0  # a part lasts about this long: a result arrives about every second
PART_TRIALS_MAX = 4096  # trials in a part: a part's results fit a second of the fastest link
WINDOW_PER_WORKER_START = 2  # one part computing and one waiting, before anything is known
WINDOW_MAX = 64  # parts outstanding at one analyser (more only if it has more workers / 2)


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """Fixed sizes instead of adapted ones: what the network bench measures.

    Args:
        window: parts outstanding at each analyser; None: adapted, 1 to WINDOW_MAX.
        part_trials: trials in each part; None: adapted to the observed rate.
    """

    window: int | None = None
    part_trials: int | None = None

"""Speed of an engine here, on one core.

Seconds are of this thread's processor time. Each rate is the best of a few short runs, since other
load only makes a run slower.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path

RUN_S_MIN = 0.5
RUNS = 3


def best_rate(work: Callable[[], int]) -> float:
    """Return units a second, `work` returning units: the best of RUNS runs of RUN_S_MIN or more."""
    work()
    return max(_rate(work) for _ in range(RUNS))


def _rate(work: Callable[[], int]) -> float:
    started = time.thread_time()
    units = work()
    while (elapsed := time.thread_time() - started) < RUN_S_MIN:
        units += work()
    return units / elapsed


def cpu_description() -> str:
    """Return the processor's name, from the system."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

"""What the side-by-side programs share: processor time, optional peers, plain tables.

Rates are per second of processor time of the process that computes, not of wall time, so
that ours and a peer's can be compared on a machine that does other things as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from engine_ext.backgammon.net import kernel_name
from master.cli.bench.bench_figures import cpu_description

RUNS = 3


def cpu_rate(work: Callable[[], int], run_s_min: float) -> float:
    """Return units a second of processor time, `work` returning units: the best of RUNS runs."""
    work()
    return max(_cpu_rate_once(work, run_s_min) for _ in range(RUNS))


def _cpu_rate_once(work: Callable[[], int], run_s_min: float) -> float:
    started = time.process_time()
    units = work()
    while (elapsed := time.process_time() - started) < run_s_min:
        units += work()
    return units / elapsed


def cpu_rate_of_pass(work: Callable[[], int]) -> float:
    """Return units a second of one pass, for work that a cache would answer the next time."""
    started = time.process_time()
    units = work()
    return units / (time.process_time() - started)


def optional_import(name: str) -> Any | None:
    """Return a module; None, said on standard output, where it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        print(f"{name} is not installed: its figures are left out")
        return None


def machine_description() -> str:
    """Return the processor's name and the kernel that the engine uses on it."""
    return f"{cpu_description()}, kernel {kernel_name()}, one thread, rates by processor time"


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns: the first to the left, the others to the right."""
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    for first, *others in lines:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *cells]).rstrip())

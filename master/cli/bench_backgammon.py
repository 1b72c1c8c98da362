"""How fast the backgammon engine is here, on one core.

Knows a clock and the engine's doors; each figure is the best of a few short runs, since
whatever else the machine does only ever takes time away.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from pathlib import Path

from engine_ext import services
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.movegen import legal_moves, perft
from engine_ext.backgammon.net import bench_evaluations, kernel_name
from engine_ext.control import RunControl

RUN_S_MIN = 0.5
RUNS = 3
EVALUATION_REPEAT = 2000
SUCCESSOR_ROLL = (2, 1)


def bench_backgammon() -> dict[str, object]:
    """Return the documented figures, each a rate of one core."""
    return {
        "static_evals_per_s": _best_rate(_evaluations()),
        "positions_generated_per_s": _best_rate(lambda: perft(START, 2)),
        "rollout_trials_per_s": _best_rate(_trials(has_variance_reduction=True)),
        "rollout_trials_no_vr_per_s": _best_rate(_trials(has_variance_reduction=False)),
        "kernel": kernel_name(),
        "cpu": cpu_description(),
    }


def _best_rate(work: Callable[[], int]) -> float:
    """Return units a second: the best of RUNS runs of at least RUN_S_MIN each."""
    work()
    return max(_rate(work) for _ in range(RUNS))


def _rate(work: Callable[[], int]) -> float:
    started = time.perf_counter()
    units = work()
    while (elapsed := time.perf_counter() - started) < RUN_S_MIN:
        units += work()
    return units / elapsed


def _evaluations() -> Callable[[], int]:
    """Evaluate the successors of one position, the kernel alone."""
    successors: list[Position] = [m.after.swapped() for m in legal_moves(START, SUCCESSOR_ROLL)]
    net = shared_evaluator().contact
    return lambda: bench_evaluations(net, successors, EVALUATION_REPEAT)


def _trials(*, has_variance_reduction: bool) -> Callable[[], int]:
    """Play cubeful 0-ply trials of the start position to the end."""
    context = RolloutContext(
        engine=services.engine_digest("backgammon"),
        position_id=START.position_id,
        variance_reduction=has_variance_reduction,
        seed=1,
    )
    runner = services.trial_runner(context.to_text())
    count = 36 if has_variance_reduction else 360
    return lambda: len(runner.run(0, count, RunControl()))


def cpu_description() -> str:
    """Return the processor's name as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

"""The peers that are Python packages: gnubg-nn (GPL) and bgsage (MPL-2.0), both optional.

Knows their boards and calls; `measure.optional_import` tells whether they are there.
Ply counts are gnubg's: bgsage's "1-ply" is the static evaluation, 0-ply here.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from engine_ext.backgammon.board import Position
from tests.benchmarks.rolled_out import RolledOut, RolloutSettings

GnubgBoard = list[list[int]]

NEVER = 9999
"""Half-moves after which bgsage would leave variance reduction, as its own analyzer sets it."""


def gnubg_boards(gnubg_nn: Any, positions: Sequence[Position]) -> list[GnubgBoard]:
    """Return positions as gnubg-nn takes them."""
    return [gnubg_nn.board_from_position_id(position.position_id) for position in positions]


def gnubg_probs(
    gnubg_nn: Any, boards: Sequence[GnubgBoard], ply: int
) -> list[tuple[float, float, float, float, float]]:
    """Return the cumulative probabilities of the player on roll."""
    return [gnubg_nn.probabilities(board, ply) for board in boards]


def bgsage_roll_out(bgsage: Any, settings: RolloutSettings) -> RolledOut:
    """Roll the start position out for money with Jacoby, cubefully, at 0-ply.

    bgsage plays each trial twice, without a double and with double, take; the result is
    that of no double, and half of the time.
    """
    import bgbot_cpp  # noqa: PLC0415  (bgsage's engine, there when bgsage is)

    weights = bgsage.default_weights()
    paths, hidden = weights.weight_args
    strategy = bgbot_cpp.create_rollout(
        weights.strategy_type,
        paths,
        hidden,
        n_trials=settings.trials,
        decision_ply=1,
        n_threads=1,
        enable_vr=settings.is_variance_reduced,
        parallelize_trials=False,
        seed=settings.seed,
        ultra_late_threshold=NEVER,
    )
    started = time.process_time()
    answer = strategy.cube_decision(
        bgsage.STARTING_BOARD, 1, bgbot_cpp.CubeOwner.CENTERED, jacoby=True, beaver=False
    )
    cpu_s = (time.process_time() - started) / 2
    means = (*answer["probs"], answer["cubeless_equity"], answer["equity_nd"])
    errors = (*answer["prob_std_errors"], answer["cubeless_se"], answer["equity_nd_se"])
    return RolledOut(settings.trials, cpu_s, means, errors)

"""Speed of the engine of backgammon here, on one core."""

from __future__ import annotations

import random
from collections.abc import Callable

from engine_ext import services
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.movegen import legal_moves, perft
from engine_ext.backgammon.net import kernel_name
from engine_ext.backgammon.successors import Successors
from engine_ext.control import RunControl
from master.cli.bench.bench_figures import best_rate, cpu_description

SELF_PLAY_SEED = 1
SELF_PLAY_POSITIONS = 600
"""Some ten games; their 10,000 successors are more than caches and predictors remember."""

WORDS = {
    "static_evals_per_s": "positions evaluated (0-ply), a second",
    "successors_evaluated_per_s": "with their moves generated, a second",
    "positions_generated_per_s": "positions generated (perft), a second",
    "rollout_trials_per_s": "rollout trials, a second",
    "rollout_trials_no_vr_per_s": "without variance reduction, a second",
    "kernel": "kernel",
    "cpu": "processor",
}


def bench_backgammon() -> dict[str, object]:
    """Return the documented figures, each a rate of one core."""
    return {
        "static_evals_per_s": best_rate(_evaluations()),
        "successors_evaluated_per_s": best_rate(_successors().run_with_moves),
        "positions_generated_per_s": best_rate(lambda: perft(START, 2)),
        "rollout_trials_per_s": best_rate(_trials(has_variance_reduction=True)),
        "rollout_trials_no_vr_per_s": best_rate(_trials(has_variance_reduction=False)),
        "kernel": kernel_name(),
        "cpu": cpu_description(),
    }


def _evaluations() -> Callable[[], int]:
    """Evaluate the successors of real positions, the kernel alone."""
    return _successors().run_kernel


def _successors() -> Successors:
    """Successors of the positions with contact of a few games, each by one random roll."""
    chance = random.Random(SELF_PLAY_SEED)
    positions: list[Position] = []
    rolls: list[tuple[int, int]] = []
    position = START
    while len(positions) < SELF_PLAY_POSITIONS:
        roll = (chance.randint(1, 6), chance.randint(1, 6))
        if not position.is_race:
            positions.append(position)
            rolls.append(roll)
        position = _best_successor(position, roll)
        if position.result:
            position = START
    return Successors(shared_evaluator(), positions, rolls)


def _best_successor(position: Position, roll: tuple[int, int]) -> Position:
    """Play the roll by cubeless 0-ply equity; the opponent is on roll afterwards."""
    after = [move.after.swapped() for move in legal_moves(position, roll)]
    chances = shared_evaluator().evaluate_many(after)
    equities = [2 * p[0] - 1 + p[1] + p[2] - p[3] - p[4] for p in chances]
    return after[equities.index(min(equities))]


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

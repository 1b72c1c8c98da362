"""Static evaluations and rollout trials a second, ours beside gnubg's and bgsage's.

Run as `python -m tests.benchmarks.backgammon_speed [--trials N] [--plain-trials N]`. The
rollouts are of the start position, cubeful money play with Jacoby, 0-ply, to the end. The
standard errors are of the cubeful equity; the tails are heavy, so that at 324 trials one
of them is itself uncertain by a tenth or more, and the seed matters.

Like with like: gnubg's `calibrate` and our kernel evaluate positions in a loop of their own;
through Python each program is asked for the same list of positions.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.ids import parse_id, to_gnubg_id
from engine_ext.backgammon.movegen import legal_moves
from master.cli.backgammon.bench_backgammon import _evaluations as static_evaluations
from tests.benchmarks import gnubg_program, rolled_out, wheels
from tests.benchmarks.measure import (
    cpu_rate,
    cpu_rate_of_pass,
    machine_description,
    optional_import,
    print_table,
)
from tests.benchmarks.rolled_out import RolledOut, RolloutSettings

POSITIONS_MAX = 20_000
"""Enough for a tenth of a second of gnubg-nn, which is asked once: it remembers answers."""

CALIBRATE_ITERATIONS_PER_S = 170
"""Of gnubg's `calibrate`: 1,000 evaluations or so each."""


@dataclass(frozen=True)
class Speeds:
    """What one program reached; None where it has no such endpoint."""

    kernel_evals_per_s: float | None
    python_evals_per_s: float | None
    reduced: RolledOut | None
    plain: RolledOut | None


@dataclass(frozen=True)
class Asked:
    """How much is measured."""

    run_s_min: float
    reduced: RolloutSettings
    plain: RolloutSettings


def early_positions(count: int) -> list[Position]:
    """Return distinct positions two rolls from the start."""
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    found: dict[Position, None] = {}
    for first in rolls:
        for move in legal_moves(START, first):
            after = move.after.swapped()
            for reply in legal_moves(after, rolls[len(found) % len(rolls)]):
                found[reply.after.swapped()] = None
                if len(found) == count:
                    return list(found)
    return list(found)


def our_speeds(asked: Asked) -> Speeds:
    positions = early_positions(POSITIONS_MAX)
    evaluator = shared_evaluator()
    state = parse_id(START.position_id)
    return Speeds(
        cpu_rate(static_evaluations(), asked.run_s_min),
        cpu_rate(lambda: len(evaluator.evaluate_many(positions)), asked.run_s_min),
        rolled_out.roll_out(state, asked.reduced),
        rolled_out.roll_out(state, asked.plain),
    )


def gnubg_speeds(asked: Asked) -> Speeds | None:
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        print(gnubg_program.ABSENT)
        return None
    start = [to_gnubg_id(parse_id(START.position_id))]
    iterations = max(1, round(3 * asked.run_s_min * CALIBRATE_ITERATIONS_PER_S))
    [reduced] = gnubg_program.roll_out(gnubg, start, asked.reduced)
    [plain] = gnubg_program.roll_out(gnubg, start, asked.plain)
    return Speeds(gnubg_program.static_evals_per_s(gnubg, iterations), None, reduced, plain)


def gnubg_nn_speeds(asked: Asked) -> Speeds | None:
    gnubg_nn = optional_import("gnubg_nn")
    if gnubg_nn is None:
        return None
    boards = wheels.gnubg_boards(gnubg_nn, early_positions(POSITIONS_MAX))
    rate = cpu_rate_of_pass(lambda: len(wheels.gnubg_probs(gnubg_nn, boards, 0)))
    return Speeds(None, rate, None, None)


def bgsage_speeds(asked: Asked) -> Speeds | None:
    bgsage = optional_import("bgsage")
    label = bgsage and optional_import("training.backgammon.label")
    score = label and optional_import("training.backgammon.score")
    if bgsage is None or label is None or score is None:
        return None
    boards = [score.board_of(position) for position in early_positions(POSITIONS_MAX)]
    static = partial(label.bgsage_teacher(1), score.np.stack(boards))
    return Speeds(
        None,
        cpu_rate(lambda: len(static()), asked.run_s_min),
        wheels.bgsage_roll_out(bgsage, asked.reduced),
        wheels.bgsage_roll_out(bgsage, asked.plain),
    )


def _trials_per_s(result: RolledOut | None) -> float | None:
    return None if result is None else result.trials / result.cpu_s


def _std_error(result: RolledOut | None, place: int) -> float | None:
    return None if result is None else result.std_errors[place]


def _std_deviation(result: RolledOut | None, place: int) -> float | None:
    return None if result is None else result.std_errors[place] * sqrt(result.trials)


def _cpu_s_to_hundredth(result: RolledOut | None) -> float | None:
    return None if result is None else result.cpu_s_to_hundredth


CUBELESS, CUBEFUL = 5, 6

Figure = tuple[str, str, bool, Callable[[Speeds], float | None]]

# What, its format, whether more is better, where it is.
FIGURES: tuple[Figure, ...] = (
    ("static evaluations/s, own loop", ",.0f", True, lambda s: s.kernel_evals_per_s),
    ("static evaluations/s, through Python", ",.0f", True, lambda s: s.python_evals_per_s),
    ("trials/s, variance reduction", ",.1f", True, lambda s: _trials_per_s(s.reduced)),
    ("trials/s, without", ",.0f", True, lambda s: _trials_per_s(s.plain)),
    ("standard error, reduced", ".4f", False, lambda s: _std_error(s.reduced, CUBEFUL)),
    ("  of one trial, cubeful", ".3f", False, lambda s: _std_deviation(s.reduced, CUBEFUL)),
    ("  of one trial, cubeless", ".3f", False, lambda s: _std_deviation(s.reduced, CUBELESS)),
    ("standard error, without", ".4f", False, lambda s: _std_error(s.plain, CUBEFUL)),
    ("  of one trial, cubeful", ".3f", False, lambda s: _std_deviation(s.plain, CUBEFUL)),
    ("seconds to .01, reduced", ",.1f", False, lambda s: _cpu_s_to_hundredth(s.reduced)),
    ("seconds to .01, without", ",.1f", False, lambda s: _cpu_s_to_hundredth(s.plain)),
)


def comparison_rows(ours: Speeds, peers: Sequence[Speeds]) -> list[list[str]]:
    """Return a row a figure: ours, then each peer's and how many times better ours is."""
    return [_row(figure, ours, peers) for figure in FIGURES]


def _row(figure: Figure, ours: Speeds, peers: Sequence[Speeds]) -> list[str]:
    what, form, is_more_better, value_of = figure
    mine = value_of(ours)
    row = [what, _text(mine, form)]
    for peer in peers:
        theirs = value_of(peer)
        times = None
        if mine and theirs:
            times = mine / theirs if is_more_better else theirs / mine
        row += [_text(theirs, form), _text(times, ".2f")]
    return row


def _text(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=324, help="with variance reduction")
    parser.add_argument("--plain-trials", type=int, default=2592, help="without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--run-s", type=float, default=0.5, help="least seconds of a run")
    parsed = parser.parse_args(arguments)
    asked = Asked(
        parsed.run_s,
        RolloutSettings(parsed.trials, parsed.seed),
        RolloutSettings(parsed.plain_trials, parsed.seed, is_variance_reduced=False),
    )
    measured = {"gnubg": gnubg_speeds, "gnubg-nn": gnubg_nn_speeds, "bgsage": bgsage_speeds}
    peers = {name: speeds for name, measure in measured.items() if (speeds := measure(asked))}
    print(machine_description())
    print(f"{parsed.trials} trials with variance reduction, {parsed.plain_trials} without")
    headings = ["", "ours", *(text for name in peers for text in (name, "times"))]
    print_table(headings, comparison_rows(our_speeds(asked), list(peers.values())))


if __name__ == "__main__":
    main()

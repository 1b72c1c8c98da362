"""Mean absolute error of cubeless equities against rollouts, ours beside gnubg's and bgsage's.

Run as `python -m tests.benchmarks.backgammon_accuracy ROLLOUTS.jsonl [--positions N]`. The
file has one JSON object a line, with the keys `position_id` and `equity` (cubeless money
equity of the player on roll); a subset is drawn by its seed. Needs the extra `training`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.evaluate import shared_evaluator
from tests.benchmarks import wheels
from tests.benchmarks.measure import machine_description, optional_import, print_table

Answer = tuple[str, int, Callable[[], float]]  # who, ply, the mean absolute error


def subset(path: Path, count: int | None, seed: int) -> list[str]:
    """Return the file's lines, or `count` of them, in the file's order."""
    lines = path.read_text().splitlines()
    if count is None or count >= len(lines):
        return lines
    chosen = sorted(random.Random(seed).sample(range(len(lines)), count))
    return [lines[number] for number in chosen]


def our_answers(score: Any, path: Path) -> Iterator[Answer]:
    """Yield our evaluations; 1-ply is a cubeless look-ahead over all 21 rolls."""

    def mean_absolute(ply: int) -> float:
        errors = score.score_rollouts(shared_evaluator(), path, lookahead=ply == 1)
        return float(errors["all"].mean_absolute)

    yield "ours", 0, lambda: mean_absolute(0)
    yield "ours", 1, lambda: mean_absolute(1)


def gnubg_answers(score: Any, path: Path) -> Iterator[Answer]:
    """Yield gnubg-nn's evaluations, asked one by one through Python."""
    gnubg_nn = optional_import("gnubg_nn")
    if gnubg_nn is None:
        return
    _, truth = score.load_rollouts(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    positions = [position_from_id(row["position_id"]) for row in rows]
    asked = wheels.gnubg_boards(gnubg_nn, positions)

    def mean_absolute(ply: int) -> float:
        probs = score.np.array(wheels.gnubg_probs(gnubg_nn, asked, ply))
        return float(abs(score.equities(probs) - truth).mean())

    yield "gnubg-nn", 0, lambda: mean_absolute(0)
    yield "gnubg-nn", 1, lambda: mean_absolute(1)


def bgsage_answers(score: Any, path: Path) -> Iterator[Answer]:
    """Yield bgsage's evaluations, in one batch on one thread."""
    label = optional_import("bgsage") and optional_import("training.backgammon.label")
    if label is None:
        return
    boards, truth = score.load_rollouts(path)

    def mean_absolute(ply: int) -> float:
        probs = label.bgsage_teacher(ply + 1)(boards)
        return float(abs(score.equities(probs) - truth).mean())

    yield "bgsage", 0, lambda: mean_absolute(0)
    yield "bgsage", 1, lambda: mean_absolute(1)


def accuracy_rows(score: Any, path: Path) -> Iterator[list[str]]:
    """Yield a row an evaluator and level."""
    for answers in (our_answers, gnubg_answers, bgsage_answers):
        for who, ply, mean_absolute in answers(score, path):
            yield [who, f"{ply}-ply", f"{mean_absolute():.4f}"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Score every evaluator that is there."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rollouts", type=Path)
    parser.add_argument("--positions", type=int, help="how many; all of them by default")
    parser.add_argument("--seed", type=int, default=1, help="of the subset")
    parsed = parser.parse_args(arguments)
    score = optional_import("training.backgammon.score")
    if score is None:
        return
    lines = subset(parsed.rollouts, parsed.positions, parsed.seed)
    print(machine_description())
    print(f"{len(lines)} positions")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollouts.jsonl"
        path.write_text("\n".join(lines) + "\n")
        print_table(["", "level", "mean absolute error"], list(accuracy_rows(score, path)))


if __name__ == "__main__":
    main()

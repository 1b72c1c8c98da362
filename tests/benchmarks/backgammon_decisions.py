"""What static choices of moves lose by a deeper search: ours beside gnubg's and bgsage's.

Run as `python -m tests.benchmarks.backgammon_decisions SET.npz`; the set is made, seeded, by
`python -m training.backgammon decisions SET.npz`. The deeper search is bgsage's, so
the figure of bgsage is flattered. Needs the extra `training`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.net import load_net
from tests.benchmarks import wheels
from tests.benchmarks.measure import machine_description, optional_import, print_table

Teacher = Callable[[Any], Any]  # boards uint8[n, 52] to cumulative probabilities [n, 5]


def gnubg_teacher(gnubg_nn: Any, as_array: Callable[[Any], Any]) -> Teacher:
    """Make gnubg's static evaluation answer for boards."""

    def probs_of_boards(boards: Any) -> Any:
        positions = [Position(b[:26].tolist(), b[26:].tolist()) for b in boards]
        asked = wheels.gnubg_boards(gnubg_nn, positions)
        return as_array(wheels.gnubg_probs(gnubg_nn, asked, 0))

    return probs_of_boards


def teachers(decisions: Any, evaluator: Evaluator) -> Iterator[tuple[str, Teacher]]:
    """Yield whoever is there."""
    yield "ours", decisions.static_teacher(evaluator)
    gnubg_nn = optional_import("gnubg_nn")
    if gnubg_nn is not None:
        yield "gnubg-nn", gnubg_teacher(gnubg_nn, decisions.np.array)
    if optional_import("bgsage") is not None:
        yield "bgsage", decisions.bgsage_teacher(1)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row an evaluator."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--contact", default="contact", help="net file, or the shipped one")
    parser.add_argument("--race", default="race", help="net file, or the shipped one")
    parsed = parser.parse_args(arguments)
    decisions = optional_import("training.backgammon.decisions")
    if decisions is None:
        return
    nets = load_net(parsed.contact), load_net(parsed.race)
    print(machine_description())
    print(f"contact net {nets[0].digest[:16]}, race net {nets[1].digest[:16]}")
    asked = decisions.load_set(parsed.set)
    evaluator = Evaluator(*nets, shared_bearoff())
    rows = []
    for name, teacher in teachers(decisions, evaluator):
        score = decisions.score_choices(asked, teacher)
        rows.append([name, f"{score.mean_loss_mp:.2f}", f"{score.std_error_mp:.2f}"])
    print(f"{len(asked.first) - 1} decisions, losses in thousandths of a point")
    print_table(["0-ply", "mean loss", "error"], rows)


if __name__ == "__main__":
    main()

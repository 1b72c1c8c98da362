"""How many games a rollout saves that ends when it is settled, and what that costs in accuracy.

Run as `python -m tests.benchmarks.settled_rollouts FILE.jsonl [--moves 40] [--cubes 10]
[--trials 1296] [--jsd 2.33] [--threads 2] [--json]`.  FILE has positions, a JSON object with a
`position_id` a line.  Of some of them, drawn by a seed, the five best moves of a random roll are
rolled out, of others the cube action.  Every game of the fixed rollout is played; the settled one
is folded from the same games, which is what it would have played: a trial depends on nothing but
its number (tests/daemons/test_rollout.py shows it for real fleets).

* Games: of all alternatives together, settled, as a share of the fixed ones.
* Close: the fixed rollout's best two are within CLOSE_MAX.
* Other choice: the settled rollout ends with another best one than the fixed rollout has; `loses`
  is what the fixed one says that costs, at most.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine_ext.backgammon.ids import parse_id
from engine_ext.control import RunControl
from engine_ext.services import trial_runner, value_caps
from master.contract.goals import Goal
from master.fold.stop_rule import StopRule
from master.fold.sums import FoldSummary
from master.fold.trials import TrialFold, TrialValues
from master.games.backgammon.rollout_defaults import SETTLED_DEFAULT
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from tests.benchmarks.measure import machine_description, print_table

CLOSE_MAX = 0.02
SEED = 24


@dataclass(frozen=True)
class Decision:
    """One rollout, fixed and settled; equities in points of the cube.

    Args:
        kind: "move" or "cube".
        lead: of the best over the second best, by the fixed rollout.
        fixed: games of all alternatives.
        settled: the same.
        loses: equity that the settled rollout's choice gives up, by the fixed one.
        stopped_by: what ended the settled one.
    """

    kind: str
    lead: float
    fixed: int
    settled: int
    loses: float
    stopped_by: str

    @property
    def is_close(self) -> bool:
        """Whether the best two are close."""
        return self.lead < CLOSE_MAX


def contexts(ids: Sequence[str], moves: int, cubes: int) -> list[tuple[str, str]]:
    """Return (kind, context) of decisions drawn from positions."""
    rng = random.Random(SEED)
    drawn = rng.sample(ids, len(ids))
    found: list[tuple[str, str]] = []
    for position_id in drawn:
        kind = "move" if len(found) < moves else "cube"
        dice = max(pair := (rng.randrange(1, 7), rng.randrange(1, 7))), min(pair)
        options = RolloutOptions(dice=dice) if kind == "move" else RolloutOptions(is_cube=True)
        context = to_context(parse_id(position_id), options)
        if len(context.alternatives) > 1:
            found.append((kind, context.to_text()))
        if len(found) == moves + cubes:
            break
    return found


def settled(
    values: Sequence[TrialValues], rule: StopRule, alternatives: int
) -> tuple[FoldSummary, str]:
    """Return what a rollout with these games comes to by a rule, and why it ends."""
    fold = TrialFold(alternatives, len(values[0]))
    fold.limit = 0
    while True:
        summary = fold.summary()
        if fold.rounds and (verdict := rule.verdict(summary)):
            return summary, str(verdict)
        fold.retire(rule.beaten(summary))
        check = rule.next_check(fold.rounds)
        assert check is not None, "the trials are limited"
        fold.raise_limit(check * alternatives)
        while fold.rounds < check:
            fold.add(fold.folded, values[fold.folded])


def measure(asked: tuple[str, str], trials: int, jsd: float) -> Decision:
    """Roll a decision out, and fold it twice."""
    kind, context = asked
    runner, caps = trial_runner(context), value_caps(context)
    count = len(runner.alternative_names)
    values = runner.run(0, trials * count, RunControl())
    fixed, _ = settled(values, StopRule(Goal(trials)), count)
    rule = StopRule(Goal(trials, None, jsd), caps)
    early, why = settled(values, rule, count)
    worth = [_worth(fixed, each, caps) for each in range(count)]
    chosen = max(early.staying, key=lambda each: (_worth(early, each, caps), -each))
    return Decision(
        kind=kind,
        lead=max(worth) - sorted(worth)[-2],
        fixed=trials * count,
        settled=sum(each.trials for each in early.alternatives),
        loses=max(worth) - worth[chosen],
        stopped_by=why,
    )


def _worth(summary: FoldSummary, one: int, caps: Sequence[float | None]) -> float:
    mean = summary.alternatives[one].means[summary.ranking_value]
    cap = caps[one] if caps else None
    return mean if cap is None else min(mean, cap)


def _row(name: str, found: Sequence[Decision]) -> list[str]:
    if not found:
        return [name, "0", "", "", "", ""]
    fixed, played = sum(each.fixed for each in found), sum(each.settled for each in found)
    others = [each for each in found if each.loses > 0.0]
    return [
        name,
        str(len(found)),
        f"{played / fixed:.1%}",
        f"{fixed / played:.1f}x",
        str(sum(each.stopped_by == "settled" for each in found)),
        f"{len(others)}, loses {max((each.loses for each in others), default=0.0):.4f}",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--cubes", type=int, default=10)
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--jsd", type=float, default=SETTLED_DEFAULT)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    lines = given.file.read_text().splitlines()
    asked = contexts([json.loads(line)["position_id"] for line in lines], given.moves, given.cubes)
    with ThreadPoolExecutor(given.threads) as pool:
        found = list(pool.map(partial(measure, trials=given.trials, jsd=given.jsd), asked))
    if given.json:
        json.dump([vars(each) for each in found], sys.stdout)
        return
    print(machine_description())
    groups = {
        "moves, close": [each for each in found if each.kind == "move" and each.is_close],
        "moves, clear": [each for each in found if each.kind == "move" and not each.is_close],
        "cube actions": [each for each in found if each.kind == "cube"],
        "all": found,
    }
    headings = ("decisions", "number", "games", "fewer", "settled", "other choice")
    print_table(headings, [_row(name, group) for name, group in groups.items()])


if __name__ == "__main__":
    main()

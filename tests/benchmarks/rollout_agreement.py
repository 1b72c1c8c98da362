"""Rollouts of a few positions by ours and by gnubg, and how far apart they are.

Run as `python -m tests.benchmarks.rollout_agreement [--trials N]`. Both play 0-ply with
variance reduction, to the end, cubeless and cubeful (money, Jacoby, centred cube that is
not turned before the first roll). The distance is in units of the combined standard error;
the programs play a little differently, so with many trials it has no reason to stay small.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import hypot

from engine_ext.backgammon.ids import parse_id, to_gnubg_id
from tests.benchmarks import gnubg_program, rolled_out
from tests.benchmarks.measure import print_table
from tests.benchmarks.rolled_out import RolledOut, RolloutSettings

POSITIONS = {
    "start": "4HPwATDgc/ABMA",
    "early exchange of blots": "4NvBASiY85gBJA",
    "holding game": "e+OAAwSc3cBgBA",
    "prime against anchor": "d7MYACRmNzMABg",
    "ahead with contact left": "u9kYAAbizowABw",
    "race": "6t7KAADV3QoGAA",
}

CUBELESS, CUBEFUL = 5, 6


def distance(ours: RolledOut, theirs: RolledOut, place: int) -> float:
    """Return the difference of one mean in units of the combined standard error."""
    combined = hypot(ours.std_errors[place], theirs.std_errors[place])
    return (ours.means[place] - theirs.means[place]) / combined


def _compare(gnubg: str, settings: RolloutSettings) -> list[tuple[RolledOut, RolledOut]]:
    states = [parse_id(position_id) for position_id in POSITIONS.values()]
    theirs = gnubg_program.roll_out(gnubg, [to_gnubg_id(state) for state in states], settings)
    return [
        (rolled_out.roll_out(state, settings), their)
        for state, their in zip(states, theirs, strict=True)
    ]


def _row(name: str, what: str, pair: tuple[RolledOut, RolledOut], place: int) -> list[str]:
    cells = [
        text
        for result in pair
        for text in (f"{result.means[place]:+.4f}", f"{result.std_errors[place]:.4f}")
    ]
    return [name, what, *cells, f"{distance(*pair, place):+.1f}"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Roll out and print a row a position and equity."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=216)
    parser.add_argument("--seed", type=int, default=1)
    parsed = parser.parse_args(arguments)
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        print(gnubg_program.ABSENT)
        return
    rows: list[list[str]] = []
    distances: list[float] = []
    for place, what in ((CUBELESS, "cubeless"), (CUBEFUL, "cubeful")):
        settings = RolloutSettings(parsed.trials, parsed.seed, is_cubeful=place == CUBEFUL)
        for name, pair in zip(POSITIONS, _compare(gnubg, settings), strict=True):
            rows.append(_row(name, what, pair, place))
            distances.append(distance(*pair, place))
    print(f"{parsed.trials} trials each, 0-ply, variance reduction; equities of the player on roll")
    headings = ["", "equity", "ours", "error", "gnubg", "error", "distance"]
    print_table(headings, rows)
    print(f"largest distance {max(map(abs, distances)):.1f}")
    print(f"sum of their squares {sum(d * d for d in distances):.1f} of {len(distances)} expected")


if __name__ == "__main__":
    main()

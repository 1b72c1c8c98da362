"""The 15 opening rolls: our best play, statically and by a rollout, beside the accepted ones.

Run as `python -m tests.benchmarks.backgammon_openings [--trials N] [--truncate PLIES]`.
Money play. The plays rolled out are the few statically best and all accepted ones, by common
dice; a play whose difference to the best is within two of its standard errors is as good as
the best. The differences are thousandths, so games are cut short and evaluated: played to
the end, the same standard error would take dozens of times as long.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.alternatives import move_alternatives, roll_alternatives
from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import parse_id
from master.contract.views import AlternativeSummary
from tests.benchmarks.measure import print_table
from tests.benchmarks.rolled_out import RolloutSettings, fold_rollout

# T. Keith, "Backgammon Openings" (bkgm.com/openings.html) and K. Woolsey's synopsis in the
# rec.games.backgammon FAQ; what either calls a choice for money is accepted.
ACCEPTED: dict[tuple[int, int], tuple[str, ...]] = {
    (2, 1): ("13/11 6/5", "24/23 13/11"),
    (3, 1): ("8/5 6/5",),
    (4, 1): ("24/23 13/9", "13/9 6/5"),
    (5, 1): ("24/23 13/8", "13/8 6/5"),
    (6, 1): ("13/7 8/7",),
    (3, 2): ("24/21 13/11", "13/11 13/10"),
    (4, 2): ("8/4 6/4",),
    (5, 2): ("13/11 13/8", "24/22 13/8"),
    (6, 2): ("24/18 13/11",),
    (4, 3): ("24/20 13/10", "24/21 13/9", "13/10 13/9"),
    (5, 3): ("8/3 6/3",),
    (6, 3): ("24/18 13/10", "24/15"),
    (5, 4): ("24/20 13/8", "13/9 13/8"),
    (6, 4): ("24/14", "24/18 13/9", "8/2 6/2"),
    (6, 5): ("24/13",),
}

STATIC_MOVES = 4
"""Statically best plays that are rolled out beside the accepted ones."""

STD_ERRORS_MAX = 2.0
"""Distance within which two plays are as good as each other."""


@dataclass(frozen=True)
class Opening:
    """What was found for one roll; plays as gnubg writes them."""

    dice: tuple[int, int]
    static: str
    rolled_out: str
    is_static_accepted: bool
    is_rolled_out_accepted: bool
    best_accepted: str
    diff: float
    diff_std_error: float

    @property
    def is_within_error(self) -> bool:
        """Whether the best accepted play is as good as the best by the rollout."""
        return -self.diff <= STD_ERRORS_MAX * self.diff_std_error


def open_with(dice: tuple[int, int], settings: RolloutSettings) -> Opening:
    """Choose the play of an opening roll both ways."""
    state = parse_id(START.position_id)
    accepted = move_alternatives(state, dice, ACCEPTED[dice])
    static = roll_alternatives(state, dice, STATIC_MOVES)
    after = {alternative.position_id for alternative in accepted}
    alternatives = accepted + tuple(a for a in static if a.position_id not in after)
    summary = fold_rollout(state, settings, alternatives, dice)
    names = [alternative.name for alternative in alternatives]
    best_accepted = max(range(len(accepted)), key=lambda i: _cubeful(summary.alternatives[i]))
    result = summary.alternatives[best_accepted]
    return Opening(
        dice=dice,
        static=static[0].name,
        rolled_out=names[summary.best],
        is_static_accepted=static[0].position_id in after,
        is_rolled_out_accepted=summary.best < len(accepted),
        best_accepted=names[best_accepted],
        diff=result.diff_to_best,
        diff_std_error=result.diff_std_error or 0.0,
    )


def _cubeful(result: AlternativeSummary) -> float:
    return result.means[-1]


def _row(opening: Opening) -> list[str]:
    def marked(text: str, is_accepted: bool) -> str:
        return text if is_accepted else f"({text})"

    return [
        f"{opening.dice[0]}-{opening.dice[1]}",
        marked(opening.static, opening.is_static_accepted),
        marked(opening.rolled_out, opening.is_rolled_out_accepted),
        opening.best_accepted,
        f"{opening.diff:+.4f}",
        f"{opening.diff_std_error:.4f}",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play all opening rolls and print a row each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=324, help="for each play")
    parser.add_argument("--truncate", type=int, default=11, help="half-moves; 0 plays to the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rolls", type=int, default=len(ACCEPTED), help="only the first few")
    parsed = parser.parse_args(arguments)
    settings = RolloutSettings(parsed.trials, parsed.seed, parsed.truncate)
    openings = [open_with(dice, settings) for dice in list(ACCEPTED)[: parsed.rolls]]
    end = f"{parsed.truncate} half-moves" if parsed.truncate else "to the end"
    print(f"{parsed.trials} trials a play, cubeful, 0-ply, {end}; plays in brackets: not accepted")
    headings = ["", "0-ply", "rollout", "best accepted", "to best", "error"]
    print_table(headings, [_row(opening) for opening in openings])
    count = len(openings)
    print(f"0-ply accepted {sum(o.is_static_accepted for o in openings)} of {count}")
    print(f"rollout accepted {sum(o.is_rolled_out_accepted for o in openings)} of {count}")
    print(f"or as good as accepted {sum(o.is_within_error for o in openings)} of {count}")


if __name__ == "__main__":
    main()

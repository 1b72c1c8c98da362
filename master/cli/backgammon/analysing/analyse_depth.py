"""The options for the depth of an analysis, and the settings that follow from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import click

from engine_ext.backgammon.limits import SEED_DEFAULT, SEED_MAX
from engine_ext.backgammon.questions import TRIALS_MAX, AnalysisSettings, RolloutSettings
from master.cli.arguments import CountType, Decorator, reads, together
from master.cli.backgammon.rule_options import counts_beside_level, filter_option, ply_option
from master.games.backgammon.levels import (
    LEVEL_DEFAULT,
    LEVELS,
    LUCK_PLY,
    TRIALS_DEFAULT,
    level_words,
)
from master.games.backgammon.matches.second_pass import RolloutBounds
from master.reports.report import Report


@dataclass(frozen=True)
class Depth:
    """The depth of an analysis.

    Args:
        settings: the levels, and the rollout that follows.
        bounds: the decisions that get that rollout; None: every decision.
    """

    settings: AnalysisSettings
    bounds: RolloutBounds | None = None

    @property
    def examined(self) -> AnalysisSettings:
        """The settings of the analysis of every decision, before rollouts."""
        return self.settings if self.bounds is None else replace(self.settings, rollout=None)

    @property
    def bounds_words(self) -> str:
        """A sentence about the decisions rolled out, if those are not all; else nothing."""
        rollout, bounds = self.settings.rollout, self.bounds
        if rollout is None or bounds is None:
            return ""
        wanted = [f"errors of {bounds.errors:g} and more"] * math.isfinite(bounds.errors)
        wanted += [f"choices within {bounds.close:g}"] * (bounds.close > 0)
        return f"Rolled out {rollout.trials} times: {' and '.join(wanted) or 'nothing'}."

    def bounds_report(self) -> Report:
        """Return the bounds as the documented settings have them; null: there is none."""
        bounds = self.bounds or RolloutBounds(close=math.inf)
        named = {"rollout_errors": bounds.errors, "rollout_close": bounds.close}
        return {name: each if math.isfinite(each) else None for name, each in named.items()}


def read_bound(text: str) -> float:
    """Return an equity from 0 on, which may be infinite; ValueError otherwise."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0.0:
        raise ValueError(f"{text!r} is no bound: expected an equity of 0 or more, such as 0.05")
    return value


def depth_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options; the command is given the depth as `depth`."""

    @wraps(function)
    def with_depth(
        *args: Any,
        level: str | None,
        ply: int,
        cube_ply: int | None,
        move_filter: str,
        trials: int | None,
        seed: int,
        rollout_errors: float | None,
        rollout_close: float | None,
        **rest: Any,
    ) -> Any:
        named = LEVELS[level or LEVEL_DEFAULT]
        if not counts_beside_level("ply"):
            ply = named.ply
        if cube_ply is None or not counts_beside_level("cube_ply"):
            cube_ply = ply
        if not counts_beside_level("move_filter"):
            move_filter = named.move_filter
        if not counts_beside_level("trials"):
            trials = None if named.rollout is None else named.rollout.trials
        bounds = _bounds(rollout_errors, rollout_close)
        if bounds is not None and trials is None:
            trials = TRIALS_DEFAULT
        rollout = None if trials is None else RolloutSettings(trials, seed)
        settings = AnalysisSettings(ply, cube_ply, move_filter, LUCK_PLY, rollout)
        return function(*args, depth=Depth(settings, bounds), **rest)

    return _options(with_depth)


def _bounds(errors: float | None, close: float | None) -> RolloutBounds | None:
    if errors is None and close is None:
        return None
    return RolloutBounds(math.inf if errors is None else errors, close or 0.0)


def _level_help() -> str:
    listed = "; ".join(f"{name}: {level_words(name)}" for name in LEVELS)
    rule = "Options beside it, such as --plies, overrule it."
    return f"Depth of the analysis, by name.  {listed}.  {rule}  [default: {LEVEL_DEFAULT}]"


_options: Decorator = together(
    click.option("--level", type=click.Choice(tuple(LEVELS)), help=_level_help()),
    ply_option("--plies", "ply", "Look-ahead of checker play, in gnubg's count.",
               LEVELS[LEVEL_DEFAULT].ply),
    ply_option("--cube-plies", "cube_ply", "Look-ahead of cube decisions.  [default: as --plies]"),
    filter_option,
    click.option("--rollout", "trials", type=CountType(1, TRIALS_MAX), metavar="TRIALS",
                 help="Roll out this many games of each of the best moves and cube actions."),
    click.option("--rollout-errors", callback=reads(read_bound), metavar="EQUITY",
                 help="Roll out only decisions whose error by look-ahead is at least this, "
                 f"e.g. 0.05.  [--rollout, else {TRIALS_DEFAULT} games]"),
    click.option("--rollout-close", callback=reads(read_bound), metavar="EQUITY",
                 help="The same for decisions whose two best choices are less than this apart."),
    click.option("--seed", type=CountType(0, SEED_MAX), default=SEED_DEFAULT, show_default=True,
                 metavar="S", help="With --rollout: the same seed rolls the same dice."),
)  # fmt: skip

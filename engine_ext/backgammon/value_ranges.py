"""The range of each value of a rollout's trials: every trial of the context is within it.

The ranges follow from the rules of cube and match; see rollout.pyx for the seven values.

A game's end gives probabilities from 0 to 1; a cubeless equity of at most three points of the
root's cube (money), or one between those of losing and of winning the match; a cubeful equity of
three points of the largest cube, or again between losing and winning the match.

Variance reduction takes the luck of every turn off, and so may leave these ranges.  No useful
bound follows from the rules: a turn's luck may be as large as the range, and a game has a
thousand turns.  So the range is a rule itself: it has room for luck on either side, LUCK_WIDTHS
times the value of the game at the root's own cube, and a trial that would leave it has the value
at its end (`within`).  A trial's deviation is about a fifth of that width, so the room is forty
times the standard deviation: it changes no mean.
"""

from __future__ import annotations

from math import ceil, floor

from engine_ext.backgammon.context import CUBE_VALUE_MAX, RolloutContext
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_code import met_from_code
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.contexts import VALUE_MAX, ContextError, TrialValues, ValueRanges

LUCK_WIDTHS = 8
"""Widths of the game's worth at the root's cube that luck may take a value beyond either end."""

PROB_COUNT = 5
POINTS_MAX = 3.0
"""A backgammon."""

_LARGEST = float(VALUE_MAX - 1)


def value_ranges(context: RolloutContext) -> ValueRanges:
    """Return the least and the greatest of each of the seven values.

    Raises:
        ContextError: `bad-context`: the match equity table gives the score no worth.
    """
    cubeless, cubeful = _equities(context)
    widths = LUCK_WIDTHS if context.variance_reduction else 0
    probs = [_widened((0.0, 1.0), widths)] * PROB_COUNT
    room = widths * (cubeless[1] - cubeless[0])
    return (*probs, _widened(cubeless, room), _widened(cubeful, room))


def _equities(context: RolloutContext) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of the cubeless and the cubeful equity at a game's end."""
    if context.match_length:
        cube = _match_cube(context)
        ends = (cube.mwc_to_equity(0.0), cube.mwc_to_equity(1.0))
        return ends, ends
    largest = CUBE_VALUE_MAX / context.cube_value if context.cubeful else 1.0
    points = POINTS_MAX * largest
    return (-POINTS_MAX, POINTS_MAX), (-points, points)


def _match_cube(context: RolloutContext) -> Cube:
    try:
        table, player = None, 0
        if context.met != MET_NAME:
            met, player = met_from_code(context.met)
            table = MatchTable(met)
        return Cube(
            context.cube_value,
            context.cube_owner,
            context.match_length,
            context.score,
            context.crawford,
            table=table,
            player=player,
        )
    except ValueError as error:
        raise ContextError("bad-context", str(error)) from error


def _widened(ends: tuple[float, float], room: float) -> tuple[float, float]:
    """Return a range with room for luck; whole numbers, so that its ends are values."""
    low, high = ends
    least, greatest = float(floor(low - room)), float(ceil(high + room))
    return max(-_LARGEST, least), min(_LARGEST, greatest)


def within(ranges: ValueRanges, values: TrialValues) -> TrialValues:
    """Return a trial's values, those that leave their range at its end."""
    return tuple(
        min(max(value, low), high) for value, (low, high) in zip(values, ranges, strict=True)
    )

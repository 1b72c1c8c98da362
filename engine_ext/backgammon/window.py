"""The doubling window: gammon prices, take points and cash points of both sides.

The module contains the numbers of a table of take points, and their definitions.

All points are winning chances, 0..1, of the side they belong to, gammons as often as the
given probabilities have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.cube import Cube

ON_ROLL, OPPONENT = 0, 1


@dataclass(frozen=True)
class SideWindow:
    """One side's points; None where that double is not possible, or of no use.

    Attributes:
        gammon_price: the gain of a gammon over a plain win, as a share of the swing from a
            plain loss to a plain win, at the cube as it is: (gammon - win) / (win - loss); .5 for
            money, 0 with Jacoby and a centred cube.  Source: GNU Backgammon manual, "Gammon
            values"; K. Woolsey, "How to Play Tournament Backgammon" (1993).
        take_point_dead: least chance to take a double if nobody ever redoubles: risk over risk
            and gain; (L - 1/2) / (W + L) for money with average wins W and losses L.  Source:
            R. Janowski, "Take-Points in Money Games" (1993), "dead cube".
        take_point_live: the same if every later double is made at the last moment where it is
            taken: (L - 1/2) / (W + L + 1/2) for money.  Source: Janowski, "live cube".
        cash_point_dead, cash_point_live: the chance from which the other side must pass this
            side's double: 1 less the other side's take point.
    """

    gammon_price: float
    take_point_dead: float | None
    take_point_live: float | None
    cash_point_dead: float | None
    cash_point_live: float | None


@dataclass(frozen=True)
class Window:
    """Both sides' points."""

    on_roll: SideWindow
    opponent: SideWindow


def window(cube: Cube, probs: Sequence[float]) -> Window:
    """Return the window of a cube for five cumulative probabilities of the player on roll."""
    win, win_g, win_bg, lose_g, lose_bg = probs
    mirrored = (1 - win, lose_g, lose_bg, win_g, win_bg)
    swapped = cube.swapped()
    takes = (_take_points(swapped, mirrored), _take_points(cube, probs))
    prices = (_gammon_price(cube), _gammon_price(swapped))
    sides = [_side(prices[side], takes[side], takes[1 - side]) for side in (ON_ROLL, OPPONENT)]
    return Window(*sides)


_Takes = tuple[float | None, float | None]


def _side(price: float, own: _Takes, other: _Takes) -> SideWindow:
    dead, live = (None if point is None else 1 - point for point in other)
    return SideWindow(price, *own, dead, live)


def _gammon_price(cube: Cube) -> float:
    if cube.jacoby and cube.owner == -1:
        return 0.0
    win, loss = cube.outcome_equity(1), cube.outcome_equity(-1)
    return (cube.outcome_equity(2) - win) / (win - loss)


def _take_points(cube: Cube, probs: Sequence[float]) -> _Takes:
    """Return the dead and the live take point of the opponent of the player on roll."""
    if not cube.may_double:
        return None, None
    won = _average_after_take(cube, 1, probs[0], probs[1], probs[2])
    lost = _average_after_take(cube, -1, 1 - probs[0], probs[3], probs[4])
    dead = (won - cube.outcome_equity(1)) / (won - lost)
    return min(1.0, max(0.0, dead)), cube.live_take_point(probs, OPPONENT)


def _average_after_take(
    cube: Cube, sign: int, games: float, gammons: float, backgammons: float
) -> float:
    """Return the average value of the doubler's won (or lost) games, in units of `cube`."""
    single, gammon, backgammon = (_taken_outcome(cube, sign * points) for points in (1, 2, 3))
    if games <= 0:
        return single
    return single + ((gammon - single) * gammons + (backgammon - gammon) * backgammons) / games


def _taken_outcome(cube: Cube, points: int) -> float:
    taken = cube.after_take()
    if cube.match_length == 0:
        return 2 * taken.outcome_equity(points)
    return cube.mwc_to_equity(taken.equity_to_mwc(taken.outcome_equity(points)))

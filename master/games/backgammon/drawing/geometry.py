"""The places on a drawn board: of points, bar, trays, dice and cube.

The board is seen by the player at the bottom (seat 0), whose points 1 to 6 are at the lower right;
seat 1 is the player at the top.  A slot is a place in a player's own numbering: 0 off, 1 ... 24
points, 25 the bar.
"""

from __future__ import annotations

from typing import NamedTuple

RADIUS = 19
CHECKER = 2 * RADIUS
POINT = 40
"""Width of a point."""

STACK = 5
"""Checkers drawn on a point; if there are more, their number is shown."""

WIDTH = 660
ROW = 36
"""Height of a player's row of text, above and below the board."""

FRAME_LEFT, FRAME_RIGHT = 56, 656
LEFT, BAR_LEFT, BAR_RIGHT, RIGHT = 66, 306, 350, 590
"""Edges of the two halves of the field."""

TRAY_LEFT, TRAY_RIGHT = 602, 646
FRAME_TOP, TOP = ROW, ROW + 20
BOTTOM = TOP + 2 * STACK * CHECKER + 64
FRAME_BOTTOM = BOTTOM + 20
HEIGHT = FRAME_BOTTOM + ROW
MIDDLE = (TOP + BOTTOM) // 2
BAR_MIDDLE = (BAR_LEFT + BAR_RIGHT) // 2
BAR_GAP = 14
"""Between the middle of the bar and the first checker there."""

SLAB = 12
"""Height of a checker that was borne off, seen from its side."""

DIE = 38
CUBE = 42
GUTTER_MIDDLE = FRAME_LEFT // 2


class Spot(NamedTuple):
    """A place, to the right and down."""

    x: int
    y: int


def bottom_point(player_index: int, point: int) -> int:
    """Return a player's point in the bottom player's numbering."""
    return point if player_index == 0 else 25 - point


def point_x(point: int) -> int:
    """Return the middle of a point, by the bottom player's number."""
    half = POINT // 2
    if point <= 6:
        return RIGHT - POINT * (point - 1) - half
    if point <= 12:
        return BAR_LEFT - POINT * (point - 7) - half
    if point <= 18:
        return LEFT + POINT * (point - 13) + half
    return BAR_RIGHT + POINT * (point - 19) + half


def is_top(point: int) -> bool:
    """Whether the bottom player's point is in the upper half."""
    return point > 12


def bar_base(player_index: int) -> int:
    """Return the start of a player's checkers on the bar: the bottom player's in the upper half."""
    return MIDDLE - BAR_GAP if player_index == 0 else MIDDLE + BAR_GAP


def checker_spot(player_index: int, slot: int, index: int) -> Spot:
    """Return the middle of a player's checker: the index-th in its slot, from 0."""
    place = CHECKER * min(index, STACK - 1) + RADIUS
    if slot == 0:
        return Spot((TRAY_LEFT + TRAY_RIGHT) // 2, slab_y(player_index, index))
    if slot == 25:
        return Spot(BAR_MIDDLE, bar_base(player_index) + (-place if player_index == 0 else place))
    point = bottom_point(player_index, slot)
    return Spot(point_x(point), TOP + place if is_top(point) else BOTTOM - place)


def slab_y(player_index: int, index: int) -> int:
    """Return the middle of a player's index-th checker in the tray, from 0."""
    place = SLAB * index + SLAB // 2 + 2
    return BOTTOM - place if player_index == 0 else TOP + place


def dice_spots(player_index: int) -> tuple[Spot, Spot]:
    """Return the upper left corners of a player's dice: the bottom player's in the right half."""
    middle = (BAR_RIGHT + RIGHT) // 2 if player_index == 0 else (LEFT + BAR_LEFT) // 2
    y = MIDDLE - DIE // 2
    return Spot(middle - DIE - 5, y), Spot(middle + 5, y)


def cube_spot(owner: int, *, is_offered: bool) -> Spot:
    """Return the middle of the cube: beside its owner, or in the left half while it is offered."""
    if is_offered:
        return Spot((LEFT + BAR_LEFT) // 2, MIDDLE)
    edge = CUBE // 2 + 4
    return Spot(GUTTER_MIDDLE, {0: BOTTOM - edge, 1: TOP + edge}.get(owner, MIDDLE))

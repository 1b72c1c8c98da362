"""The shapes of all drawn boards, defined once, their colours, and the places on a board.

A document contains `definitions()` once and `STYLE` in its style sheet; every board in it then uses
them by name, which takes a few hundred bytes.  Names and classes begin with `b-`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
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


PLAYED, BETTER = "played", "better"

COLOURS = "ld"
"""Light and dark checkers, as named in a drawing."""

_LIGHT_SCREEN = {
    "b-page": "fill:#fff",
    "b-frame": "fill:#33404a",
    "b-field": "fill:#ece6d8",
    "b-odd": "fill:#cdb896",
    "b-even": "fill:#97785a",
    "b-bar": "fill:#33404a",
    "b-tray": "fill:#5f6f7b",
    "b-l": "fill:#fffaf0;stroke:#7d6c50;stroke-width:1.5",
    "b-d": "fill:#29323a;stroke:#0d1114;stroke-width:1.5",
    "b-lr": "fill:none;stroke:#d9cbb0;stroke-width:2",
    "b-dr": "fill:none;stroke:#4d5a65;stroke-width:2",
    "b-lo": "stroke:#fffaf0;stroke-width:10",
    "b-do": "stroke:#1b2126;stroke-width:10",
    "b-lp": "fill:#29323a",
    "b-dp": "fill:#fffaf0",
    "b-cube": "fill:#fffaf0;stroke:#22272b;stroke-width:2",
    "b-value": "fill:#22272b",
    "b-number": "fill:#d5dde3",
    "b-ink,.b-r": "fill:#22272b",
    "b-played": "stroke:#c2410c",
    "b-better": "stroke:#0b6fa4",
    "b-playedf": "fill:#c2410c",
    "b-betterf": "fill:#0b6fa4",
}
_DARK_SCREEN = {
    "b-page": "fill:#14181b",
    "b-frame": "fill:#0b0e10",
    "b-field": "fill:#39424a",
    "b-odd": "fill:#56636e",
    "b-even": "fill:#7a6450",
    "b-bar": "fill:#0b0e10",
    "b-tray": "fill:#56636e",
    "b-l": "fill:#efe6d2",
    "b-d": "fill:#14191d;stroke:#8996a1",
    "b-ink,.b-r": "fill:#e6e9eb",
    "b-number": "fill:#a9b4bd",
    "b-played": "stroke:#ff8a4c",
    "b-better": "stroke:#5cc0f2",
    "b-playedf": "fill:#ff8a4c",
    "b-betterf": "fill:#5cc0f2",
}
_SHAPE = (
    ".b-n,.b-v,.b-c,.b-h{text-anchor:middle;font-weight:bold}.b-n{font-size:13px}"
    ".b-c{font-size:17px}.b-h{font-size:13px}.b-e,.b-r{text-anchor:end}.b-s,.b-r{font-size:18px}"
    ".b-kl,.b-kd{fill:none}.b-kl{marker:url(#b-kl)}.b-kd{marker:url(#b-kd)}"
    ".b-played,.b-better{fill:none;stroke-width:4.5;stroke-linecap:round}"
    ".b-played{marker-end:url(#b-played)}"
    ".b-better{stroke-dasharray:9 8;marker-end:url(#b-better)}.b-hw{fill:#fff}"
)
"""The styles that do not depend on the screen."""


def _rules(colours: dict[str, str]) -> str:
    return "".join(f".{name}{{{rule}}}" for name, rule in colours.items())


STYLE = (
    _rules(_LIGHT_SCREEN)
    + _SHAPE
    + f"@media screen and (prefers-color-scheme:dark){{{_rules(_DARK_SCREEN)}}}"
)
"""The style sheet; paper is light."""


@cache
def definitions() -> str:
    """Return the shapes, as the inside of a `defs` element."""
    return "".join((*_board(), *_checkers(), *_dice(), *_cube(), *_arrow_heads()))


def die_name(colour: str, pips: int) -> str:
    """Return the name of a die, which is placed by its upper left corner."""
    return f"b-{colour}w{pips}"


def _rect(name: str, left: int, top: int, right: int, bottom: int, corner: int = 0) -> str:
    rounded = f' rx="{corner}"' if corner else ""
    size = f'width="{right - left}" height="{bottom - top}"'
    return f'<rect class="{name}" x="{left}" y="{top}" {size}{rounded}/>'


def _board() -> Iterator[str]:
    yield '<g id="b-board">'
    yield _rect("b-frame", FRAME_LEFT, FRAME_TOP, FRAME_RIGHT, FRAME_BOTTOM, 8)
    yield _rect("b-field", LEFT, TOP, BAR_LEFT, BOTTOM)
    yield _rect("b-field", BAR_RIGHT, TOP, RIGHT, BOTTOM)
    yield _rect("b-bar", BAR_LEFT, TOP, BAR_RIGHT, BOTTOM)
    yield _rect("b-tray", TRAY_LEFT, TOP, TRAY_RIGHT, BOTTOM, 4)
    height = STACK * CHECKER
    for point in range(1, 25):
        x, half = point_x(point), POINT // 2
        edge, tip = (TOP, height) if is_top(point) else (BOTTOM, -height)
        name = "b-odd" if point % 2 else "b-even"
        yield f'<path class="{name}" d="M{x - half} {edge}h{POINT}l{-half} {tip}z"/>'
    for point in range(1, 25):
        y = TOP - 6 if is_top(point) else BOTTOM + 15
        yield f'<text class="b-n b-number" x="{point_x(point)}" y="{y}">{point}</text>'
    yield "</g>"


def _checkers() -> Iterator[str]:
    """Yield the marker at each corner of a line of checkers: one checker."""
    size = f'markerUnits="userSpaceOnUse" markerWidth="{CHECKER}" markerHeight="{CHECKER}"'
    place = f'refX="{RADIUS}" refY="{RADIUS}"'
    for colour in COLOURS:
        yield f'<marker id="b-k{colour}" {size} {place}>'
        for name, radius in ((colour, RADIUS - 0.75), (f"{colour}r", 12)):
            yield f'<circle class="b-{name}" cx="{RADIUS}" cy="{RADIUS}" r="{radius}"/>'
        yield "</marker>"


_PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8),
         6: (0, 2, 3, 5, 6, 8)}  # fmt: skip
"""Fields of a die's three rows of three, from 0."""


def _dice() -> Iterator[str]:
    for colour in COLOURS:
        for number, fields in _PIPS.items():
            yield f'<g id="{die_name(colour, number)}">{_rect(f"b-{colour}", 0, 0, DIE, DIE, 7)}'
            for field in fields:
                x, y = DIE // 2 + 10 * (field % 3 - 1), DIE // 2 + 10 * (field // 3 - 1)
                yield f'<circle class="b-{colour}p" cx="{x}" cy="{y}" r="4"/>'
            yield "</g>"


def _cube() -> Iterator[str]:
    half = CUBE // 2
    yield f'<g id="b-q">{_rect("b-cube", -half, -half, half, half, 6)}</g>'


def _arrow_heads() -> Iterator[str]:
    for kind in (PLAYED, BETTER):
        yield (
            f'<marker id="b-{kind}" markerUnits="userSpaceOnUse" markerWidth="20" '
            f'markerHeight="20" refX="13" refY="8" orient="auto">'
            f'<path class="b-{kind}f" d="M0 0L16 8L0 16z"/></marker>'
            f'<g id="b-{kind[0]}"><circle class="b-{kind}f" r="10"/>'
            f'<text class="b-h b-hw" y="4.5">{kind[0].upper()}</text></g>'
        )

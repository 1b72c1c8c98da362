"""The shapes of the pattern evaluation, and their places on the board.

A shape's squares are in the order of its index: the first is the lowest ternary digit.
"""

from __future__ import annotations

from dataclasses import dataclass

SYMMETRIES = 8


@dataclass(frozen=True)
class Shape:
    """A set of squares that is evaluated in all its symmetric places.

    Attributes:
        name: for people.
        places: its squares (0 = a1, 1 = b1, 63 = h8) in each distinct place on the board.
        mirror: the digits in the order in which the shape's own reflection reads them; None if
            it has none.
    """

    name: str
    places: tuple[tuple[int, ...], ...]
    mirror: tuple[int, ...] | None

    @property
    def size(self) -> int:
        """Number of indices: 3 to the number of squares."""
        return int(3 ** len(self.places[0]))


def transformed(square: int, symmetry: int) -> int:
    """Return where a symmetry takes a square, numbered as `OthelloBoard.transformed` does."""
    file, rank = square % 8, square // 8
    if symmetry & 4:
        file, rank = rank, file
    if symmetry & 1:
        file = 7 - file
    if symmetry & 2:
        rank = 7 - rank
    return 8 * rank + file


def _shape(name: str, squares: str) -> Shape:
    first = tuple("abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1) for name in squares.split())
    places: dict[frozenset[int], tuple[int, ...]] = {}
    mirror = None
    for symmetry in range(SYMMETRIES):
        place = tuple(transformed(square, symmetry) for square in first)
        places.setdefault(frozenset(place), place)
        if symmetry and set(place) == set(first) and mirror is None:
            mirror = tuple(place.index(square) for square in first)
    return Shape(name, tuple(places.values()), mirror)


SHAPES = (
    _shape("corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    _shape("edge and X squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    _shape("corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    _shape("line 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    _shape("line 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    _shape("line 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    _shape("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    _shape("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    _shape("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    _shape("diagonal 5", "d1 e2 f3 g4 h5"),
    _shape("diagonal 4", "e1 f2 g3 h4"),
)

PLACES = tuple(place for shape in SHAPES for place in shape.places)
"""All places, shape after shape: 46 of them."""

OFFSETS = tuple(
    sum(shape.size for shape in SHAPES[:number])
    for number, shape in enumerate(SHAPES)
    for _ in shape.places
)
"""Where the weights of each place's shape begin, in a row of all weights of a stage."""

WEIGHTS = sum(shape.size for shape in SHAPES)
"""Weights of a stage."""

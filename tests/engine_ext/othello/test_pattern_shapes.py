"""The shapes and the places where they lie."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.pattern_shapes import (
    OFFSETS,
    PLACES,
    SHAPES,
    WEIGHTS,
    Shape,
    transformed,
)
from tests.engine_ext.othello.positions import boards

shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


@shapes
def test_places_are_all_symmetric_ones_and_differ(shape: Shape) -> None:
    every = {
        frozenset(transformed(square, symmetry) for square in shape.places[0])
        for symmetry in range(8)
    }
    assert {frozenset(place) for place in shape.places} == every
    assert len(shape.places) == len(every)


@shapes
def test_mirror_reads_the_same_squares_in_another_order(shape: Shape) -> None:
    if shape.mirror is None:
        assert len(shape.places) == 8
    else:
        assert sorted(shape.mirror) == list(range(len(shape.places[0])))
        assert shape.mirror != tuple(range(len(shape.mirror)))
        assert [shape.mirror[i] for i in shape.mirror] == list(range(len(shape.mirror)))


def test_weights_of_shapes_lie_side_by_side() -> None:
    assert sum(len(shape.places) for shape in SHAPES) == len(PLACES) == len(OFFSETS) == 46
    assert sorted(set(OFFSETS))[0] == 0
    assert max(OFFSETS) + SHAPES[-1].size == WEIGHTS == sum(shape.size for shape in SHAPES)


@given(boards(), st.integers(0, 7))
def test_symmetries_are_numbered_as_boards_number_them(board, symmetry) -> None:  # type: ignore[no-untyped-def]
    moved = sum(1 << transformed(s, symmetry) for s in range(64) if board.player >> s & 1)
    assert board.transformed(symmetry).player == moved

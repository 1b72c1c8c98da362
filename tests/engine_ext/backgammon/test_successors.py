"""The measured work is the real work: the same successors and the same bits."""

from __future__ import annotations

import random
from array import array

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.evaluate import position_class, shared_evaluator
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.successors import Successors
from tests.engine_ext.backgammon.positions import played_positions, random_roll, strewn_positions

POSITIONS = played_positions(3, 60) + strewn_positions(5, 60)
_RNG = random.Random(4)
ROLLS = [random_roll(_RNG) for _ in POSITIONS]


def expected_successors() -> list[Position]:
    return [
        move.after.swapped()
        for position, roll in zip(POSITIONS, ROLLS, strict=True)
        for move in legal_moves(position, roll)
    ]


def probs_of(successors: Successors) -> list[tuple[float, ...]]:
    flat = array("d", successors.probs())
    return [tuple(flat[i : i + 5]) for i in range(0, len(flat), 5)]


@pytest.fixture(scope="module")
def successors() -> Successors:
    return Successors(shared_evaluator(), POSITIONS, ROLLS)


def test_successors_are_those_of_the_legal_moves(successors: Successors) -> None:
    expected = expected_successors()
    assert successors.count == len(expected)
    assert successors.boards() == b"".join(bytes(p.on_roll + p.opponent) for p in expected)


def test_run_with_moves_evaluates_as_one_by_one(successors: Successors) -> None:
    assert successors.run_with_moves() == successors.count
    evaluator = shared_evaluator()
    assert probs_of(successors) == [evaluator.evaluate(p) for p in expected_successors()]


def test_run_of_the_kernel_evaluates_by_the_contact_net(successors: Successors) -> None:
    assert successors.run_kernel() == successors.count
    net = shared_evaluator().contact
    assert probs_of(successors) == [net.evaluate(p) for p in expected_successors()]


def test_positions_of_many_classes_are_among_them() -> None:
    assert len({position_class(p) for p in expected_successors()}) >= 2


@pytest.mark.parametrize(
    ("positions", "rolls", "message"),
    [
        ([], [], "at least one"),
        ([START], [], "a roll for each"),
        ([START], [(1, 7)], "from 1 to 6"),
    ],
)
def test_incomplete_work_is_refused(
    positions: list[Position], rolls: list[tuple[int, int]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Successors(shared_evaluator(), positions, rolls)

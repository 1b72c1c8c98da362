import pickle
import threading
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.movegen import (
    PERFT_DEPTH_MAX,
    LegalMove,
    legal_moves,
    perft,
    perft_by_roll,
)
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import (
    played_positions,
    positions,
    rolls,
    strewn_positions,
)
from tests.engine_ext.backgammon.reference_moves import reference_moves
from tests.engine_ext.backgammon.test_board import slots

# Distinct positions after each opening roll: 447 in all.
START_COUNTS = {
    (1, 1): 42, (2, 1): 15, (3, 1): 16, (4, 1): 14, (5, 1): 8, (6, 1): 10, (2, 2): 75,
    (3, 2): 17, (4, 2): 18, (5, 2): 8, (6, 2): 14, (3, 3): 73, (4, 3): 17, (5, 3): 9,
    (6, 3): 14, (4, 4): 52, (5, 4): 9, (6, 4): 14, (5, 5): 4, (6, 5): 7, (6, 6): 11,
}  # fmt: skip

# The widest spread that fifteen checkers allow on a 1-1.
WIDEST = Position([0] + [0, 1] * 12 + [0], slots(p24=1))


def boards(moves: list[LegalMove]) -> dict[tuple[tuple[int, ...], ...], object]:
    return {(move.after.on_roll, move.after.opponent): move.steps for move in moves}


@pytest.mark.slow
@given(positions, rolls)
@settings(max_examples=300, deadline=None)
@example(WIDEST, (1, 1))
@pytest.mark.when_changed
def test_the_kernel_lists_what_the_rules_say_in_the_documented_order(
    position: Position, dice: tuple[int, int]
) -> None:
    moves = legal_moves(position, dice)
    assert list(boards(moves).items()) == list(reference_moves(position, dice).items())
    assert len(boards(moves)) == len(moves)


@given(positions, rolls)
def test_the_order_of_the_dice_does_not_matter(position: Position, dice: tuple[int, int]) -> None:
    assert legal_moves(position, dice) == legal_moves(position, dice[::-1])


def test_without_a_legal_move_the_position_stays() -> None:
    dancing = Position(slots(bar=1, p6=14), slots(p1=3, p2=3, p3=3, p4=2, p5=2, p6=2))
    for dice in ((1, 2), (3, 3)):
        (move,) = legal_moves(dancing, dice)
        assert (move.steps, move.after) == ((), dancing)


def test_the_larger_die_is_forced_when_only_one_can_be_played() -> None:
    # Point 17 is the opponent's: after 24/18 or 24/23 the other die cannot be played.
    either = Position(slots(p24=1), slots(p8=2))
    assert [move.steps for move in legal_moves(either, (6, 1))] == [((24, 18),)]
    smaller_only = Position(slots(p24=1), slots(p7=2, p8=2))
    assert [move.steps for move in legal_moves(smaller_only, (6, 1))] == [((24, 23),)]


@pytest.mark.parametrize("dice", [(0, 1), (7, 1), (1,), (1, 2, 3)])
def test_impossible_dice_are_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two numbers from 1 to 6"):
        legal_moves(START, dice)


def test_a_legal_move_is_a_value() -> None:
    for move in legal_moves(START, (3, 1)):
        assert pickle.loads(pickle.dumps(move)) == move
        assert len({move, LegalMove(move.steps, move.after)}) == 1


def test_perft_of_the_start_position_has_the_published_counts() -> None:
    assert perft_by_roll(START, 1) == START_COUNTS
    assert perft(START, 1) == 447
    assert perft(START, 2) == 202_782


@given(positions)
@settings(max_examples=10)
def test_perft_adds_up_over_the_positions_it_counts(position: Position) -> None:
    if position.result:
        assert perft(position, 1) == 0
        return
    after = {roll: legal_moves(position, roll) for roll in START_COUNTS}
    assert perft_by_roll(position, 1) == {roll: len(moves) for roll, moves in after.items()}
    for roll, count in perft_by_roll(position, 2).items():
        assert count == sum(perft(move.after.swapped(), 1) for move in after[roll])


def test_perft_counts_every_generated_position_as_a_step() -> None:
    control = RunControl()
    perft(START, 2, control)
    assert control.steps == 447 + 202_782


@pytest.mark.parametrize("depth", [0, -1, PERFT_DEPTH_MAX + 1])
def test_perft_refuses_a_depth_out_of_range(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        perft(START, depth)


def test_a_long_perft_runs_without_the_gil_and_stops_when_asked() -> None:
    control = RunControl()
    counter = threading.Thread(target=perft, args=(START, PERFT_DEPTH_MAX, control))
    counter.start()
    while control.steps == 0:  # only goes on if the count has released the GIL
        pass
    control.stop()
    counter.join(timeout=10)
    assert not counter.is_alive()


def key_of(position: Position) -> str:
    """gnubg-nn's key: the bytes of the position key, each as two letters from A to P."""
    checkers = position.opponent[1:] + position.on_roll[1:]
    bits = "".join("1" * count + "0" for count in checkers).ljust(80, "0")
    key = int(bits[::-1], 2).to_bytes(10, "little")
    return "".join(chr(ord("A") + int(digit, 16)) for digit in key.hex())


@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.parametrize("source", [strewn_positions, played_positions])
@pytest.mark.when_changed
def test_the_moves_are_gnubgs(source: Callable[[int, int], list[Position]]) -> None:
    gnubg = pytest.importorskip("gnubg_nn", reason="gnubg-nn is the oracle of legal moves")
    unfinished = [position for position in source(2, 4000) if position.result == 0]
    for index, position in enumerate(unfinished):
        dice = (index % 6 + 1, index // 6 % 6 + 1)
        board = gnubg.board_from_position_id(position.position_id)
        moves = legal_moves(position, dice)
        if moves[0].steps:
            assert {key_of(move.after) for move in moves} == set(gnubg.moves(board, *dice))
        else:
            assert set(gnubg.moves(board, *dice)) <= {key_of(position)}

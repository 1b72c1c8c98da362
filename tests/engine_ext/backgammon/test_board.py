"""Boards, legal moves and the successors that are evaluated agree with plain rules and gnubg."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from array import array
from collections.abc import Callable

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.evaluate import position_class, shared_evaluator
from engine_ext.backgammon.movegen import (
    PERFT_DEPTH_MAX,
    LegalMove,
    legal_moves,
    perft,
    perft_by_roll,
)
from engine_ext.backgammon.successors import Successors
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.positions import (
    played_positions,
    positions,
    random_roll,
    rolls,
    strewn_positions,
)
from tests.engine_ext.backgammon.reference_moves import reference_moves

EMPTY = [0] * 26


def slots(**checkers: int) -> list[int]:
    """slots(p6=5, bar=1): that many checkers on those slots."""
    values = list(EMPTY)
    for name, count in checkers.items():
        values[{"bar": 25}.get(name) or int(name[1:])] = count
    return values


def test_the_start_position_is_symmetric_with_167_pips() -> None:
    assert START.on_roll == START.opponent
    assert START.on_roll == tuple(slots(p6=5, p8=3, p13=5, p24=2))
    assert START.pip_counts() == (167, 167)
    assert START.swapped() == START
    assert (START.is_race, START.result) == (False, 0)


@given(positions)
def test_a_position_id_reads_back_as_its_position(position: Position) -> None:
    assert len(position.position_id) == 14
    assert position_from_id(position.position_id) == position


@given(positions, positions)
def test_positions_are_equal_just_if_their_ids_are(one: Position, other: Position) -> None:
    assert (one == other) == (one.position_id == other.position_id)
    assert one != other or hash(one) == hash(other)


@given(positions)
def test_a_position_rebuilds_from_its_slots_and_pickles(position: Position) -> None:
    assert Position(position.on_roll, position.opponent) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.copy(position) == position
    assert eval(repr(position), {"position_from_id": position_from_id}) == position


@given(positions)
def test_swapping_exchanges_the_sides_and_undoes_itself(position: Position) -> None:
    swapped = position.swapped()
    assert (swapped.on_roll, swapped.opponent) == (position.opponent, position.on_roll)
    assert swapped.pip_counts() == position.pip_counts()[::-1]
    assert swapped.result == -position.result
    assert swapped.swapped() == position


@given(positions)
def test_fifteen_checkers_a_side_and_pips_by_their_slots(position: Position) -> None:
    for side, pips in zip(
        (position.on_roll, position.opponent), position.pip_counts(), strict=True
    ):
        assert sum(side) == 15
        assert pips == sum(slot * count for slot, count in enumerate(side))


@given(positions)
def test_contact_is_over_when_no_checker_has_an_opposing_one_before_it(position: Position) -> None:
    assume(position.result == 0)
    own = [slot for slot in range(1, 26) if position.on_roll[slot]]
    others = [25 - slot for slot in range(1, 26) if position.opponent[slot]]
    assert position.is_race == all(here < there for here in own for there in others)


@pytest.mark.parametrize(
    ("loser", "points"),
    [
        (slots(p6=14), 1),
        (slots(p6=15), 2),
        (slots(p18=1, p1=14), 2),
        (slots(p19=1, p1=14), 3),
        (slots(bar=1, p1=14), 3),
        (slots(bar=1, p1=13), 1),
    ],
)
def test_a_game_is_lost_single_gammon_or_backgammon(loser: list[int], points: int) -> None:
    assert Position(EMPTY, loser).result == points
    assert Position(loser, EMPTY).result == -points


@pytest.mark.parametrize(
    ("on_roll", "opponent", "reason"),
    [
        (slots(p6=16), slots(p1=1), "the player on roll has 16 checkers on the board"),
        (slots(p6=1), slots(p6=16), "the opponent has 16 checkers on the board"),
        (slots(p6=-1), slots(p6=1), "negative number of checkers"),
        (slots(p6=1)[:25], slots(p6=1), "needs 26 slots"),
        ([3, *slots(p6=1)[1:]], slots(p6=1), "not 15 together"),
        (slots(p6=1), slots(p19=1), "both sides have checkers on point 6"),
        (EMPTY, EMPTY, "neither side has a checker"),
        (
            slots(bar=1, p1=2, p2=2, p3=2, p4=2, p5=2, p6=2),
            slots(bar=1, p1=2, p2=2, p3=2, p4=2, p5=2, p6=2),
            "nobody could ever move",
        ),
    ],
)
def test_an_impossible_position_is_refused_with_its_reason(
    on_roll: list[int], opponent: list[int], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Position(on_roll, opponent)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 14 characters, this one has 0"),
        ("4HPwATDgc/ABM", "this one has 13"),
        ("4HPwATDgc/ABMA==", "this one has 16"),
        ("4HPwATDgc/AB#A", "'#' is none of them"),
        ("4HPwATDgc/ABé", "this one has 13"),
        ("4HPwATDgc/ABéA", "'é' is none of them"),
        ("4HPwATDgc/ABMB", "last character"),
        ("/////////////w", "more than 15"),
        ("AAAAAAAAAAAAAA", "neither side has a checker"),
        ("AAAAAAAAAAAAQA", "set bits after the last checker"),
        ("AQAAAAAAAgAAAA", "both sides have checkers on point 24"),
    ],
)
def test_a_bad_position_id_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        position_from_id(text)


@given(st.text(max_size=20) | st.binary(min_size=10, max_size=10).map(lambda key: key.hex()[:14]))
def test_any_text_is_a_position_id_or_a_value_error(text: str) -> None:
    try:
        position = position_from_id(text)
    except ValueError:
        return
    assert position.position_id == text


@pytest.mark.reference
@pytest.mark.slow
def test_position_ids_are_gnubgs() -> None:
    gnubg = pytest.importorskip("gnubg_nn", reason="gnubg-nn is the oracle of position IDs")
    both_bars = 0
    for position in strewn_positions(1, 4000) + played_positions(1, 4000):
        both_bars += position.on_roll[25] > 0 and position.opponent[25] > 0
        board = [list(position.opponent[1:]), list(position.on_roll[1:])]
        assert gnubg.position_id(board) == position.position_id
        assert gnubg.board_from_position_id(position.position_id) == board
    assert both_bars > 400


def test_strewn_positions_are_the_same_for_a_seed() -> None:
    assert strewn_positions(7, 20) == strewn_positions(7, 20)


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

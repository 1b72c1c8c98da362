import copy
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position, position_from_id
from tests.engine_ext.backgammon.positions import played_positions, positions, strewn_positions

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

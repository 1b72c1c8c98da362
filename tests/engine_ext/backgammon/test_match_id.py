import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.match_id import match_from_id, to_match_id
from engine_ext.backgammon.match_state import OPPONENT, IdError, MatchState
from tests.engine_ext.backgammon.states import match_states


def match_id_of(bits: dict[int, int]) -> str:
    """A match ID with these numbers at these bit positions, a money game going on."""
    number = 0b11 << 4 | 1 << 8
    for position, value in bits.items():
        number ^= value << position
    return base64.b64encode(number.to_bytes(9, "little")).decode()


@given(match_states(), st.integers(0, 3))
def test_a_match_id_reads_back_as_its_state(match: MatchState, resignation: int) -> None:
    if not match.is_double_offered:
        match = replace(match, resignation=resignation)
    # Beavers have no place in a match ID; gnubg's default, allowed, is read.
    match = replace(match, beavers=True)
    assert len(to_match_id(match)) == 12
    assert match_from_id(to_match_id(match)) == match


def test_the_example_of_gnubgs_manual() -> None:
    match = match_from_id("QYkqASAAIAAA")  # 2-4 to 9, player 0 owns a 2-cube, player 1 rolled 5-2
    assert match == MatchState(
        cube_value=2,
        cube_owner=OPPONENT,
        match_length=9,
        score=(4, 2),
        dice=(5, 2),
        player_on_roll=1,
    )


def test_a_new_money_game_has_gnubgs_match_id() -> None:
    assert to_match_id(MatchState()) == "cAkAAAAAAAAA"
    assert to_match_id(MatchState(jacoby=False)) == "cAkAAAAAAAAE"


def test_a_game_not_yet_begun_reads_as_one_going_on() -> None:
    assert match_from_id(match_id_of({8: 1})) == match_from_id(match_id_of({}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cAkAAAAAAAA", "12 characters, this one has 11"),
        ("cAkAAAAAAA-A", "letters, digits"),
        ("cAkAAAAAAAAé", "letters, digits"),
        (match_id_of({67: 1}), "set bits after its last field"),
        (match_id_of({4: 1}), "cube owner 2"),
        (match_id_of({4: 3}), "shows 1 cannot be owned"),
        (match_id_of({8: 3}), "is over"),
        (match_id_of({8: 2}), "was resigned"),
        (match_id_of({8: 5}), "ended with a pass"),
        (match_id_of({8: 4}), "game state 5"),
        (match_id_of({11: 1}), "contradicts itself"),
        (match_id_of({12: 1}), "contradicts itself"),
        (match_id_of({15: 7, 18: 1}), "dice 7 and 1"),
        (match_id_of({15: 3}), "dice 3 and 0"),
        (match_id_of({7: 1}), "no Crawford game"),
        (match_id_of({21: 65}), "1 to 64 points"),
        (match_id_of({21: 5, 36: 5}), "already over"),
    ],
)
def test_a_bad_match_id_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(IdError, match=reason):
        match_from_id(text)


@given(st.binary(min_size=9, max_size=9).map(lambda key: base64.b64encode(key).decode()))
def test_any_key_is_a_state_or_an_id_error(text: str) -> None:
    try:
        match = match_from_id(text)
    except IdError:
        return
    assert match_from_id(to_match_id(match)) == match

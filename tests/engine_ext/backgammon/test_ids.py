"""Position IDs, match IDs and XGIDs read back as their states, and other texts are refused."""

import base64
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon import text_fields as fields
from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import (
    parse_id,
    to_gnubg_id,
    to_position_id,
)
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_id import match_from_id, to_match_id
from engine_ext.backgammon.match_state import (
    CENTRED,
    ON_ROLL,
    OPPONENT,
    GameState,
    IdError,
    MatchState,
)
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from engine_ext.contexts import ContextError
from tests.engine_ext.backgammon.states import game_states, match_states
from tests.engine_ext.backgammon.tables import FAVOURITE


@given(game_states)
def test_every_form_reads_back_as_what_it_can_say(state: GameState) -> None:
    assert parse_id(to_xgid(state)) == state
    with_beavers = replace(state, match=replace(state.match, beavers=True))
    assert parse_id(to_gnubg_id(state)) == with_beavers
    assert parse_id(to_position_id(state)) == GameState(state.position, MatchState())


def test_a_bare_position_id_is_money_play_with_gnubgs_rules() -> None:
    match = parse_id(" 4HPwATDgc/ABMA\n").match
    assert (match.match_length, match.cube_value, match.cube_owner) == (0, 1, -1)
    assert (match.jacoby, match.beavers, match.dice) == (True, True, None)


def test_the_same_state_in_both_languages() -> None:
    gnubg = parse_id("4HPwATDgc/ABMA:cInlAAAAAAAE")
    xg = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
    assert gnubg == xg
    assert gnubg.position == START


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty text"),
        ("  ", "empty text"),
        ("cAkAAAAAAAAA", "a position ID is needed before it"),
        ("4HPwATDgc/ABM", "not a text of 13 characters"),
        ("4HPwATDgc/ABMA:", "match ID has 12 characters, this one has 0"),
        (":cAkAAAAAAAAA", "position ID has 14 characters, this one has 0"),
        ("4HPwATDgc/ABM:cAkAAAAAAAAA", "position ID has 14 characters, this one has 13"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "match ID has 12 characters, this one has 11"),
        ("4HPwATDgc ABMA", "' ' is none of them"),
        ("XGID=4HPwATDgc/ABMA", "10 fields"),
        ("A" * 200, "at most 100 characters"),
    ],
)
def test_a_bad_id_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(IdError, match=reason):
        parse_id(text)


@given(st.text())
def test_any_text_is_a_state_or_one_line_of_reason(text: str) -> None:
    with pytest.raises(IdError) as caught:
        parse_id(text)
    assert len(str(caught.value).splitlines()) == 1


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


OPENING = "-b----E-C---eE---c-e----B-"


@given(game_states)
@pytest.mark.when_changed
def test_an_xgid_reads_back_as_its_state(state: GameState) -> None:
    text = to_xgid(state)
    assert text.startswith("XGID=")
    assert state_from_xgid(text) == state
    assert state_from_xgid(text.removeprefix("XGID=")) == state


@pytest.mark.parametrize(
    "text",
    [
        f"XGID={OPENING}:0:0:1:00:0:0:3:0:10",
        f"XGID={OPENING}:0:0:-1:31:4:2:0:7:10",
        "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:3:-1:1:62:0:0:3:0:10",
        "XGID=g-----E-C---fE-----b----B-:1:1:1:D:0:0:3:0:8",
        "XGID=aFBBB-A-----------A---c-bA:1:-1:-1:21:1:0:0:9:10",
        f"XGID={OPENING}:0:0:1:65:2:4:1:5:10",
    ],
)
def test_a_canonical_xgid_is_written_back_as_it_was(text: str) -> None:
    assert to_xgid(state_from_xgid(text)) == text


def test_the_fields_are_the_bottom_players_view() -> None:
    state = state_from_xgid(f"XGID={OPENING}:1:1:1:62:3:4:0:7:10")
    assert state.position == START
    assert state.match == MatchState(
        cube_value=2, cube_owner=ON_ROLL, match_length=7, score=(3, 4), dice=(6, 2)
    )


def test_the_state_is_the_view_of_the_player_on_roll() -> None:
    bottom = state_from_xgid("aA--------a------------Bb-:1:1:1:00:3:4:0:7:10")
    top = state_from_xgid("aA--------a------------Bb-:1:1:-1:00:3:4:0:7:10")
    assert top.position == bottom.position.swapped()
    assert bottom.position.opponent[25] == 1
    assert bottom.position.on_roll[1] == 1
    assert (bottom.match.score, top.match.score) == ((3, 4), (4, 3))
    assert (bottom.match.cube_owner, top.match.cube_owner) == (ON_ROLL, OPPONENT)
    assert (bottom.match.player_on_roll, top.match.player_on_roll) == (1, 0)


def test_the_flag_is_crawford_in_a_match_and_jacoby_and_beavers_for_money() -> None:
    money = [state_from_xgid(f"{OPENING}:0:0:1:00:0:0:{flag}:0:10").match for flag in range(4)]
    assert [(match.jacoby, match.beavers) for match in money] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]
    assert state_from_xgid(f"{OPENING}:0:0:1:00:2:6:1:7:10").match.crawford
    assert not state_from_xgid(f"{OPENING}:0:0:1:00:2:6:0:7:10").match.crawford


def test_a_missing_highest_cube_and_a_small_prefix_are_read() -> None:
    assert state_from_xgid(f"xgid={OPENING}:0:0:1:00:0:0:3:0") == GameState(START, MatchState())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XGID=", "10 fields between colons, this one has 1"),
        (f"{OPENING}:0:0:1:00:0:0:0:0:10:1", "this one has 11"),
        (f"{OPENING[1:]}:0:0:1:00:0:0:0:0:10", "26 characters, this one has 25"),
        (f"A{OPENING[1:]}:0:0:1:00:0:0:0:0:10", "top player's bar"),
        (f"{OPENING[:25]}a:0:0:1:00:0:0:0:0:10", "bottom player's bar"),
        (f"-p{OPENING[2:]}:0:0:1:00:0:0:0:0:10", "not 'p'"),
        (f"-b5{OPENING[3:]}:0:0:1:00:0:0:0:0:10", "not '5'"),
        (f"-bA{OPENING[3:]}:0:0:1:00:0:0:0:0:10", "bottom player 16 checkers"),
        (f"-c{OPENING[2:]}:0:0:1:00:0:0:0:0:10", "top player 16 checkers"),
        (f"{'-' * 26}:0:0:1:00:0:0:0:0:10", "neither side has a checker"),
        (f"{OPENING}:x:0:1:00:0:0:0:0:10", "cube value in an XGID is a number, not 'x'"),
        (f"{OPENING}:16:0:1:00:0:0:0:0:10", "cube value in an XGID is 0 to 15"),
        (f"{OPENING}:1:2:1:00:0:0:0:0:10", "cube owner"),
        (f"{OPENING}:0:1:1:00:0:0:0:0:10", "shows 1 cannot be owned"),
        (f"{OPENING}:0:0:0:00:0:0:0:0:10", "turn in an XGID is 1 or -1"),
        (f"{OPENING}:0:0:1:17:0:0:0:0:10", "dice in an XGID"),
        (f"{OPENING}:0:0:1:10:0:0:0:0:10", "dice in an XGID"),
        (f"{OPENING}:0:0:1:B:0:0:0:0:10", "beaver"),
        (f"{OPENING}:0:0:1:00:7:0:0:7:10", "already over"),
        (f"{OPENING}:0:0:1:00:0:0:2:7:10", "Crawford/Jacoby flag"),
        (f"{OPENING}:0:0:1:00:0:0:4:0:10", "Crawford/Jacoby flag"),
        (f"{OPENING}:0:0:1:00:0:0:1:7:10", "exactly one player"),
        (f"{OPENING}:0:0:1:00:0:0:0:99999:10", "1 to 64 points"),
        (f"{OPENING}:0:0:1:00:0:0:0:0:99", "highest cube"),
    ],
)
def test_a_bad_xgid_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(IdError, match=reason):
        state_from_xgid(text)


@given(st.text(max_size=60) | st.lists(st.text(max_size=4), min_size=9, max_size=10).map(":".join))
def test_any_text_is_a_state_or_an_id_error(text: str) -> None:
    try:
        state_from_xgid(text)
    except IdError:
        return
    raise AssertionError


@given(match_states())
def test_match_play_knows_neither_jacoby_nor_beavers_and_dice_have_one_order(
    match: MatchState,
) -> None:
    assert not (match.match_length and (match.jacoby or match.beavers))
    assert match.dice is None or match.dice[0] >= match.dice[1]


def test_points_to_go_are_those_of_the_match() -> None:
    assert MatchState(match_length=7, score=(2, 6)).away == (5, 1)
    assert MatchState(score=(2, 6)).away == (0, 0)


def test_post_crawford_is_every_later_game_at_one_point_to_go() -> None:
    assert MatchState(match_length=7, score=(2, 6)).is_post_crawford
    assert MatchState(match_length=7, score=(6, 6)).is_post_crawford
    assert not MatchState(match_length=7, score=(2, 6), crawford=True).is_post_crawford
    assert not MatchState(match_length=7, score=(2, 5)).is_post_crawford
    assert not MatchState().is_post_crawford


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"cube_value": 3}, "power of two"),
        ({"cube_value": 0}, "power of two"),
        ({"cube_value": 65536}, "power of two"),
        ({"cube_owner": 2, "cube_value": 2}, "cube owner"),
        ({"cube_owner": OPPONENT}, "shows 1 cannot be owned"),
        ({"cube_value": 2, "match_length": 5}, "has an owner"),
        ({"match_length": 65}, "1 to 64 points"),
        ({"match_length": -1}, "1 to 64 points"),
        ({"match_length": 5, "score": (5, 0)}, "already over"),
        ({"score": (-1, 0)}, "score is from 0"),
        ({"crawford": True}, "no Crawford game"),
        ({"crawford": True, "match_length": 5, "score": (3, 3)}, "exactly one player"),
        ({"crawford": True, "match_length": 5, "score": (4, 4)}, "exactly one player"),
        (
            {
                "crawford": True,
                "match_length": 5,
                "score": (4, 0),
                "cube_value": 2,
                "cube_owner": 0,
            },
            "without the cube",
        ),
        (
            {"crawford": True, "match_length": 5, "score": (4, 0), "is_double_offered": True},
            "without the cube",
        ),
        ({"cube_log2_max": 16}, "highest cube"),
        ({"dice": (0, 1)}, "dice show 1 to 6"),
        ({"player_on_roll": 2}, "0 or 1"),
        ({"resignation": 4}, "1 to 3 points"),
        ({"is_double_offered": True, "dice": (2, 1)}, "before the dice"),
        ({"is_double_offered": True, "cube_value": 2, "cube_owner": OPPONENT}, "who may not"),
        ({"is_double_offered": True, "resignation": 1}, "together"),
    ],
)
def test_an_impossible_state_is_refused_with_its_reason(
    fields: dict[str, Any], reason: str
) -> None:
    with pytest.raises(IdError, match=reason):
        MatchState(**fields)


OWNERS = st.sampled_from([CENTRED, ON_ROLL, OPPONENT])


@given(st.integers(1, 6), OWNERS, st.booleans())
def test_money_may_be_doubled_by_who_has_the_cube_or_nobody(
    log2: int, owner: int, jacoby: bool
) -> None:
    match = MatchState(cube_value=2**log2, cube_owner=owner, jacoby=jacoby)
    assert cube_of(match).may_double == (owner != OPPONENT)


@given(st.integers(2, 15), st.integers(0, 14))
def test_equal_scores_are_even(length: int, score: int) -> None:
    score = min(score, length - 1)
    cube = cube_of(MatchState(match_length=length, score=(score, score)))
    assert cube.equity_to_mwc(0.0) == pytest.approx(0.5, abs=1e-12)


def test_a_table_of_different_players_goes_by_the_player_on_roll() -> None:
    table = MatchTable(FAVOURITE)
    cubes = [
        cube_of(MatchState(match_length=3, score=(0, 1), player_on_roll=player), table)
        for player in (0, 1)
    ]
    for player, cube in enumerate(cubes):
        wins = FAVOURITE.mwc(2, 2, player=player)
        assert cube.equity_to_mwc(1.0) == pytest.approx(wins, abs=1e-15)


def test_cube_beyond_the_engines_is_refused() -> None:
    with pytest.raises(ValueError, match="the cube shows a power of two up to"):
        cube_of(MatchState(cube_value=2**15))


CODECS = {
    "name": fields.TEXT,
    "count": fields.INTEGER,
    "is_on": fields.BOOL,
    "owner": fields.OWNER,
    "score": fields.SCORE,
    "dice": fields.DICE,
    "level": fields.level_codec("none"),
}
lines = st.fixed_dictionaries(
    {
        "name": st.text(st.characters(codec="utf-8")),
        "count": st.integers(-(10**19), 10**19),
        "is_on": st.booleans(),
        "owner": st.integers(-1, 1),
        "score": st.tuples(st.integers(0, 99), st.integers(0, 99)),
        "dice": st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
        "level": st.none() | st.integers(0, 9),
    }
)


@given(lines)
def test_what_is_written_is_read(values: dict[str, object]) -> None:
    text = fields.write_line("kind/1", CODECS, values)
    assert text.isascii()
    assert text.isprintable()
    assert fields.read_line("kind/1", CODECS, text) == values


@given(st.text())
def test_any_other_text_is_a_context_error(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        fields.read_line("kind/1", CODECS, f"kind/1 {text}")
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize("text", ["", "1.5", "one", "1" * 21, "+1", "٣"])
def test_only_digits_are_a_whole_number(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        fields.decimal(text)

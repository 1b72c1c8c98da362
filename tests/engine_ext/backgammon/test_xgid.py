import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import ON_ROLL, OPPONENT, GameState, IdError, MatchState
from engine_ext.backgammon.xgid import state_from_xgid, to_xgid
from tests.engine_ext.backgammon.states import game_states

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

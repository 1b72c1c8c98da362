from dataclasses import replace

from hypothesis import given

from engine_ext.backgammon.ids import parse_id, to_xgid
from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.handlers import shown_state, state_text
from master.games.backgammon.typed import read_id
from tests.master.games.backgammon.handler_states import STATES

OPENING = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")


@given(STATES)
def test_text_says_all_of_a_state(state: GameState) -> None:
    assert parse_id(state_text(state)) == state


@given(STATES)
def test_board_is_what_the_xgid_says(state: GameState) -> None:
    """As the page does it: places from the bottom player's view, and the fields behind them."""
    board = shown_state(state)["board"]
    assert isinstance(board, dict)
    places = ["-"] * 26
    for slot in range(1, 26):
        if board["bottom"][slot]:
            places[slot] = chr(ord("A") + board["bottom"][slot] - 1)
        if board["top"][slot]:
            places[25 - slot] = chr(ord("a") + board["top"][slot] - 1)
    fields = to_xgid(state).removeprefix("XGID=").split(":")
    sign = {"bottom": 1, "top": -1, None: 0}
    assert "".join(places) == fields[0]
    assert [2 ** int(fields[1]), int(fields[2]), int(fields[3])] == [
        board["cube"]["value"], sign[board["cube"]["owner"]], sign[board["turn"]],
    ]  # fmt: skip
    assert [int(each) for each in fields[5:7]] == board["scores"]
    assert int(fields[8]) == board["match_length"]
    assert board["is_double_offered"] == (fields[4] == "D")


def test_resignation_is_said_by_a_gnubg_id() -> None:
    state = replace(OPENING, match=replace(OPENING.match, dice=None, resignation=2))
    assert parse_id(state_text(state)) == state
    assert not state_text(state).startswith("XGID")


def test_player_at_the_top_is_named_when_on_roll() -> None:
    state = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:3:0:10")
    shown = shown_state(state)
    assert shown["title"] == "Backgammon: Top to play 3-1 against Bottom"
    assert "Top (dark, top)" in str(shown["words"])

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import (
    GameState,
    IdError,
    MatchState,
    parse_id,
    to_gnubg_id,
    to_position_id,
    to_xgid,
)
from tests.engine_ext.backgammon.states import game_states


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

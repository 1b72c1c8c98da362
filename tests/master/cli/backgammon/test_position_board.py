"""When boards of positions are drawn, and what they show."""

from dataclasses import replace

import pytest

from master.cli.arguments import is_board_shown
from master.games.backgammon.play.board_view import offer_text
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION

STATE = read_id(POSITION)


@pytest.mark.parametrize(
    ("board", "is_terminal", "is_shown"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_boards_are_for_terminals_unless_asked_for(
    board: bool | None, is_terminal: bool, is_shown: bool
) -> None:
    assert is_board_shown(board, is_terminal=is_terminal) is is_shown


def test_what_waits_for_an_answer_is_told() -> None:
    doubled = replace(STATE, match=replace(STATE.match, is_double_offered=True))
    resigned = replace(STATE, match=replace(STATE.match, resignation=2))
    assert offer_text(STATE, "Ann") == ""
    assert offer_text(doubled, "Ann") == "Ann doubles to 2"
    assert offer_text(resigned, "Ann") == "Ann resigns a gammon"

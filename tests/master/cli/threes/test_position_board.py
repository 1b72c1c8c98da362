"""How `manyply show` shows boards of Threes!."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard
from master.cli.app import manyply
from master.cli.threes.position_board import show_position
from tests.engine_ext.threes.reference_threes import (
    Cards,
    after,
    board_of,
    cards_of_boards,
    score,
)

TEXT = "threes:1230456000000007"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_board_is_drawn_below_its_text() -> None:
    lines = ran(TEXT).stdout.splitlines()
    assert lines[:4] == [
        f"{TEXT}  363 points", "", "+-----+-----+-----+-----+", "|  1  |  2  |  3  |     |",
    ]  # fmt: skip
    assert len(lines) == 11


@settings(max_examples=20)
@given(cards_of_boards)
def test_object_has_the_cards_and_the_legal_moves(cards: Cards) -> None:
    board = board_of(cards)
    found = json.loads(ran(f"threes:{board.to_text()}", "--json").stdout)
    moves = [name for name in DIRECTION_NAMES if after(cards, name) != cards]
    assert found == {
        "board": board.to_text(), "cards": list(cards), "score": score(cards), "moves": moves,
    }  # fmt: skip


def test_board_that_is_over_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_position(ThreesBoard.from_text("2" * 16), is_json=False)
    assert capsys.readouterr().out.startswith(f"threes:{'2' * 16}  0 points, no move is legal\n")


def test_what_is_no_board_is_one_line_that_says_how_boards_look() -> None:
    result = ran("threes:12")
    assert result.exit_code == 2
    assert "threes: and 16 hex digits; expected a job's number or an ID" in result.stderr

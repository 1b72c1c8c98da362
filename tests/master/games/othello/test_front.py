"""What Othello offers: jobs, and positions that `manyply show` draws."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from engine_ext.othello.board import OthelloBoard
from master.cli.app import manyply
from master.games.othello.front import FRONT
from master.games.othello.record import position_of, read_shown
from master.games.search_words import SearchWords
from tests.engine_ext.othello.positions import boards


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_a_board_is_drawn_below_its_text_and_its_opening() -> None:
    lines = ran("othello:f5d6c3d3c4").stdout.splitlines()
    assert lines[0].endswith(" O, Tiger")
    assert len(lines) == 12
    assert "black" in lines[3]


def test_the_object_has_the_board_and_its_moves() -> None:
    found = json.loads(ran("othello:F5D6", "--json").stdout)
    board = OthelloBoard.start().play("f5").play("d6")
    assert found == {
        "board": board.to_text(), "discs": {"black": 3, "white": 3}, "moves": list(board.moves()),
        "opening": "Perpendicular",
    }  # fmt: skip


@given(boards())
def test_any_board_is_read_as_it_is(board: OthelloBoard) -> None:
    assert position_of(read_shown(f"othello:{board.to_text()}")) == board


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("othello:f5f5", "move 2 (f5): f5 is not empty; O may play f4 d6 f6"),
        ("othello:ffo60", "there is no FFO60"),
        ("othello:", "a board is 64 characters"),
    ],
)
def test_what_is_no_position_is_named(text: str, complaint: str) -> None:
    result = ran(text)
    assert result.exit_code == 2
    assert f": {complaint}" in " ".join(result.stderr.split()), "no other game complains"


def test_jobs_of_othello_are_searches() -> None:
    assert FRONT.search_job is not None
    assert isinstance(FRONT.search_words(), SearchWords)

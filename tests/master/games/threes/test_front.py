"""What Threes! offers: jobs, and boards that `manyply show` draws."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard
from master.cli.app import manyply
from master.games.job_words import JobWords
from master.games.threes.board_view import heading, read_position
from master.games.threes.front import FRONT
from master.games.watched import WatchedGame
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


def test_board_that_is_over_says_so() -> None:
    assert heading(ThreesBoard.from_text("2" * 16)).endswith("2  0 points, no move is legal")


def test_what_is_no_board_is_one_line_that_says_how_boards_look() -> None:
    result = ran("threes:12")
    assert result.exit_code == 2
    assert "threes: and 16 hex digits; expected a job's number or an ID" in result.stderr


def test_jobs_have_words_of_their_own_and_games_can_be_watched() -> None:
    assert isinstance(FRONT.job_words(), JobWords)
    assert FRONT.watched is not None
    assert isinstance(FRONT.watched(), WatchedGame)


@pytest.mark.parametrize("text", ["", TEXT[7:], TEXT[:-1], f"{TEXT}0", f"{TEXT[:-1]}g", "threes:"])
def test_what_is_no_position_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="threes: and 16 hex digits"):
        read_position(text)

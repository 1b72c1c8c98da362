"""What `manyply perft threes` shows."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from master.cli.app import manyply
from tests.engine_ext.threes.reference_threes import (
    Cards,
    after,
    board_of,
    cards_of_boards,
    entry,
    score,
)
from tests.master.cli.terminals import WIDTHS, shown

BOARD = "1230456000000007"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["perft", "threes", *args])


@settings(max_examples=20)
@given(cards_of_boards)
def test_json_has_each_legal_move_by_the_rules(cards: Cards) -> None:
    found = json.loads(ran(*map(str, cards), "--json").stdout)
    assert found == {
        "moves": {
            name: {"board": board_of(moved).to_text(), "entry": list(entry(cards, name))}
            for name in ("up", "down", "left", "right")
            for moved in [after(cards, name)]
            if moved != cards
        },
        "score": score(cards),
    }


def test_people_see_the_boards_and_where_cards_enter() -> None:
    lines = ran(BOARD).stdout.splitlines()
    assert lines[0] == f"threes:{BOARD}  363 points"
    assert lines[2:6] == [
        "up                          down",
        "+-----+-----+-----+-----+   +-----+-----+-----+-----+",
        "|  1  |  2  |  3  |     |   |  +  |  +  |  +  |     |",
        "+-----+-----+-----+-----+   +-----+-----+-----+-----+",
    ]
    assert lines[13] == "left                        right"


def test_board_without_a_move_says_so() -> None:
    assert ran("1" * 16).stdout == f"threes:{'1' * 16}  0 points, no move is legal\n"


@pytest.mark.parametrize("columns", WIDTHS)
def test_boards_fit_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(columns, monkeypatch, "perft", "threes", BOARD)
    assert screen.too_wide == []
    assert screen.text.count("48") == 4
    assert ("left" in next(line for line in screen.lines if "up" in line)) == (columns >= 109)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "Missing argument 'BOARD'"),
        ((BOARD, "3"), "not 2 cards"),
        (("5" * 17,), "not 17 digits"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply


def ran(*args: str, game: str = "backgammon") -> Any:
    return CliRunner().invoke(manyply, ["perft", game, *args])


@pytest.mark.parametrize(("depth", "count"), [(1, 447), (2, 202782)])
def test_start_position_is_counted(depth: int, count: int) -> None:
    counted = json.loads(ran(str(depth), "--json").stdout)
    assert (counted["position_id"], counted["depth"], counted["positions"]) == (
        "4HPwATDgc/ABMA", depth, count,
    )  # fmt: skip


def test_any_position_is_counted() -> None:
    assert "27Y5AADg/wMAYA depth 1: 21 positions" in ran("27Y5AADg/wMAYA", "1").stdout


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [ID] DEPTH"),
        (("one",), "expected [ID] DEPTH"),
        (("6",), "DEPTH is 1 to 5, not 6"),
        (("99999999999999999999",), "DEPTH is 1 to 5"),
        (("0",), "DEPTH is 1 to 5"),
        (("xyz", "1"), "not a text of 3 characters"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


EMPTY_BUT_FOUR = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 12), (9, 3005288)])
def test_othello_is_counted_from_the_start(depth: int, count: int) -> None:
    counted = json.loads(ran(str(depth), "--json", game="othello").stdout)
    assert counted.pop("seconds") >= 0
    assert counted == {"board": EMPTY_BUT_FOUR, "depth": depth, "games": count}


@pytest.mark.parametrize("board", [[EMPTY_BUT_FOUR], EMPTY_BUT_FOUR.split()])
def test_any_othello_board_is_counted(board: list[str]) -> None:
    assert f"{EMPTY_BUT_FOUR} depth 3: 56 games" in ran(*board, "3", game="othello").stdout
    small = "-----OX--XO----- X"
    assert f"{small} depth 16: 60,060 games" in ran(small, "16", game="othello").stdout


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [BOARD] DEPTH"),
        ((EMPTY_BUT_FOUR,), "expected [BOARD] DEPTH"),
        (("0",), "DEPTH is 1 to 20, not 0"),
        (("21",), "DEPTH is 1 to 20, not 21"),
        (("XO", "1"), "a board is 64 characters X, O or -"),
    ],
)
def test_mistake_about_othello_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args, game="othello")
    assert result.exit_code == 2
    assert complaint in result.stderr

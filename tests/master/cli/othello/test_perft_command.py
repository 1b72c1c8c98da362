"""What `manyply perft othello` counts."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply


def ran(*args: str, game: str = "othello") -> Any:
    return CliRunner().invoke(manyply, ["perft", game, *args])


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

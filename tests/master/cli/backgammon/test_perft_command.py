"""What `manyply perft backgammon` counts."""

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

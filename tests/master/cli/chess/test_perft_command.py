"""What `manyply perft chess` counts."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.chess.fen import START
from master.cli.app import manyply


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["perft", "chess", *args])


@pytest.mark.parametrize(("depth", "games"), [(1, 20), (2, 400), (5, 4865609)])
def test_games_are_counted_from_the_start(depth: int, games: int) -> None:
    counted = json.loads(ran(str(depth), "--json").stdout)
    assert counted.pop("seconds") >= 0
    moves = counted.pop("moves")
    assert counted == {"fen": START, "depth": depth, "games": games}
    assert (len(moves), sum(moves.values())) == (20, games)


def test_each_first_move_has_a_line() -> None:
    lines = ran("r3k2r/8/8/8/8/8/8/R3K2R", "w", "KQkq", "-", "2").stdout.splitlines()
    assert len(lines) == 27
    assert "e1g1: 23" in lines
    assert lines[-1].startswith("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 depth 2: 568 games, ")


def test_castling_of_chess960_is_told_from_a_step() -> None:
    said = ran("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", "1").stdout
    assert "f1g1: 1" in said
    assert "f1e1: 1" in said


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [FEN] DEPTH"),
        ((START,), "expected [FEN] DEPTH"),
        (("0",), "DEPTH is 1 to 15, not 0"),
        (("16",), "DEPTH is 1 to 15, not 16"),
        (("8/8", "1"), "a FEN is six words"),
        (("8/8/8/8/8/8/8/8 w - - 0 1", "1"), "White has 0 kings, one was expected"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr

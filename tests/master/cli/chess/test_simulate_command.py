"""`manyply simulate chess`: the table, the JSON, and mistakes."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.chess.simulate_command import HYPERCUBE, read_positions


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["simulate", "chess", *args])


def test_positions_are_read() -> None:
    assert [name for name, _ in read_positions("bk2, BK3,bk2")] == ["BK2", "BK3"]
    assert len(read_positions("hypercube")) == 12
    ((name, board),) = read_positions("8/8/8/4k3/8/8/3R4/4K3 w - - 0 1")
    assert name == "position"
    assert board.move_count
    for wrong in ("BK25", "BK2,nonsense", "nonsense", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"):
        with pytest.raises(Exception, match=r"\w+"):
            read_positions(wrong)


@pytest.mark.slow
@pytest.mark.when_changed
def test_json_is_the_same_whenever_it_is_printed() -> None:
    args = ("--positions", "BK2", "--nodes", "30000", "--searches", "2", "--processors", "1,4",
            "--json")  # fmt: skip
    first = ran(*args)
    assert first.exit_code == 0, first.output
    assert first.stdout == ran(*args).stdout
    document = json.loads(first.stdout)
    assert document["positions"] == ["BK2", "BK2'"]
    assert [row["processors"] for row in document["rows"]] == [1, 4]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("--positions", "BK25"), "there is no BK25"),
        (("--nodes", "0"), "0 is not in the range"),
        (("--searches", "3"), "3 is not in the range"),
        (("--positions", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1"), "somebody can move"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


def test_speedups_stand_beside_the_processors() -> None:
    assert HYPERCUBE.cells("manyply", 256) == ("101",)
    assert HYPERCUBE.cells("manyply", 64) == ("",)
    assert len(HYPERCUBE.headings("manyply")) == 1
    (curve,) = HYPERCUBE.curves(["manyply"])
    assert dict(curve.points) == {256: 101.0, 512: 170.0}

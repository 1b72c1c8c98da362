import json

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.threes import bench_threes

FIGURES = {"moves_2_ply_per_s": 66123.4, "net_load_ms": 412.345, "cpu": "a processor"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_threes, "bench_threes", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "threes", "--json"]).stdout) == FIGURES


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "threes"])
    title, *lines = result.stdout.splitlines()
    assert title == "Threes!, one core"
    cells = [line.split(maxsplit=1) for line in lines]
    assert cells == [
        ["moves_2_ply_per_s", "66,123"], ["net_load_ms", "412.3"], ["cpu", "a processor"],
    ]  # fmt: skip
    assert result.stderr.startswith("measuring for about")

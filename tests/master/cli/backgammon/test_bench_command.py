import json

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.backgammon import bench_backgammon

FIGURES = {"static_evals_per_s": 1234567.8, "share": 0.96789, "kernel": "avx2"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_backgammon, "bench_backgammon", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "backgammon", "--json"]).stdout) == (
        FIGURES
    )


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "backgammon"])
    cells = [line.split() for line in result.stdout.splitlines()[1:]]
    assert cells == [["static_evals_per_s", "1,234,568"], ["share", "0.9679"], ["kernel", "avx2"]]
    assert result.stderr.startswith("measuring for about")


@pytest.mark.parametrize("bench", ["backgammon", "network"])
def test_benches_are_listed(bench: str) -> None:
    assert bench in CliRunner().invoke(manyply, ["bench", "--help"]).stdout

"""`manyply bench chess`: a table, or an object."""

import json

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.chess import bench_chess

FIGURES = {"perft_per_s": 6_612_345.6, "kernel": "pext", "cpu": "a processor"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_chess, "bench_chess", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "chess", "--json"]).stdout) == FIGURES


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "chess"])
    title, *lines = result.stdout.splitlines()
    assert title == "chess, one core"
    assert lines[0].split() == ["perft_per_s", "6,612,346"]
    assert result.stderr.startswith("measuring for about")

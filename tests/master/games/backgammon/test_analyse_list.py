import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply

LIST = """# openings
4HPwATDgc/ABMA 31
4HPwATDgc/ABMA 31 8/5 6/5
4HPwATDgc/ABMA 31 24/20
4HPwATDgc/ABMA

XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10 pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text(LIST)
    return path


def ran(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["analyse", *map(str, args), "--plies", "0"])


def test_each_line_is_reported(file: Path) -> None:
    report = json.loads(ran(file, "--json").stdout)
    assert list(report) == ["engine", "settings", "decisions"]
    first, good, bad, cube, passed = report["decisions"]
    assert [each["line"] for each in report["decisions"]] == [2, 3, 4, 5, 7]
    assert (first["played"], first["error"], first["best"]) == (None, None, "8/5 6/5")
    assert (good["error"], good["mark"]) == (0.0, None)
    assert (bad["played"], bad["mark"]) == ("24/20", "very bad")
    assert bad["error"] == bad["equities"]["8/5 6/5"] - bad["equities"]["24/20"]
    assert list(cube["equities"]) == ["no double", "double, take", "double, pass"]
    assert (passed["played"], passed["best"], passed["mark"]) == ("pass", "take", "very bad")


def test_table_has_a_line_for_each(file: Path) -> None:
    lines = ran(file).stdout.splitlines()
    assert lines[0].split() == ["Line", "Position", "Played", "Error", "Best", "Equity"]
    assert [line.split()[0] for line in lines[1:]] == ["2", "3", "4", "5", "7"]
    assert lines[2].split()[2:5] == ["8/5", "6/5", "0"]


@pytest.mark.parametrize("option", [["--stored"], ["--games", "1"], ["--csv", "out.csv"]])
def test_what_is_for_matches_is_refused(file: Path, option: list[str]) -> None:
    result = ran(file, *option)
    assert f"{option[0]} is for matches" in str(result.exception)

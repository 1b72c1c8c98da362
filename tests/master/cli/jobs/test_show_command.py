"""How `manyply show` tells IDs from jobs, and what it prints of an ID."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import to_gnubg_id
from master.cli.app import manyply
from master.games.backgammon.drawing.board_svg import state_svg
from master.games.backgammon.typed import read_id
from master.reports.png import png_bytes

START_ID = "4HPwATDgc/ABMA"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


@pytest.mark.parametrize(
    "text",
    [
        START_ID,
        f"{START_ID}:cAkAAAAAAAAA",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    ],
)
def test_any_id_is_drawn(text: str) -> None:
    result = ran(text)
    assert result.exit_code == 0
    first, empty, top, *_ = result.stdout.splitlines()
    assert (first, empty) == (to_gnubg_id(read_id(text)), "")
    assert top == " +-13--14--15--16--17--18-+---+-19--20--21--22--23--24-+  O opponent"
    assert result.stdout.count("167 pips") == 2


def test_an_id_as_json_is_its_position_and_match() -> None:
    shown = json.loads(ran(START_ID, "--json").stdout)
    assert shown["position_id"] == START.position_id
    assert shown["pip_counts"] == [167, 167]
    assert shown["match"]["cube_value"] == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("7",), "no job 7"),
        (("0",), "not in the range"),
        (("99999999999999999999999",), "not in the range"),
        (("nonsense",), "expected a job's number or an ID"),
        ((START_ID, "--master", "socket"), "leave out --master"),
        ((START_ID, "--export"), "--export is for a job's result"),
        (("1", "--xg-table", "--json"), "in two ways"),
        (("threes:1230456000000007", "--svg", "x.svg"), "leave out --svg"),
        ((START_ID, "--svg", "/dev/full"), "cannot write /dev/full: the disk is full"),
        (("--svg", "/dev/null/x.svg"), "cannot write /dev/null/x.svg: Not a directory"),
    ],
)
def test_digits_are_a_job_and_what_is_neither_is_one_line(
    args: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ran(*args)
    assert result.exit_code != 0
    assert words in str(result.exception) + result.output


def test_a_position_is_drawn_into_files(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra png)")
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    result = ran(START_ID, "--svg", str(svg), "--png", str(png))
    assert result.exit_code == 0
    assert result.stdout == ran(START_ID).stdout
    assert svg.read_text() == state_svg(read_id(START_ID))
    assert png.read_bytes() == png_bytes(svg.read_text())
    refused = ran(START_ID, "--png", "/dev/null/x.png")
    assert str(refused.exception) == "cannot write /dev/null/x.png: Not a directory"


def test_without_the_extra_png_is_one_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = ran(START_ID, "--png", str(tmp_path / "board.png"))
    assert str(result.exception) == "PNG needs an optional extra: pip install 'manyply[png]'"
    assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []

"""The program in small: what it says of a row, and that it goes on where it was."""

from pathlib import Path

import pytest

from tests.benchmarks import othello_ffo_moves
from tests.engine_ext.othello.ffo import ROWS

SMALL_TABLE = ["--table-mb", "1"]


def test_rows_are_solved_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = ["--log", str(tmp_path / "log")]
    assert othello_ffo_moves.main(["FFO05", "FFO20", *SMALL_TABLE, *log]) == 0
    first = capsys.readouterr().out
    assert [line.split()[:3] for line in first.splitlines()] == [
        ["FFO20", "6", "empty"],
        ["FFO05", "14", "empty"],
    ]
    assert first.count("as published") == 2
    assert (tmp_path / "log").read_text() == first
    assert othello_ffo_moves.main(["FFO05", "FFO02", *SMALL_TABLE, *log]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["FFO02"]


def test_every_row_has_its_turn() -> None:
    rows = othello_ffo_moves.rows_to_solve([], 64, None)
    assert {row.name for row in rows} == set(ROWS)
    assert [row.board.empties for row in rows] == sorted(row.board.empties for row in rows)


def test_differences_are_named() -> None:
    assert othello_ffo_moves.verdict({"a1": 2, "b1": 4}, {"a1": 2, "b1": 6}) == "b1 4 published 6"
    assert othello_ffo_moves.verdict({"a1": 2}, {"a1": 2}) == othello_ffo_moves.AS_PUBLISHED


def test_unknown_rows_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        othello_ffo_moves.main(["FFO99"])
    assert "FFO99" in capsys.readouterr().err

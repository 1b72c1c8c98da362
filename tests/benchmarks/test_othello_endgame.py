"""The program in small: that it runs and says what it solved, not how fast."""

import sys

import pytest

from tests.benchmarks import othello_endgame


def test_positions_are_solved_and_summed(capsys: pytest.CaptureFixture[str]) -> None:
    othello_endgame.main(["FFO01", "FFO05", "--small", "--table-mb", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert "one thread" in lines[0]
    assert [line.split()[0] for line in lines[1:]] == ["position", "FFO01", "FFO05", "together"]


def test_opponent_solves_them_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"{sys.executable} -m master.cli nboard"
    othello_endgame.main(["FFO01", "FFO05", "--table-mb", "1", "--opponent", command])
    *_, together = capsys.readouterr().out.splitlines()
    assert float(together.split()[-1]) > 0


def test_opponent_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        othello_endgame.main(["FFO01", "--opponent", "nonesuch"])
    assert "nonesuch is not installed" in capsys.readouterr().err

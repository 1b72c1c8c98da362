"""The program in small: that it runs and says what it solved, not how fast."""

import pytest

from tests.benchmarks import othello_endgame


def test_positions_are_solved_and_summed(capsys: pytest.CaptureFixture[str]) -> None:
    othello_endgame.main(["FFO01", "FFO05", "--small", "--table-mb", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert "one thread" in lines[0]
    assert [line.split()[0] for line in lines[1:]] == ["position", "FFO01", "FFO05", "together"]

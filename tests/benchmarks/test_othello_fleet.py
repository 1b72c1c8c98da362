"""The program measures in small; what it finds is the published score and its first move."""

import pytest

from tests.benchmarks import othello_fleet


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_both_sides_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    othello_fleet.main(["FFO27", "--rounds", "1"])
    out = capsys.readouterr().out.splitlines()
    assert out[1].split()[0] == "medians"
    assert out[2].split()[0] == "FFO27"
    assert out[3].split()[0] == "together"
    assert all(float(column) > 0 for column in out[3].split()[1:])

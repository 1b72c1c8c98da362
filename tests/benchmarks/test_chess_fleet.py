"""The program measures in small; both sides find the same."""

import pytest

from tests.benchmarks import chess_fleet


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_both_sides_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    chess_fleet.main(["BK2", "--nodes", "60000"])
    out = capsys.readouterr().out
    assert "BK2" in out
    assert "geometric" in out

"""The program in small: that it runs and compares, not how fast."""

import pytest

from tests.benchmarks import othello_midgame


def test_each_way_is_measured_at_each_stage(capsys: pytest.CaptureFixture[str]) -> None:
    othello_midgame.main(["--depth", "3", "--boards", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert "depth 3" in lines[0]
    ways = [" ".join(line.split()[:3]) for line in lines[2:]]
    assert ways == [
        f"{empties} {' '.join(way)}"
        for empties in othello_midgame.EMPTIES
        for way in othello_midgame.WAYS
    ]

"""The program measures in small, and compares what is found."""

import pytest

from tests.benchmarks import hot_spots


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_each_pair_has_its_speed_up(capsys: pytest.CaptureFixture[str]) -> None:
    hot_spots.main(["BK2", "--nodes", "20000", "--processors", "4", "--node-ns", "1000",
                    "--idle-min", "1,2", "--hot-nodes", "256,1024"])  # fmt: skip
    lines = capsys.readouterr().out.splitlines()
    assert "hot after 256" in lines[0]
    assert all(float(cell) > 0 for line in lines[-2:] for cell in line.split()[1:])

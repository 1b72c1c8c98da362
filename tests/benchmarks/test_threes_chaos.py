"""The program runs, makes trouble and finds no difference."""

import pytest

from tests.benchmarks import threes_chaos


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_every_value_is_that_of_one_thread(capsys: pytest.CaptureFixture[str]) -> None:
    threes_chaos.main(count=60, first_seed=11)
    assert capsys.readouterr().out.startswith("60 boards, 0 wrong; analysers ")

"""The program runs, makes trouble and finds no error."""

import pytest

from tests.benchmarks import chess_chaos


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.timeout(240)
def test_every_answer_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    chess_chaos.main(count=3, first_seed=11)
    assert capsys.readouterr().out.startswith("3 positions, 0 wrong; analysers ")

"""The race program in small."""

import pytest

from tests.benchmarks import backgammon_races

np = pytest.importorskip("numpy", reason="the training extra is not installed")


def test_races_are_close_by_their_pips_and_long_by_the_player_on_rolls() -> None:
    board = np.zeros((2, 52), np.uint8)
    board[0, 8] = board[1, 8] = 15  # 120 pips on roll
    board[0, 26 + 8], board[1, 26 + 7] = 15, 15  # 120 and 105
    masks = backgammon_races.kinds(np, board)
    assert masks["close"].tolist() == [True, False]
    assert masks["long"].tolist() == [True, True]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_races_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="the training extra is not installed")
    backgammon_races.main(["--count", "200"])
    assert "ours, close" in capsys.readouterr().out

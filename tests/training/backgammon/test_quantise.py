"""Quantised nets compute what the floating-point nets compute, nearly."""

from itertools import pairwise

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from engine_ext.backgammon.net import net_from_content  # noqa: E402
from engine_ext.backgammon.net_file import NetError, net_to_bytes  # noqa: E402
from training.backgammon.model import EvaluationNet, board_indices  # noqa: E402
from training.backgammon.quantise import logistic_table, quantise  # noqa: E402
from training.backgammon.starts import starts  # noqa: E402


def test_integers_agree_with_the_floats() -> None:
    net = EvaluationNet(512, 3)
    boards = starts(1, 0, 200, 0.9)
    exact = torch.sigmoid(net.logits(*board_indices(boards)).detach()).numpy()
    arrays = quantise({name: p.detach().numpy() for name, p in net.parameters.items()})
    probs = np.empty((200, 5))
    net_from_content(net_to_bytes(arrays)).evaluate_boards(boards.data, probs.data)
    assert np.abs(probs - exact).max() < 0.02
    assert np.abs(probs - exact).mean() < 0.003


def test_table_is_symmetric_and_rises() -> None:
    table = logistic_table()
    assert table[512] == 32768
    assert all(table[512 + i] + table[512 - i] == 65536 for i in range(513))
    assert all(low <= high for low, high in pairwise(table))


def test_weights_beyond_the_integers_are_refused() -> None:
    weights = {name: p.detach().numpy() for name, p in EvaluationNet(256, 3).parameters.items()}
    weights["hidden1"][0, 0] = 2.5
    with pytest.raises(NetError, match="hidden1: 320 is beyond 127"):
        quantise(weights)

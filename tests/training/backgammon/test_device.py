"""The GPU's way to the gradients, on a CPU, against the look-up's."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from training.backgammon.device import DeviceData, device_gradient, one_hot  # noqa: E402
from training.backgammon.model import EvaluationNet, board_indices, loss_of  # noqa: E402
from training.backgammon.shards import probs_of  # noqa: E402
from training.backgammon.starts import starts  # noqa: E402


def test_one_hot_products_are_the_rows_looked_up() -> None:
    net, boards = EvaluationNet(256, 1), starts(1, 0, 50, 0.8)
    found = net.logits(*board_indices(boards)).detach()
    product = net.head(one_hot(torch.from_numpy(boards)) @ net.cumulative_rows()).detach()
    assert (found - product).abs().max() < 1e-4


def test_an_epoch_meets_each_position_once_and_its_loss_is_that_of_the_batch() -> None:
    net, boards = EvaluationNet(256, 1), starts(1, 0, 64, 0.8)
    labels = np.random.default_rng(1).integers(0, 65536, (64, 5)).astype(np.uint16)
    data = DeviceData(boards, labels, seed=3, batch=16, device="cpu")
    met = torch.cat([data.batch(step)[1] for step in range(4, 8)])
    assert sorted(met.tolist()) == sorted(probs_of(labels).tolist())
    inputs, probs = data.batch(5)
    expected = loss_of(net.logits(*board_indices(inputs.numpy())), probs)
    assert float(device_gradient(net, data)(5)) == pytest.approx(float(expected.detach()), rel=1e-5)

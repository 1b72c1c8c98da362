"""The floating-point net: its inputs, and its ranges."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from training.backgammon.model import EvaluationNet, board_indices, loss_of  # noqa: E402
from training.backgammon.starts import standard_start, starts  # noqa: E402


def test_indices_name_the_cumulative_row_of_each_occupied_slot() -> None:
    indices, offsets = board_indices(np.stack([standard_start()] * 2))
    side = [6 * 15 + 4, 8 * 15 + 2, 13 * 15 + 4, 24 * 15 + 1]
    expected = side + [26 * 15 + row for row in side]
    assert indices.tolist() == expected * 2
    assert offsets.tolist() == [0, 8]


def test_equal_seeds_give_equal_nets() -> None:
    inputs = board_indices(starts(1, 0, 5, 1.0))
    first, second, other = (EvaluationNet(256, seed).logits(*inputs) for seed in (1, 1, 2))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


def test_loaded_weights_are_copies_and_must_fit() -> None:
    net, other = EvaluationNet(256, 1), EvaluationNet(256, 2)
    net.load(other.parameters, "cpu")
    assert torch.equal(net.parameters["rows"], other.parameters["rows"])
    assert net.parameters["rows"] is not other.parameters["rows"]
    with pytest.raises(ValueError, match="rows is"):
        net.load(EvaluationNet(512, 1).parameters, "cpu")


def test_clipped_weights_fit_the_integers() -> None:
    net = EvaluationNet(256, 1)
    with torch.no_grad():
        net.parameters["hidden1"] += 5
    net.clip_weights()
    assert float(net.parameters["hidden1"].detach().max()) * 128 == 127


def test_loss_is_zero_at_the_labels() -> None:
    probs = torch.tensor([[0.5, 0.2, 0.1, 0.3, 0.05]])
    assert float(loss_of(torch.logit(probs), probs)) == pytest.approx(0, abs=1e-12)

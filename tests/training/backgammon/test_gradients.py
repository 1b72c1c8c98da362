"""The CPU gradients against PyTorch's."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from training.backgammon import gradients  # noqa: E402
from training.backgammon.model import EvaluationNet, board_indices, loss_of  # noqa: E402
from training.backgammon.shards import probs_of  # noqa: E402
from training.backgammon.starts import starts  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize(("width", "count"), [(256, 37), (512, 8), (512, 100)])
def test_kernel_gradients_equal_pytorchs(width: int, count: int) -> None:
    net = EvaluationNet(width, 1)
    boards = starts(1, 0, 200, 0.8)
    chance = np.random.default_rng(1)
    labels = chance.integers(0, 65536, (200, 5)).astype(np.uint16)
    pick = chance.permutation(200)[:count]
    values = {name: p.detach().numpy() for name, p in net.parameters.items()}
    slopes = {name: np.ones_like(value) for name, value in values.items()}
    loss = gradients.batch_gradients(
        values, slopes, np.empty_like(values["rows"]),
        np.empty(gradients.scratch_floats(width), np.float32), boards, labels, pick,
    )  # fmt: skip
    expected = loss_of(
        net.logits(*board_indices(boards[pick])), torch.from_numpy(probs_of(labels[pick]))
    )
    torch.autograd.backward(expected)
    assert loss == pytest.approx(float(expected.detach()), rel=1e-5)
    for name, parameter in net.parameters.items():
        assert parameter.grad is not None, name
        wanted = parameter.grad.numpy()
        assert np.abs(slopes[name] - wanted).max() <= 2e-5 * np.abs(wanted).max(), name


def test_shapes_that_do_not_fit_are_refused() -> None:
    net = EvaluationNet(256, 1)
    values = {name: p.detach().numpy() for name, p in net.parameters.items()}
    slopes = {name: np.zeros_like(value) for name, value in values.items()}
    scratch = np.zeros(gradients.scratch_floats(256), np.float32)
    boards, labels = np.zeros((4, 52), np.uint8), np.zeros((4, 5), np.uint16)
    cumulative = np.zeros((780, 256), np.float32)
    with pytest.raises(ValueError, match="pick is outside"):
        gradients.batch_gradients(
            values, slopes, cumulative, scratch, boards, labels, np.array([4])
        )
    with pytest.raises(ValueError, match="shapes"):
        gradients.batch_gradients(
            values, slopes, cumulative, scratch[:5], boards, labels, np.array([0])
        )

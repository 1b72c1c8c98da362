"""Nets learn, repeat and resume, and their gradients and quantised forms agree with PyTorch."""

from itertools import pairwise
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from torch import Tensor  # noqa: E402

from engine_ext.backgammon.net import net_from_content  # noqa: E402
from engine_ext.backgammon.net_file import NetError, net_to_bytes  # noqa: E402
from training.backgammon import gradients  # noqa: E402
from training.backgammon.device import DeviceData, device_gradient, one_hot  # noqa: E402
from training.backgammon.model import (  # noqa: E402
    EvaluationNet,
    board_indices,
    loss_of,
)
from training.backgammon.quantise import logistic_table, quantise  # noqa: E402
from training.backgammon.shards import (  # noqa: E402
    Boards,
    Labels,
    labels_of,
    probs_of,
)
from training.backgammon.starts import (  # noqa: E402
    standard_start,
    starts,
)
from training.backgammon.train import Plan, class_boards, train  # noqa: E402

PLAN = Plan(width=256, epochs=4, batch=32, rate=0.002)


def lessons() -> tuple[Boards, Labels]:
    """Pip counts as winning chances."""
    boards = starts(1, 0, 256, 1.0)
    pips = boards.reshape(-1, 2, 26) @ np.arange(26)
    win = 1 / (1 + np.exp((pips[:, 0] - pips[:, 1]) / 20))
    return boards, labels_of(np.stack([win, win / 4, win / 99, win / 5, win / 99], 1))


def weights(net: EvaluationNet) -> list[Tensor]:
    return [parameter.detach() for parameter in net.parameters.values()]


def equal(first: EvaluationNet, second: EvaluationNet) -> bool:
    return all(map(torch.equal, weights(first), weights(second)))


@pytest.mark.slow
def test_equal_plans_give_equal_nets(tmp_path: Path) -> None:
    nets = [train(PLAN, *lessons(), tmp_path / f"{i}.pt", None) for i in range(2)]
    assert equal(*nets)
    assert not equal(nets[0], EvaluationNet(PLAN.width, PLAN.seed))


@pytest.mark.slow
def test_finished_checkpoint_is_the_net(tmp_path: Path) -> None:
    first = train(PLAN, *lessons(), tmp_path / "net.pt", None)
    assert equal(first, train(PLAN, *lessons(), tmp_path / "net.pt", None))


@pytest.mark.slow
def test_training_begins_from_another_checkpoint(tmp_path: Path) -> None:
    first = train(PLAN, *lessons(), tmp_path / "net.pt", None)
    still = Plan(width=256, epochs=0)
    assert equal(first, train(still, *lessons(), tmp_path / "next.pt", tmp_path / "net.pt"))


def test_classes_share_the_positions_out() -> None:
    boards, labels = lessons()
    contact, _ = class_boards(boards, labels, "contact")
    race, _ = class_boards(boards, labels, "race")
    assert len(contact) + len(race) == len(boards)
    assert len(contact) > 200


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

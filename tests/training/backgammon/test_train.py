"""Training: learns, repeats, resumes."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from torch import Tensor  # noqa: E402

from training.backgammon.model import EvaluationNet  # noqa: E402
from training.backgammon.shards import Boards, Labels, labels_of  # noqa: E402
from training.backgammon.starts import starts  # noqa: E402
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

"""Gradients on a GPU: all data lives there, and each step is a few large matrix products.

A board is looked up in the cumulative rows by a one-hot matrix, which a
GPU multiplies faster than it gathers.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from training.backgammon.model import LEVELS, SLOTS, EvaluationNet, loss_of
from training.backgammon.shards import Boards, Labels, probs_of

UPLOAD = 4_000_000
"""Boards whose labels are unpacked at once: bounds the memory of the host."""


def one_hot(boards: Tensor) -> Tensor:
    """Turn boards uint8 [n, 52] into float32 [n, 780]: one where the slot holds that many."""
    levels = torch.arange(1, LEVELS + 1, dtype=torch.uint8, device=boards.device)
    return (boards.unsqueeze(2) == levels).view(-1, SLOTS * LEVELS).float()


class DeviceData:
    """Boards and labels on a device, and each epoch's order of them.

    The order is a pure function of the seed and the epoch, on one kind of device.
    """

    def __init__(self, boards: Boards, labels: Labels, seed: int, batch: int, device: str) -> None:
        self._boards = torch.from_numpy(boards).to(device)
        parts = [
            torch.from_numpy(probs_of(labels[i : i + UPLOAD])).to(device)
            for i in range(0, len(labels), UPLOAD)
        ]
        self._probs = torch.cat(parts)
        self._seed = seed
        self._batch = batch
        self._epoch = -1
        self._order = torch.empty(0)

    def batch(self, step: int) -> tuple[Tensor, Tensor]:
        """Return the boards and probabilities of one step."""
        epoch, place = divmod(step, len(self._boards) // self._batch)
        if epoch != self._epoch:
            device = self._boards.device
            generator = torch.Generator(device).manual_seed(self._seed * 1_000_003 + epoch)
            self._order = torch.randperm(len(self._boards), generator=generator, device=device)
            self._epoch = epoch
        pick = self._order[place * self._batch : (place + 1) * self._batch]
        return self._boards[pick], self._probs[pick]


def device_gradient(net: EvaluationNet, data: DeviceData) -> Callable[[int], Tensor]:
    """Return a function that fills the parameters' .grad for a step and returns its loss."""
    torch.set_float32_matmul_precision("high")

    def gradient(step: int) -> Tensor:
        boards, probs = data.batch(step)
        for parameter in net.parameters.values():
            parameter.grad = None
        loss = loss_of(net.head(one_hot(boards) @ net.cumulative_rows()), probs)
        torch.autograd.backward(loss)
        return loss.detach()

    return gradient

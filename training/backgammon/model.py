"""The net as PyTorch trains it, in floating point.

Knows the architecture of net_kernel.h and the ranges its integers allow.  Must
not know data files or schedules.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

SLOTS = 52
LEVELS = 15
HIDDEN = 32
OUTPUTS = 5
# What int8 at scale 128 and int16 at scale 1024 can hold; the second leaves room for sums.
# Steps of the integers that the kernels hold; training rounds to them on the way forward and
# lets gradients pass, so that it learns what will be shipped.
ACCUMULATOR_ONE = 255
HIDDEN1_ONE = 128
WEIGHT_MAX = {"hidden1": 127 / 128, "hidden2": 15.0, "output": 15.0}

ROBUST = 0.0025
"""Squared error beyond which a board's loss grows as the error, no longer as its square: boards out
of the ordinary must not take the net's strength.  gradient_kernel.c has the same."""

EQUITY_WEIGHTS = (2.0, 1.0, 1.0, -1.0, -1.0)
"""Equity = these times the five probabilities, minus one."""


def _rounded(numbers: Tensor, one: int) -> Tensor:
    """Round to multiples of 1 / one; gradients pass unchanged."""
    return numbers + ((numbers * one).round() / one - numbers).detach()


class EvaluationNet:
    """Thermometer inputs, a wide clipped layer multiplied in pairs, two small layers, logits.

    `parameters` maps the names of net_file.py's sections to tensors.
    """

    def __init__(self, width: int, seed: int) -> None:
        """Draw initial weights from `seed`: first-layer sums begin inside the clipping range."""
        generator = torch.Generator().manual_seed(seed)
        half = width // 2

        def normal(rows: int, columns: int, deviation: float) -> Tensor:
            return torch.randn(rows, columns, generator=generator) * deviation

        self.width = width
        self.parameters = {
            "rows": normal(SLOTS * LEVELS, width, 0.07),
            "accumulator_bias": torch.full((width,), 0.35),
            "hidden1": normal(half, HIDDEN, half**-0.5),
            "hidden1_bias": torch.full((HIDDEN,), 0.3),
            "hidden2": normal(HIDDEN, HIDDEN, (2 / HIDDEN) ** 0.5),
            "hidden2_bias": torch.full((HIDDEN,), 0.2),
            "output": normal(HIDDEN, OUTPUTS, (1 / HIDDEN) ** 0.5),
            "output_bias": torch.tensor([0.0, -1.0, -4.0, -1.0, -4.0]),
        }
        for parameter in self.parameters.values():
            parameter.requires_grad_()

    def load(self, weights: dict[str, Tensor], device: str) -> None:
        """Take over weights of the same shapes, and live on `device`."""
        for name, own in self.parameters.items():
            if own.shape != weights[name].shape:
                raise ValueError(f"{name} is {weights[name].shape}, not {own.shape}")
            self.parameters[name] = weights[name].detach().to(device).clone().requires_grad_()

    def cumulative_rows(self) -> Tensor:
        """Sum the thermometer rows of each slot: [slot * 15 + count - 1, width]."""
        rows = self.parameters["rows"].view(SLOTS, LEVELS, self.width)
        return _rounded(rows.cumsum(1).view(-1, self.width), ACCUMULATOR_ONE)

    def logits(self, indices: Tensor, offsets: Tensor) -> Tensor:
        """Return logits [n, 5] of boards given as `board_indices`."""
        return self.head(
            functional.embedding_bag(indices, self.cumulative_rows(), offsets, mode="sum")
        )

    def head(self, bag: Tensor) -> Tensor:
        """Return logits [n, 5] of the boards whose rows add up to `bag` [n, width]."""
        p = self.parameters
        clipped = (bag + p["accumulator_bias"]).clamp(0, 1)
        half = self.width // 2
        product = clipped[:, :half] * clipped[:, half:]
        hidden = torch.addmm(p["hidden1_bias"], product, _rounded(p["hidden1"], HIDDEN1_ONE)).clamp(
            0, 1
        )
        hidden = torch.addmm(p["hidden2_bias"], hidden, p["hidden2"]).clamp(0, 1)
        return torch.addmm(p["output_bias"], hidden, p["output"])

    def clip_weights(self) -> None:
        """Keep weights in the range of the integers."""
        with torch.no_grad():
            for name, top in WEIGHT_MAX.items():
                self.parameters[name].clamp_(-top, top)


_SLOT_BASE = (np.arange(SLOTS, dtype=np.int32) * LEVELS - 1)[None, :]


def board_indices(boards: NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
    """Turn boards [n, 52] into row indices and the offset of each board's first."""
    occupied = boards > 0
    indices = (boards + _SLOT_BASE)[occupied].astype(np.int32)
    counts = occupied.sum(1)
    offsets = np.zeros(len(boards), np.int32)
    np.cumsum(counts[:-1], out=offsets[1:])
    return torch.from_numpy(indices), torch.from_numpy(offsets)


def loss_of(logits: Tensor, probs: Tensor) -> Tensor:
    """Squared error of the probabilities and the equity, growing linearly beyond ROBUST."""
    difference = torch.sigmoid(logits) - probs
    equity = difference @ torch.tensor(EQUITY_WEIGHTS, device=logits.device)
    squares = difference.square().sum(1) + 0.5 * equity.square()
    return (2 * ROBUST * ((1 + squares / ROBUST).sqrt() - 1)).mean()

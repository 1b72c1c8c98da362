"""Train a net; resumable and seeded.

Gradients come from the CPU kernel, or from PyTorch where a GPU is asked for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.backgammon import games, gradients
from training.backgammon.device import DeviceData, device_gradient
from training.backgammon.model import EvaluationNet
from training.backgammon.shards import Boards, Labels

CHECKPOINT_STEPS = 2000
REPORT_STEPS = 1000

Pick = NDArray[np.int64]
Gradient = Callable[[int], Tensor]  # of a step: fills .grad, returns the loss


@dataclass(frozen=True)
class Plan:
    """One training run; equal plans on equal data on one machine give equal nets."""

    width: int = 512
    seed: int = 1
    epochs: float = 20.0
    batch: int = 4096
    rate: float = 0.006
    rate_end: float = 0.0
    weight_decay: float = 1e-4
    device: str = "cpu"


def class_boards(boards: Boards, labels: Labels, position_class: str) -> tuple[Boards, Labels]:
    """Keep the positions that the net of a class ("contact" or "race") learns from."""
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    kept = classes == 0 if position_class == "contact" else classes > 0
    return boards[kept], labels[kept]


def _kernel_gradient(plan: Plan, net: EvaluationNet, boards: Boards, labels: Labels) -> Gradient:
    """Let the CPU kernel fill the parameters' .grad."""
    slopes = {name: np.zeros(tuple(p.shape), np.float32) for name, p in net.parameters.items()}
    values = {name: p.detach().numpy() for name, p in net.parameters.items()}
    for name, parameter in net.parameters.items():
        parameter.grad = torch.from_numpy(slopes[name])
    cumulative = np.zeros_like(values["rows"])
    scratch = np.zeros(gradients.scratch_floats(net.width), np.float32)

    def gradient(step: int) -> Tensor:
        pick = _pick(plan, len(boards), step)
        loss = gradients.batch_gradients(values, slopes, cumulative, scratch, boards, labels, pick)
        return torch.tensor(loss)

    return gradient


def _rate(plan: Plan, share: float) -> float:
    """Cosine decay from rate to rate_end over the run, after a short warm-up."""
    warm = min(1.0, share / 0.005 + 0.05)
    cosine = 0.5 * (1 + math.cos(math.pi * share))
    return warm * (plan.rate_end + (plan.rate - plan.rate_end) * cosine)


def _pick(plan: Plan, size: int, step: int) -> Pick:
    """Return the positions of one step: each epoch is a fresh permutation from the seed."""
    steps = size // plan.batch
    epoch, place = divmod(step, steps)
    order = _permutation(plan.seed, epoch, size)
    return order[place * plan.batch : (place + 1) * plan.batch]


_last_permutation: dict[tuple[int, int, int], Pick] = {}


def _permutation(seed: int, epoch: int, size: int) -> Pick:
    key = (seed, epoch, size)
    if key not in _last_permutation:
        _last_permutation.clear()
        _last_permutation[key] = np.random.default_rng([seed, epoch]).permutation(size)
    return _last_permutation[key]


def _save(path: Path, state: dict[str, Any]) -> None:
    aside = path.with_suffix(".part")
    torch.save(state, aside)
    aside.rename(path)


def train(
    plan: Plan, boards: Boards, labels: Labels, path: Path, start: Path | None
) -> EvaluationNet:
    """Train and keep a checkpoint at `path`; goes on from it if it is there.

    Args:
        start: a finished checkpoint to begin with instead of random weights.  Its moments are
            kept: with fresh ones the rows of rare inputs take steps as large as the others',
            and a short run never mends them.
    """
    torch.set_num_threads(1)
    net = EvaluationNet(plan.width, plan.seed)
    state = torch.load(path, map_location=plan.device) if path.exists() else None
    begin = (
        torch.load(start, map_location=plan.device)
        if start is not None and state is None
        else state
    )
    net.load(begin["net"] if begin is not None else net.parameters, plan.device)
    optimiser = torch.optim.AdamW(
        net.parameters.values(), lr=plan.rate, weight_decay=plan.weight_decay, fused=True
    )
    if begin is not None:
        optimiser.load_state_dict(begin["optimiser"])
    step = state["step"] if state is not None else 0
    if plan.device == "cpu":
        gradient = _kernel_gradient(plan, net, boards, labels)
    else:
        data = DeviceData(boards, labels, plan.seed, plan.batch, plan.device)
        gradient = device_gradient(net, data)
    total = int(plan.epochs * (len(boards) // plan.batch))
    losses: list[Tensor] = []
    while step < total:
        for group in optimiser.param_groups:
            group["lr"] = _rate(plan, step / total)
        losses.append(gradient(step))
        optimiser.step()
        net.clip_weights()
        step += 1
        if step % REPORT_STEPS == 0:
            loss = float(torch.stack(losses).mean())
            losses.clear()
            print(f"step {step}/{total}: loss {loss:.6f}", flush=True)
        if step % CHECKPOINT_STEPS == 0 or step == total:
            weights = {name: p.detach().cpu() for name, p in net.parameters.items()}
            _save(path, {"net": weights, "optimiser": optimiser.state_dict(), "step": step})
    return net

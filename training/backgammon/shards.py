"""Training data on disk: numbered shards of positions, and labels beside them.

Knows names and formats only.  A data directory holds

    positions/00000.npy          uint8 [n, 52], the player on roll first, no duplicates
    labels/TEACHER/00000.npy     uint16 [n, 5], 65535 = 1.0, cumulative, of the player on roll

Files appear whole (written aside, then renamed), so an interrupted command is
resumed by running it again.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.uint8]
Labels = NDArray[np.uint16]
Probs = NDArray[np.float64]

_SCALE = 65535


def position_path(directory: Path, number: int) -> Path:
    """Return where shard `number` has its positions."""
    return directory / "positions" / f"{number:05d}.npy"


def label_path(directory: Path, teacher: str, number: int) -> Path:
    """Return where shard `number` has `teacher`'s labels."""
    return directory / "labels" / teacher / f"{number:05d}.npy"


def save_whole(path: Path, numbers: NDArray[np.generic]) -> None:
    """Write an array so that it is there wholly or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".part")
    with aside.open("wb") as file:
        np.save(file, numbers)
    aside.rename(path)


def shard_numbers(directory: Path) -> list[int]:
    """List the shards that have positions."""
    return sorted(int(path.stem) for path in (directory / "positions").glob("*.npy"))


def labels_of(probs: Probs) -> Labels:
    """Pack probabilities."""
    return np.rint(np.clip(probs, 0, 1) * _SCALE).astype(np.uint16)


def probs_of(labels: Labels) -> NDArray[np.float32]:
    """Unpack probabilities."""
    return (labels / np.float32(_SCALE)).astype(np.float32)


def load_labelled(directory: Path, names: Sequence[str], shards: range) -> tuple[Boards, Labels]:
    """Load the labelled shards in order.

    Args:
        names: of labels, best first; a position takes the first that it has.
    """
    boards: list[Boards] = []
    labels: list[Labels] = []
    for number in shard_numbers(directory):
        found = _best_labels(directory, names, number) if number in shards else None
        if found is not None:
            labels.append(found)
            boards.append(np.load(position_path(directory, number))[: len(found)])
    if not boards:
        raise FileNotFoundError(f"no positions labelled {' or '.join(names)} under {directory}")
    return np.concatenate(boards), np.concatenate(labels)


def _best_labels(directory: Path, names: Sequence[str], number: int) -> Labels | None:
    """Put the labels of one shard together; None if it has none."""
    merged: Labels | None = None
    for name in reversed(names):
        path = label_path(directory, name, number)
        if path.exists():
            labels: Labels = np.load(path)
            if merged is None or len(labels) >= len(merged):
                merged = labels
            else:
                merged[: len(labels)] = labels
    return merged

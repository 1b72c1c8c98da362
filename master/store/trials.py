"""Trial results as blobs: runs of consecutive trials, exact to the bit.

A blob has little-endian IEEE doubles, trial after trial, every trial's values in the job's order.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

TrialValues = tuple[float, ...]
RUN_TRIALS_MAX = 4096
"""No run grows further: 4,096 trials of 7 values are 230 kB of one row."""


class TrialRun(NamedTuple):
    """Consecutive trials: the values of first_seq, first_seq + 1, ..."""

    first_seq: int
    values: Sequence[TrialValues]


def merged(runs: Iterable[TrialRun]) -> list[TrialRun]:
    """Return the runs in seq order, neighbours joined; of twin trials the first given counts."""
    joined: list[TrialRun] = []
    row: list[TrialValues] = []
    first = 0
    for run in without_twins(sorted(runs, key=_first_seq)):
        if row and (run.first_seq != first + len(row) or len(row) >= RUN_TRIALS_MAX):
            joined.append(TrialRun(first, row))
            row = []
        if not row:
            first = run.first_seq
        row += run.values
    if row:
        joined.append(TrialRun(first, row))
    return joined


def _first_seq(run: TrialRun) -> int:
    return run.first_seq


def to_blob(values: Sequence[TrialValues]) -> bytes:
    """Return the trials' values as bytes."""
    flat = [value for trial in values for value in trial]
    return struct.pack(f"<{len(flat)}d", *flat)


def from_blob(blob: bytes, trial_count: int) -> tuple[TrialValues, ...]:
    """Return the values that were packed.

    Raises:
        ValueError: the blob does not divide into so many trials.
    """
    value_count, rest = divmod(len(blob), 8 * trial_count) if trial_count > 0 else (0, 1)
    if rest or value_count == 0:
        raise ValueError(f"{len(blob)} bytes are not {trial_count} trials")
    flat = struct.unpack(f"<{value_count * trial_count}d", blob)
    return tuple(flat[i : i + value_count] for i in range(0, len(flat), value_count))


def patched(blob: bytes, index: int, values: TrialValues) -> bytes:
    """Return the blob with the values of one of its trials replaced."""
    part = to_blob([values])
    return blob[: index * len(part)] + part + blob[(index + 1) * len(part) :]


def without_twins(runs: Iterable[TrialRun]) -> Iterator[TrialRun]:
    """Yield runs given in seq order, every seq once; of twins the earlier run's counts."""
    next_seq = 0
    for run in runs:
        skipped = max(0, next_seq - run.first_seq)
        if skipped < len(run.values):
            yield TrialRun(run.first_seq + skipped, run.values[skipped:])
        next_seq = max(next_seq, run.first_seq + len(run.values))

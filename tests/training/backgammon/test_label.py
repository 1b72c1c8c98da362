"""Teachers and labelling."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from training.backgammon.label import (  # noqa: E402
    bgsage_teacher,
    label,
    lookahead_teacher,
    without_impossible_gammons,
)
from training.backgammon.shards import (  # noqa: E402
    Boards,
    Probs,
    label_path,
    position_path,
    save_whole,
)
from training.backgammon.starts import starts  # noqa: E402


def half(boards: Boards) -> Probs:
    probs: Probs = np.full((len(boards), 5), 0.5)
    return probs


def test_labels_are_written_once(tmp_path: Path) -> None:
    save_whole(position_path(tmp_path, 0), starts(1, 0, 30, 0.5))
    label(tmp_path, "half", half, range(5), 20)
    path = label_path(tmp_path, "half", 0)
    assert np.load(path).shape == (20, 5)
    stamp = path.stat().st_mtime_ns
    label(tmp_path, "half", half, range(5), 30)
    assert path.stat().st_mtime_ns == stamp


def test_shards_outside_the_range_are_left_out(tmp_path: Path) -> None:
    save_whole(position_path(tmp_path, 0), starts(1, 0, 3, 0.5))
    label(tmp_path, "half", half, range(1, 5), 20)
    assert not label_path(tmp_path, "half", 0).exists()


def test_look_ahead_teaches_cumulative_probabilities() -> None:
    probs = lookahead_teacher(shared_evaluator())(starts(1, 0, 5, 0.8))
    assert probs.shape == (5, 5)
    assert ((probs >= 0) & (probs <= 1)).all()


def test_a_side_that_bore_off_loses_no_gammon() -> None:
    boards = np.zeros((3, 52), np.uint8)
    boards[1, 0] = boards[2, 26] = 1
    probs = without_impossible_gammons(boards, half(boards)).tolist()
    assert probs == [[0.5] * 5, [0.5, 0.5, 0.5, 0, 0], [0.5, 0, 0, 0.5, 0.5]]


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("plies", [1, 2])
def test_bgsage_reads_our_boards_as_we_do(plies: int) -> None:
    """A board set up wrongly would differ by far more; bars and both sides are among them."""
    pytest.importorskip("bgsage", reason="the training extra is not installed")
    boards = starts(5, 0, 60, 0.9)
    theirs, ours = bgsage_teacher(plies)(boards), lookahead_teacher(shared_evaluator())(boards)
    assert np.abs(theirs[:, 0] - ours[:, 0]).mean() < 0.05

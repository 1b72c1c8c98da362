"""Training data on disk."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from training.backgammon.shards import (  # noqa: E402
    label_path,
    labels_of,
    load_labelled,
    position_path,
    probs_of,
    save_whole,
    shard_numbers,
)


def write_shards(directory: Path) -> None:
    for number in (0, 1, 3):
        save_whole(position_path(directory, number), np.full((4, 52), number, np.uint8))
        save_whole(label_path(directory, "plain", number), np.full((4, 5), number, np.uint16))
    save_whole(label_path(directory, "better", 1), np.full((2, 5), 9, np.uint16))


def test_labels_round_trip_to_one_part_in_65535() -> None:
    probs = np.array([[0.0, 1.0, 0.5, 1 / 3, 1e-6]])
    assert np.abs(probs_of(labels_of(probs)) - probs).max() < 1 / 65535


def test_shards_are_loaded_in_order(tmp_path: Path) -> None:
    write_shards(tmp_path)
    boards, labels = load_labelled(tmp_path, ["plain"], range(10))
    assert shard_numbers(tmp_path) == [0, 1, 3]
    assert boards[:, 0].tolist() == labels[:, 0].tolist() == [0] * 4 + [1] * 4 + [3] * 4


def test_a_position_takes_the_first_label_it_has(tmp_path: Path) -> None:
    write_shards(tmp_path)
    _, labels = load_labelled(tmp_path, ["better", "plain"], range(1, 2))
    assert labels[:, 0].tolist() == [9, 9, 1, 1]
    _, labels = load_labelled(tmp_path, ["better"], range(10))
    assert labels[:, 0].tolist() == [9, 9]


def test_no_labels_is_a_clear_error(tmp_path: Path) -> None:
    write_shards(tmp_path)
    with pytest.raises(FileNotFoundError, match="no positions labelled none"):
        load_labelled(tmp_path, ["none"], range(10))


def test_nothing_half_written_is_left_under_the_name(tmp_path: Path) -> None:
    save_whole(tmp_path / "deep" / "x.npy", np.zeros(3))
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["x.npy"]

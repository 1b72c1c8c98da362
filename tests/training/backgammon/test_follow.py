"""Followed shards: positions with labels beside them, reproducible, resumable."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from training.backgammon import games  # noqa: E402
from training.backgammon.follow import Trail, follow, follow_shard  # noqa: E402
from training.backgammon.shards import (  # noqa: E402
    label_path,
    position_path,
    save_whole,
)
from training.backgammon.starts import race_start, starts  # noqa: E402

TRAIL = Trail(most=60, position_class="race")


def test_a_shard_is_a_function_of_its_number() -> None:
    sources = starts(1, 0, 30, 1.0, race_start)
    boards, labels = follow_shard(shared_evaluator(), sources, 0, TRAIL)
    again, labels_again = follow_shard(shared_evaluator(), sources, 0, TRAIL)
    assert np.array_equal(boards, again)
    assert np.array_equal(labels, labels_again)
    assert len(boards) == len(labels) == TRAIL.most
    assert not np.array_equal(boards, follow_shard(shared_evaluator(), sources, 1, TRAIL)[0])


def test_contact_paths_end_where_races_begin() -> None:
    sources = starts(1, 0, 1, 0.0)
    boards, _ = follow_shard(shared_evaluator(), sources, 0, Trail(most=150))
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    assert len(boards) > 15
    assert not classes.any()


def test_shards_that_are_there_are_left_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    save_whole(position_path(source, 0), starts(1, 0, 20, 1.0, race_start))
    follow(shared_evaluator(), source, target, range(9), TRAIL)
    stamp = label_path(target, TRAIL.name, 0).stat().st_mtime_ns
    follow(shared_evaluator(), source, target, range(9), TRAIL)
    assert label_path(target, TRAIL.name, 0).stat().st_mtime_ns == stamp
    assert len(np.load(position_path(target, 0))) == len(np.load(label_path(target, TRAIL.name, 0)))

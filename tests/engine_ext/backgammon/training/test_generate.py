"""Generated shards: unlike positions, reproducible, resumable."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.training.generate import generate, make_shard  # noqa: E402
from engine_ext.backgammon.training.shards import position_path  # noqa: E402


@pytest.mark.slow
def test_shard_has_unlike_positions_and_is_a_function_of_its_number() -> None:
    first = make_shard(None, 1, 0, 3000, 0.5, 8)
    assert len(np.unique(first, axis=0)) == len(first) == 3000
    assert np.array_equal(first, make_shard(None, 1, 0, 3000, 0.5, 8))
    assert not np.array_equal(first, make_shard(None, 1, 1, 3000, 0.5, 8))


@pytest.mark.slow
def test_shards_that_are_there_are_left_alone(tmp_path: Path) -> None:
    generate(tmp_path, None, 1, range(1), 100, 0.5, 8)
    stamp = position_path(tmp_path, 0).stat().st_mtime_ns
    generate(tmp_path, None, 1, range(2), 100, 0.5, 8)
    assert position_path(tmp_path, 0).stat().st_mtime_ns == stamp
    assert position_path(tmp_path, 1).exists()

"""Generated shards: unlike positions, reproducible, resumable."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from training.backgammon import games  # noqa: E402
from training.backgammon.generate import Recipe, generate, make_shard  # noqa: E402
from training.backgammon.shards import position_path  # noqa: E402


@pytest.mark.slow
def test_shard_has_unlike_positions_and_is_a_function_of_its_number() -> None:
    recipe = Recipe(size=3000)
    first = make_shard(None, 1, 0, recipe)
    assert len(np.unique(first, axis=0)) == len(first)
    assert 2900 < len(first) <= 3000
    assert np.array_equal(first, make_shard(None, 1, 0, recipe))
    assert not np.array_equal(first, make_shard(None, 1, 1, recipe))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wanted"), [("contact", {0}), ("race", {1, 2})])
def test_shard_keeps_to_its_class(name: str, wanted: set[int]) -> None:
    boards = make_shard(None, 1, 0, Recipe(size=1000, position_class=name))
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    assert set(classes.tolist()) <= wanted


@pytest.mark.slow
def test_shards_that_are_there_are_left_alone(tmp_path: Path) -> None:
    generate(tmp_path, None, 1, range(1), Recipe(size=100))
    stamp = position_path(tmp_path, 0).stat().st_mtime_ns
    generate(tmp_path, None, 1, range(2), Recipe(size=100))
    assert position_path(tmp_path, 0).stat().st_mtime_ns == stamp
    assert position_path(tmp_path, 1).exists()

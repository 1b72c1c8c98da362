"""Starts, generated and followed shards are functions of their number, kept whole on disk."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.board import START, Position  # noqa: E402
from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from training.backgammon import games  # noqa: E402
from training.backgammon.follow import Trail, follow, follow_shard  # noqa: E402
from training.backgammon.generate import Recipe, generate, make_shard  # noqa: E402
from training.backgammon.shards import (  # noqa: E402
    label_path,
    labels_of,
    load_labelled,
    position_path,
    probs_of,
    save_whole,
    shard_numbers,
)
from training.backgammon.starts import race_start, standard_start, starts  # noqa: E402


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


def test_standard_start_is_the_start() -> None:
    assert standard_start().tolist() == [*START.on_roll, *START.opponent]


def test_every_start_is_a_valid_unfinished_position() -> None:
    for board in starts(3, 0, 300, 1.0):
        assert Position(board[:26].tolist(), board[26:].tolist()).result == 0


def test_a_start_depends_on_its_number_only() -> None:
    assert np.array_equal(starts(3, 10, 20, 0.5), starts(3, 0, 30, 0.5)[10:])
    assert not np.array_equal(starts(3, 0, 20, 1.0), starts(4, 0, 20, 1.0))


def test_special_share_is_kept() -> None:
    standard = (starts(1, 0, 400, 0.25) == standard_start()).all(1).mean()
    assert 0.68 < standard < 0.82


def test_back_games_are_among_the_special_starts() -> None:
    boards = starts(2, 0, 300, 1.0)
    anchors = np.maximum(*((boards[:, s + 20 : s + 25] >= 2).sum(1) for s in (0, 26)))
    assert (anchors >= 2).mean() > 0.2


def test_race_starts_are_races_many_of_them_close() -> None:
    boards = starts(1, 0, 300, 1.0, race_start)
    assert all(Position(b[:26].tolist(), b[26:].tolist()).is_race for b in boards)
    pips = boards.reshape(-1, 2, 26) @ np.arange(26)
    assert (np.abs(pips[:, 0] - pips[:, 1]) <= 10).mean() > 0.5
    assert ((pips > 80) & (pips < 110)).mean() > 0.25


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


def test_followed_shards_that_are_there_are_left_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    save_whole(position_path(source, 0), starts(1, 0, 20, 1.0, race_start))
    follow(shared_evaluator(), source, target, range(9), TRAIL)
    stamp = label_path(target, TRAIL.name, 0).stat().st_mtime_ns
    follow(shared_evaluator(), source, target, range(9), TRAIL)
    assert label_path(target, TRAIL.name, 0).stat().st_mtime_ns == stamp
    assert len(np.load(position_path(target, 0))) == len(np.load(label_path(target, TRAIL.name, 0)))

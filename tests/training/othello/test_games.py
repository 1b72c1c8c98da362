"""Games in bulk, plain and searched, have the positions and labels of single boards."""

from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.control import RunControl  # noqa: E402
from engine_ext.othello.board import OthelloBoard  # noqa: E402
from engine_ext.othello.evaluation import MobilityEvaluation  # noqa: E402
from engine_ext.othello.patterns import load_patterns  # noqa: E402
from engine_ext.othello.search import DepthSearch  # noqa: E402
from engine_ext.othello.solving import solve  # noqa: E402
from engine_ext.othello.table import HashTable  # noqa: E402
from tests.engine_ext.othello.pattern_weights import random_evaluation  # noqa: E402
from training.othello import strong_games  # noqa: E402
from training.othello.positions import (  # noqa: E402
    label_by_search,
    label_exactly,
    play_games,
)
from training.othello.strong_games import (  # noqa: E402
    Batch,
    Manner,
    blended,
    empty_batch,
    load_batch,
    play_batches,
    played,
)


def games(first: int, count: int, seed: int = 5):  # type: ignore[no-untyped-def]
    boards = np.zeros((count, 61, 2), np.uint64)
    play_games(
        MobilityEvaluation(), seed, first, boards, random_plies_max=20, random_one_in=10, noise=30
    )
    return boards


def board_of(words) -> OthelloBoard:  # type: ignore[no-untyped-def]
    return OthelloBoard(int(words[0]), int(words[1]))


def test_games_do_not_depend_on_how_many_are_played() -> None:
    together = games(0, 20)
    assert (games(7, 5) == together[7:12]).all()
    assert (games(0, 20, seed=6) != together).any()


def test_each_position_follows_from_the_one_before() -> None:
    for game in games(0, 10):
        assert board_of(game[60]).canonical() == OthelloBoard.start().canonical()
        previous = None
        for empties in range(60, 0, -1):
            if not game[empties].any():
                continue
            board = board_of(game[empties])
            assert board.empties == empties
            assert board.moves()
            if previous is not None:
                after = [previous.play(move) for move in previous.moves()]
                words = {(a.player, a.opponent) for a in after}
                words |= {(a.opponent, a.player) for a in after if a.must_pass}
                assert (board.player, board.opponent) in words
            previous = board


@pytest.mark.slow
def test_exact_labels_are_the_games_values() -> None:
    boards = np.ascontiguousarray(games(0, 30)[:, 7])
    boards = boards[boards.any(axis=1)]
    values = np.zeros(len(boards), np.int16)
    assert label_exactly(boards, values) == len(boards)
    for row, value in zip(boards, values.tolist(), strict=True):
        search = DepthSearch(
            board_of(row), 7, table=HashTable(1 << 14), evaluation=random_evaluation()
        )
        search.run()
        assert search.value == value


@pytest.mark.parametrize("depth", [0, 2, 5])
def test_labels_by_search_are_the_searches_values(depth: int) -> None:
    boards = np.ascontiguousarray(games(0, 12)[:, 30])
    values = np.zeros(len(boards), np.int16)
    assert label_by_search(random_evaluation(), boards, depth, values) == len(boards)
    for row, value in zip(boards, values.tolist(), strict=True):
        search = DepthSearch(
            board_of(row), depth, table=HashTable(1 << 14), evaluation=random_evaluation()
        )
        search.run()
        assert search.value == value


def test_stopped_labelling_says_how_far_it_came() -> None:
    control = RunControl()
    control.stop()
    boards, values = np.zeros((3, 2), np.uint64), np.zeros(3, np.int16)
    assert label_exactly(boards, values, control) == 0
    assert label_by_search(random_evaluation(), boards, 2, values, control) == 0


def test_other_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="61, 2"):
        play_games(
            MobilityEvaluation(), 1, 0, np.zeros((1, 5, 2), np.uint64),
            random_plies_max=0, random_one_in=0, noise=0,
        )  # fmt: skip
    with pytest.raises(ValueError, match="depth is 0 to 60"):
        label_by_search(random_evaluation(), np.zeros((1, 2), np.uint64), 61, np.zeros(1, np.int16))


MANNER = Manner(depth=2, side_depth=2, exact=8, random_plies_max=8, random_one_in=6)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 6)


def equal(one: Batch, other: Batch) -> bool:
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(Batch)
    )


def successors(board: OthelloBoard) -> set[tuple[int, int, int]]:
    """What may follow: the words of the next player, and -1, or 1 after a pass."""
    after = [board.play(move) for move in board.moves()]
    return {(b.opponent, b.player, 1) if b.must_pass else (b.player, b.opponent, -1) for b in after}


def test_positions_follow_each_other_and_exact_values_are_the_solvers() -> None:
    batch = played(load_patterns(), MANNER, 3)
    for game in range(6):
        there = [left for left in range(60, 0, -1) if batch.boards[game, left].any()]
        for left, after in pairwise(there):
            board = board_of(batch.boards[game, left])
            assert board.empties == left == after + 1
            words = {found[:2] for found in successors(board)}
            assert tuple(batch.boards[game, after].tolist()) in words
            link = int(batch.links[game, left])
            assert not link or (*batch.boards[game, after].tolist(), link) in successors(board)
        for left in range(1, MANNER.exact + 1):
            for boards, values in (
                (batch.boards, batch.values), (batch.side_boards, batch.side_values),
            ):  # fmt: skip
                if boards[game, left].any():
                    assert values[game, left] == 100 * solve(board_of(boards[game, left])).score


def test_exact_values_agree_along_best_moves() -> None:
    batch = played(load_patterns(), MANNER, 4)
    for left in range(2, MANNER.exact + 1):
        link = batch.links[:, left].astype(int)
        follows = link * batch.values[:, left - 1]
        assert (follows[link != 0] == batch.values[link != 0, left]).all()


def test_games_can_be_left_before_their_end_and_without_moves_not_played() -> None:
    batch = played(load_patterns(), replace(MANNER, side_depth=0, left_at=20), 3)
    whole = played(load_patterns(), replace(MANNER, side_depth=0), 3)
    assert not batch.side_boards.any()
    assert not batch.boards[:, :20].any()
    assert (batch.boards[:, 20:] == whole.boards[:, 20:]).all()
    assert (batch.values[:, 20:] == whole.values[:, 20:]).all()
    assert not batch.links[:, 20].any()


def test_labels_blend_what_follows_as_far_as_it_is_linked() -> None:
    batch = empty_batch(1)
    batch.values[0, 1:5] = 400, -200, 600, 1000
    batch.links[0, 1:5] = 0, -1, 1, 0
    labels = blended(batch, 0.5)
    assert labels[0, 1:5].tolist() == [400, -300, 150, 1000]
    assert (blended(batch, 0)[0] == batch.values[0]).all()
    assert blended(batch, 1)[0, 3] == -400


@pytest.mark.slow
def test_batches_are_kept_and_made_again_bit_for_bit(tmp_path: Path) -> None:
    player = load_patterns()
    made = list(play_batches(tmp_path, player, MANNER, range(2)))
    assert [path.name for path in made] == ["0.npz", "1.npz"]
    made[1].unlink()
    assert list(play_batches(tmp_path, player, MANNER, range(2))) == made[1:]
    first, second = load_batch(made[0]), load_batch(made[1])
    assert equal(second, played(player, MANNER, 1))
    assert not equal(first, second)

"""Games and labels in bulk against the searches of single boards."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.control import RunControl  # noqa: E402
from engine_ext.othello.board import OthelloBoard  # noqa: E402
from engine_ext.othello.evaluation import MobilityEvaluation  # noqa: E402
from engine_ext.othello.search import DepthSearch  # noqa: E402
from engine_ext.othello.table import HashTable  # noqa: E402
from tests.engine_ext.othello.pattern_weights import random_evaluation  # noqa: E402
from training.othello.positions import (  # noqa: E402
    label_by_search,
    label_exactly,
    play_games,
)


def games(first: int, count: int, seed: int = 5):  # type: ignore[no-untyped-def]
    boards = np.zeros((count, 61, 2), np.uint64)
    play_games(
        MobilityEvaluation(), seed, first, boards, random_plies_max=20, random_one_in=10, noise=30
    )
    return boards


def board_of(row) -> OthelloBoard:  # type: ignore[no-untyped-def]
    return OthelloBoard(int(row[0]), int(row[1]))


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

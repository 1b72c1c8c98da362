"""Starts of training games: legal, varied, and functions of their number."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.board import START, Position  # noqa: E402
from training.backgammon.starts import race_start, standard_start, starts  # noqa: E402


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

"""What clocks lose is learned from what they show, and from nothing else."""

import pytest

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.uci.commands import Go
from master.games.chess.uci.lost_time import SAMPLES_MAX, LostTime, Overhead
from master.games.chess.uci.options import Options
from master.games.chess.uci.session import Wish

SET = Options(overhead_ms=10)
UNKNOWN = Overhead(0.0025, 0.01)


def game(plies: int) -> tuple[ChessBoard, ...]:
    boards = [read_fen(START)]
    for number in range(plies):
        boards.append(boards[-1].play(("g1f3", "g8f6", "f3g1", "f6g8")[number % 4]))
    return tuple(boards)


def wish(plies: int, clock_ms: int, increment_ms: int = 0) -> Wish:
    go = Go(clocks_ms=(clock_ms, clock_ms), increments_ms=(increment_ms, increment_ms))
    return Wish(game(plies), go, SET)


def test_nothing_is_known_to_begin_with() -> None:
    assert LostTime().begin(wish(0, 1000)) == UNKNOWN


@pytest.mark.parametrize("increment_ms", [0, 100])
def test_what_a_move_lost_is_seen_at_the_next(increment_ms: int) -> None:
    lost = LostTime()
    lost.begin(wish(0, 1000, increment_ms))
    lost.end(0.2)
    found = lost.begin(wish(2, 797 + increment_ms, increment_ms))
    assert found.common_s == pytest.approx(0.003)
    assert found.worst_s == 0.01
    lost.end(0.1)
    found = lost.begin(wish(4, 677 + 2 * increment_ms, increment_ms))
    assert found.common_s == pytest.approx((0.003 + 0.02) / 2)
    assert found.worst_s == pytest.approx(0.02)


def test_another_game_begins_anew() -> None:
    lost = LostTime()
    lost.begin(wish(0, 1000))
    lost.end(0.2)
    lost.begin(wish(2, 700))
    lost.end(0.2)
    assert lost.begin(wish(0, 1000)) == UNKNOWN


def test_a_clock_that_was_given_time_tells_nothing() -> None:
    lost = LostTime()
    lost.begin(wish(0, 1000))
    lost.end(0.2)
    assert lost.begin(wish(2, 5000)) == UNKNOWN


def test_a_clock_that_runs_slow_loses_nothing() -> None:
    lost = LostTime()
    lost.begin(wish(0, 1000))
    lost.end(0.2)
    assert lost.begin(wish(2, 801)).common_s == 0


def test_without_a_clock_nothing_is_learned() -> None:
    lost = LostTime()
    lost.begin(Wish(game(0), Go(move_ms=100), SET))
    lost.end(0.1)
    assert lost.begin(wish(2, 700)) == UNKNOWN


def test_old_moves_are_forgotten() -> None:
    lost, clock_ms = LostTime(), 100_000
    lost.begin(wish(0, clock_ms))
    for number in range(1, SAMPLES_MAX + 3):
        lost.end(0.0)
        clock_ms -= 50 if number == 1 else 1
        found = lost.begin(wish(2 * number, clock_ms))
    assert found.common_s == pytest.approx(0.001)

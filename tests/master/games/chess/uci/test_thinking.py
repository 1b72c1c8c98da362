"""When a search ends, in made-up time."""

from math import inf

import pytest

from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE
from engine_ext.chess.fen import START, read_fen
from master.games.chess.uci.commands import Go
from master.games.chess.uci.lost_time import LostTime
from master.games.chess.uci.options import Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Effort, Iteration

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE = "7k/8/8/8/8/8/1r6/K7 w - - 0 1"
CLOCK = Go(clocks_ms=(30_000, 1_000))


def thinking(go: Go, fen: str = START, options: Options | None = None) -> Thinking:
    wish = Wish((read_fen(fen),), go, options or Options(overhead_ms=0))
    return Thinking(wish, LostTime().begin(wish))


def effort(elapsed_s: float) -> Effort:
    return Effort(1000, elapsed_s, 0.0)


def sent(each: Thinking, value: int = 10, depth: int = 5) -> list[str]:
    return each.iterated(Iteration(depth, depth, ((value, ("e2e4", "e7e5")),)), effort(0.1))


def test_clock_ends_a_search_between_iterations_and_in_them() -> None:
    search = thinking(CLOCK)
    assert search.deadline_s == pytest.approx(4.0, rel=0.01)
    assert not search.is_enough(3.9)  # the first iteration is always finished
    sent(search)
    assert not search.is_enough(0.5)
    assert search.soft_deadline_s == pytest.approx(0.6, rel=0.01)
    assert search.is_enough(0.61)
    assert search.is_enough(4.0)


def test_black_has_a_clock_of_its_own() -> None:
    black = thinking(CLOCK, START.replace(" w ", " b "))
    assert black.deadline_s < 1
    assert thinking(Go(clocks_ms=(None, 1_000))).deadline_s == inf


def test_time_of_a_move_is_used_up() -> None:
    search = thinking(Go(move_ms=500))
    sent(search, MATE_VALUE - 1)
    assert not search.is_enough(0.49)
    assert search.is_enough(0.5)


def test_only_move_and_certain_mate_spend_no_time_of_a_clock() -> None:
    only = thinking(CLOCK, ONE_MOVE)
    sent(only)
    assert only.is_enough(0.0)
    mate = thinking(CLOCK)
    sent(mate, MATE_VALUE - 7, depth=6)
    assert not mate.is_enough(0.0)
    sent(mate, MATE_VALUE - 7, depth=7)
    assert mate.is_enough(0.0)


def test_infinite_search_ends_by_stop_alone() -> None:
    search = thinking(Go(is_infinite=True, clocks_ms=(1, 1)))
    sent(search, MATE_VALUE - 1)
    search.ponder_hit(0.5)
    assert search.is_held
    assert not search.is_enough(1e9)
    search.stop()
    assert not search.is_held
    assert search.is_enough(0.0)
    assert search.answer() == "bestmove e2e4 ponder e7e5"


def test_pondering_uses_the_clock_from_the_hit_on() -> None:
    search = thinking(Go(clocks_ms=(30_000, 1_000), is_ponder=True))
    sent(search)
    assert search.is_held
    assert not search.is_enough(100)
    search.ponder_hit(100)
    assert not search.is_held
    assert search.deadline_s == pytest.approx(104.0, rel=0.01)
    assert not search.is_enough(100.5)
    assert search.soft_deadline_s == pytest.approx(100.6, rel=0.001)
    assert search.is_enough(100.7)
    search.ponder_hit(200)  # a second one means nothing
    assert search.deadline_s == pytest.approx(104.0, rel=0.01)


def test_mate_that_was_asked_for_ends_a_search() -> None:
    search = thinking(Go(mate=2))
    sent(search, MATE_VALUE - 5)
    assert not search.is_enough(1e9)
    sent(search, 4 - MATE_VALUE)
    assert not search.is_enough(1e9)
    sent(search, MATE_VALUE - 3)
    assert search.is_enough(0.0)


def test_depth_is_bounded() -> None:
    assert thinking(Go(depth=7)).depth_max == 7
    assert thinking(Go(depth=10**9)).depth_max == thinking(Go()).depth_max == DEPTH_MAX


def test_castling_is_written_as_asked_or_as_it_must() -> None:
    assert not thinking(Go()).is_chess960
    assert thinking(Go(), options=Options(is_chess960=True)).is_chess960
    assert thinking(Go(), "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1").is_chess960


def test_same_is_not_said_twice() -> None:
    search = thinking(Go())
    assert len(sent(search)) == 1
    assert sent(search) == []
    assert search.iterated(Iteration(0, 0, ()), effort(0.1)) == []


def test_status_is_told_from_three_seconds_on_once_a_second() -> None:
    search = thinking(Go())
    sent(search)
    move = ("e2e4", 1)
    assert search.status(move, effort(2.9)) == []
    assert search.status(move, effort(3.0))[1] == "info depth 6 currmove e2e4 currmovenumber 1"
    assert search.status(move, effort(3.9)) == []
    assert len(search.status(move, effort(4.0))) == 2


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATED, "cp 0")])
def test_end_of_a_game_has_no_move(fen: str, score: str) -> None:
    search = thinking(Go(), fen)
    assert not search.has_moves
    (line,) = search.without_moves(effort(0.0))
    assert f"depth 0 seldepth 0 multipv 1 score {score} " in line
    assert " pv" not in line
    assert search.answer() == "bestmove (none)"

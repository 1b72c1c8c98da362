"""When a search of the UCI engine ends, by which clock, and what it prints."""

import random
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE
from engine_ext.chess.fen import START, read_fen
from master.games.chess.threaded_search import mate_moves
from master.games.chess.uci.commands import Go
from master.games.chess.uci.options import Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import (
    LEAST_S,
    SAMPLES_MAX,
    SETTLED,
    SETTLED_AFTER,
    WAVERING,
    LostTime,
    Overhead,
    Steadiness,
    Thinking,
    TimeLimits,
    limits_of_clock,
    limits_of_move,
)
from master.games.chess.uci.wording import (
    TEXT_CHARACTERS_MAX,
    Effort,
    Iteration,
    best_move_line,
    iteration_lines,
    message,
    score_text,
    status_lines,
    wdl_of,
)

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


def test_status_is_sent_from_three_seconds_on_once_a_second() -> None:
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


def after(*found: tuple[int, str]) -> Steadiness:
    steadiness = Steadiness()
    for value, move in found:
        steadiness = steadiness.after(value, move)
    return steadiness


def test_steadiness_nothing_is_known_to_begin_with() -> None:
    assert Steadiness().factor == 1


def test_the_same_move_again_and_again_settles() -> None:
    assert after(*[(10, "e2e4")] * SETTLED_AFTER).factor == SETTLED
    assert after(*[(10, "e2e4")] * (SETTLED_AFTER - 1)).factor == 1


def test_another_move_or_a_fallen_value_takes_more() -> None:
    settled = [(10, "e2e4")] * SETTLED_AFTER
    assert after(*settled, (10, "d2d4")).factor == WAVERING
    assert after(*settled, (-40, "e2e4")).factor > SETTLED
    assert after(*settled, (-40, "d2d4")).factor > WAVERING


@given(st.lists(st.tuples(st.integers(-500, 500), st.sampled_from(["e2e4", "d2d4"]))))
def test_it_is_never_far_from_the_plan(found: list[tuple[int, str]]) -> None:
    assert 0.5 <= after(*found).factor <= 2


SECONDS = st.floats(0, 1e6)
OVERHEAD = st.floats(0, 5)
LOST = st.tuples(OVERHEAD, OVERHEAD).map(lambda pair: Overhead(min(pair), max(pair)))
TEN_MS = Overhead(0.01, 0.01)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 1000), LOST)
def test_limits_are_within_what_is_left(
    left_s: float, increment_s: float, moves_to_go: int | None, overhead: Overhead
) -> None:
    limits = limits_of_clock(left_s, increment_s, moves_to_go, overhead)
    assert 0 < limits.soft_s <= limits.hard_s <= max(left_s - overhead.worst_s, LEAST_S)


@given(SECONDS, OVERHEAD)
def test_time_of_a_move_is_used_but_for_the_overhead(move_s: float, overhead_s: float) -> None:
    limits = limits_of_move(move_s, overhead_s)
    assert limits.soft_s == limits.hard_s == max(move_s - overhead_s, LEAST_S)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 100), LOST)
def test_more_time_is_never_less(
    left_s: float, more_s: float, moves_to_go: int | None, overhead: Overhead
) -> None:
    some = limits_of_clock(left_s, 0, moves_to_go, overhead)
    more = limits_of_clock(left_s + more_s, 0, moves_to_go, overhead)
    assert some.soft_s <= more.soft_s
    assert some.hard_s <= more.hard_s


@example(1.0, 0.002950629741106462, 1)
@given(st.floats(1, 60), st.floats(0.0005, 0.003), st.integers(0, 10**6))
@pytest.mark.when_changed
def test_long_game_without_increment_is_not_lost_on_time(
    game_s: float, lost_s: float, seed: int
) -> None:
    """Two hundred moves lose up to twice the mean, some take all they may, two are held up."""
    chance = random.Random(seed)
    left_s, held_up = game_s, {chance.randrange(200), chance.randrange(200)}
    for number in range(200):
        limits = limits_of_clock(left_s, 0, None, Overhead(lost_s, 2 * lost_s))
        left_s -= limits.hard_s if chance.random() < 0.05 else limits.soft_s
        left_s -= chance.uniform(0, 2 * lost_s) + 0.01 * (number in held_up)
        assert left_s > 0, number


def test_last_move_before_more_time_may_use_nearly_all() -> None:
    last = limits_of_clock(10, 0, 1, TEN_MS)
    assert last.hard_s == 10 - 0.01
    assert last.soft_s > 5
    assert limits_of_clock(10, 0, 2, TEN_MS).hard_s < 5


@example(1.0, 0.05, 0)
@given(st.floats(1, 60), st.floats(0.02, 2), st.integers(0, 10**6))
@pytest.mark.when_changed
def test_long_game_with_increment_stands_being_held_up(
    game_s: float, increment_s: float, seed: int
) -> None:
    """Of three hundred moves many take all they may; some are held up for more than a tenth."""
    chance = random.Random(seed)
    left_s = game_s
    held_up = {chance.randrange(20) + 20 * k for k in range(15)}
    for number in range(300):
        limits = limits_of_clock(left_s, increment_s, None, TEN_MS)
        left_s -= limits.hard_s if chance.random() < 0.5 else limits.soft_s
        left_s -= 0.01 + min(2 * increment_s, 0.12) * (number in held_up)
        assert left_s > 0, number
        left_s += increment_s


def test_what_is_kept_back_is_not_planned_with() -> None:
    assert limits_of_clock(0.5, 0, None, TEN_MS) == TimeLimits(LEAST_S, LEAST_S)
    assert limits_of_clock(0.5, 0.02, None, TEN_MS).soft_s == 0.6 * ((0.5 - 0.11) / 30 + 0.01)


def test_kept_back_grows_again_from_part_of_the_increment() -> None:
    assert limits_of_clock(0.055, 0.02, None, TEN_MS).hard_s < 0.02 * 0.75


def test_nothing_left_is_the_least() -> None:
    assert limits_of_clock(0, 0, None, TEN_MS) == TimeLimits(LEAST_S, LEAST_S)


EFFORT = Effort(5000, 0.5, 0.25)
SPENT = "nodes 5000 nps 10000 hashfull 250 time 500"


@pytest.mark.parametrize(
    ("value", "text"),
    [(13, "cp 13"), (-1500, "cp -1500"), (MATE_VALUE - 1, "mate 1"), (MATE_VALUE - 3, "mate 2"),
     (2 - MATE_VALUE, "mate -1"), (4 - MATE_VALUE, "mate -2"), (-MATE_VALUE, "mate 0")],
)  # fmt: skip
def test_values_are_centipawns_or_moves_to_mate(value: int, text: str) -> None:
    assert score_text(value) == text


@given(st.integers(-MATE_VALUE, MATE_VALUE))
def test_wins_draws_and_losses_are_a_thousand_and_the_others_mirrored(value: int) -> None:
    win, draw, loss = wdl_of(value)
    assert win + draw + loss == 1000
    assert min(win, draw, loss) >= 0
    assert wdl_of(-value) == (loss, draw, win) or mate_moves(value) == 0


@given(st.integers(-2000, 2000))
def test_better_is_won_as_often_or_more(value: int) -> None:
    assert wdl_of(value + 10)[0] >= wdl_of(value)[0]
    assert wdl_of(value + 10)[2] <= wdl_of(value)[2]


def test_iteration_has_a_line_for_each_line_of_moves() -> None:
    iteration = Iteration(7, 11, ((20, ("e2e4", "e7e5")), (MATE_VALUE - 1, ("d2d4",))))
    assert iteration_lines(iteration, EFFORT) == [
        f"info depth 7 seldepth 11 multipv 1 score cp 20 {SPENT} pv e2e4 e7e5",
        f"info depth 7 seldepth 11 multipv 2 score mate 1 {SPENT} pv d2d4",
    ]
    with_wdl = iteration_lines(iteration, EFFORT, is_wdl_shown=True)
    assert "score mate 1 wdl 1000 0 0 nodes" in with_wdl[1]


def test_no_time_at_all_is_no_division_by_nothing() -> None:
    (line,) = iteration_lines(Iteration(1, 1, ((0, ("e2e4",)),)), Effort(20, 0.0, 0.0))
    assert "nodes 20 nps 20000 hashfull 0 time 0" in line


def test_status_says_what_is_searched() -> None:
    assert status_lines(9, ("e2e4", 3), EFFORT) == [
        f"info {SPENT}",
        "info depth 9 currmove e2e4 currmovenumber 3",
    ]
    assert status_lines(9, None, EFFORT) == [f"info {SPENT}"]


def test_answer_is_a_move_and_what_to_ponder_on() -> None:
    assert best_move_line(("e2e4", "e7e5", "g1f3")) == "bestmove e2e4 ponder e7e5"
    assert best_move_line(("e2e4",)) == "bestmove e2e4"
    assert best_move_line(()) == "bestmove (none)"


@given(st.text())
def test_messages_are_one_printable_line(text: str) -> None:
    line = message(text)
    assert line.startswith("info string ")
    assert line.isprintable()
    assert line.isascii()
    assert len(line) <= TEXT_CHARACTERS_MAX + len("info string ")

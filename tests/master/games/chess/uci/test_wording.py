"""What is said of a search reads as UCI wants it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fast.search import MATE_VALUE
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
from master.games.chess.values import mate_moves

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

"""How a game of Threes! at the terminal looks: master.cli.threes.playing.play_screen.
How fast a watched engine is, and what is due when: master.cli.threes.playing.play_screen."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.threes.decider import Valued
from master.cli.threes.playing.play_advisor import Judgement
from master.cli.threes.playing.play_screen import (
    DRAWING_S,
    KEEPING_S,
    LOSSES_SHOWN,
    Pace,
    clock_text,
    game_lines,
    result_lines,
    result_text,
    shares_text,
    show_hints,
    show_review,
    watched_lines,
)
from master.games.spans import Span
from master.games.threes.record import ThreesRecord
from tests.master.cli.terminals import terminal

Captured = pytest.CaptureFixture[str]
RECORD = ThreesRecord(3, "uld")


def test_a_name_cannot_steer_the_terminal() -> None:
    text = "".join(span.text for line in game_lines(RECORD, "A\x1b[2Jnn") for span in line)
    assert text.isprintable()
    assert "nn" in text


def test_a_watched_game_says_how_fast_it_goes_and_who_computes() -> None:
    pace = Pace(0.0)
    for now_s in range(1, 5):
        pace.moved(now_s * 0.5)
    alone = watched_lines(RECORD, "Ann", pace, {})
    texts = "\n".join("".join(span.text for span in line) for line in alone)
    assert "   speed  2 moves/s\n" in texts
    assert "   time   2.0 s\n" in texts
    shared = watched_lines(RECORD, "Ann", pace, {"attic": 1, "local": 3})
    assert len(shared) == len(alone) + 1
    assert shared[-1][0].text == "local 75 %  attic 25 %"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (59.9, "59.9 s"), (61.0, "1:01"), (3723.0, "1:02:03")]
)
def test_a_time_is_written_as_clocks_show_it(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (31, "b 50 %  a 25 %  a? 12 %  c 12 %"),
        (30, "b 50 %  a 25 %  a? 12 %  +1"),
        (20, "b 50 %  a 25 %  +2"),
        (17, "b 50 %  +3"),
        (5, "b 50 "),
    ],
)
def test_who_has_no_room_in_the_shares_is_counted(width: int, text: str) -> None:
    shares = {"a": 2, "a\x1b": 1, "b": 4, "c": 1}
    assert shares_text(shares, width) == text


def test_the_result_has_score_highest_card_and_moves() -> None:
    text = result_text(RECORD)
    assert text.startswith(f"The game is over: {RECORD.board.score} points, highest card ")
    assert text.endswith(", 3 moves.")


def test_the_result_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert result_lines(RECORD) == [(Span(result_text(RECORD)),)]
    with terminal(40, monkeypatch):
        texts = [line[0].text for line in result_lines(RECORD)]
    assert len(texts) == 2
    assert max(map(len, texts)) <= 40


def test_hints_say_how_far_a_move_is_behind(capsys: Captured) -> None:
    show_hints(Valued(3, {"up": 20000.0, "left": 18765.0}))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "1. up          20,000",
        "2. left        18,765   -1,235",
    ]


def test_a_review_without_a_loss_has_no_table(capsys: Captured) -> None:
    show_review(RECORD, {0: Judgement(5.0, "up", 5.0)})
    assert capsys.readouterr().out == "1 move judged, 1 of them best: 0 points lost\n"


def test_a_review_lists_only_the_largest_losses(capsys: Captured) -> None:
    record = ThreesRecord(3, "u" * 30)
    show_review(record, {n: Judgement(0.0, "left", float(n)) for n in range(30)})
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [int(row.split()[0]) for row in rows] == list(range(30, 30 - LOSSES_SHOWN, -1))


def test_the_first_board_is_drawn_at_once() -> None:
    assert Pace(7.0).moved(7.0) == (True, False)


def test_moves_a_second_are_counted_from_the_beginning() -> None:
    pace = Pace(7.0)
    assert pace.moves_per_s == 0
    pace.moved(7.0)
    assert pace.moves_per_s == 0
    for now_s in (7.25, 7.5):
        pace.moved(now_s)
    assert (pace.moves, pace.elapsed_s, pace.moves_per_s) == (3, 0.5, 6.0)


@given(st.lists(st.floats(0.0, 1.0), max_size=100))
def test_what_is_due_is_never_due_again_before_its_time(steps: list[float]) -> None:
    pace, now_s = Pace(0.0), 0.0
    drawn: list[float] = []
    kept = [0.0]
    for step in steps:
        now_s += step
        due = pace.moved(now_s)
        drawn += [now_s] * due.is_drawing
        kept += [now_s] * due.is_keeping
    assert all(later - earlier >= DRAWING_S for earlier, later in pairwise(drawn))
    assert all(later - earlier >= KEEPING_S for earlier, later in pairwise(kept))

"""A game of Threes! at the terminal: turns, texts and the engine's pace."""

from __future__ import annotations

from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.context import SEED_MAX
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.cli.threes.decider import Valued
from master.cli.threes.play_advisor import Judgement
from master.cli.threes.play_screen import (
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
from master.cli.threes.threes_session import new_game, random_seed
from master.games.spans import Span
from master.games.threes.record import ThreesRecord
from tests.master.cli.terminals import terminal
from tests.master.cli.threes.scripts import OTHER, FirstAdvisor, Script, play, session_of

Captured = pytest.CaptureFixture[str]


def test_each_line_of_moves_is_saved() -> None:
    script = Script("u", "ld")
    session = play(session_of(script))
    assert session.record == ThreesRecord(3, "uld")
    assert [record.moves for record, _ in script.saved] == ["u", "uld"]


def test_the_engine_plays_to_the_end_and_the_person_decides_what_then(capsys: Captured) -> None:
    script = Script("auto", "undo 2")
    session = play(session_of(script))
    assert session.whole.game.is_over
    assert session.is_over
    assert len(session.record.undone) == 2
    assert script.prompts[1] == "New, undo, review or quit? "
    assert capsys.readouterr().out.count("The game is over: ") == 1
    assert script.saved == [(session.whole, None)]


def test_a_game_that_is_watched_is_left_at_its_end(capsys: Captured) -> None:
    script = Script("u")
    session = play(session_of(script, is_watching=True))
    assert session.is_over
    assert script.prompts == []
    assert script.saved == [(session.record, None)]
    assert capsys.readouterr().out.count("moves  ") == 1


def test_a_watched_game_that_is_over_already_is_left() -> None:
    script = Script("auto")
    over = play(session_of(script)).record
    again = Script("u")
    assert play(session_of(again, over, is_watching=True)).record == over
    assert again.prompts == []


def test_ctrl_c_gives_the_game_back_to_the_person(capsys: Captured) -> None:
    script = Script("u")
    advisor = FirstAdvisor(interrupted_at=3)
    session = play(session_of(script, is_watching=True, advisor=advisor))
    assert len(session.record.moves) == 4
    assert "Stopped." in capsys.readouterr().out
    assert [len(record.moves) for record, _ in script.saved] == [3, 4]


@pytest.mark.parametrize(("step_s", "boards"), [(1 / 16, 10), (1 / 128, 2), (0.0, 1)])
def test_boards_are_drawn_twenty_times_a_second_at_most(
    step_s: float, boards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = (step_s * move for move in count())
    with terminal(80, monkeypatch) as screen:
        session = play(session_of(Script("auto 10"), clock=lambda: next(times)))
    assert len(session.record.moves) == 10
    assert screen.text.count("speed  ") == boards
    assert screen.shown.count("score  ") == 1
    assert "speed" not in screen.shown


def test_who_watches_sees_how_fast_it_goes_and_who_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advisor = FirstAdvisor()
    monkeypatch.setattr(advisor, "shares", lambda: {"local": 6, "attic": 4})
    times = count()
    with terminal(80, monkeypatch) as screen:
        session = play(
            session_of(Script(), is_watching=True, advisor=advisor, clock=lambda: next(times))
        )
    shown = screen.shown.splitlines()
    assert any(line.endswith("   speed  1 moves/s") for line in shown)
    last = shown.index(result_text(session.record))
    assert shown[last - 1] == "local 60 %  attic 40 %"
    assert screen.shown.count("score  ") == 1
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_long_game_that_is_watched_is_saved_now_and_then() -> None:
    script = Script("auto 12")
    times = count()
    play(session_of(script, clock=lambda: next(times)))
    assert [len(record.moves) for record, _ in script.saved] == [5, 10, 12]


def test_ctrl_c_leaves_one_board_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        play(session_of(Script("auto"), advisor=FirstAdvisor(interrupted_at=3)))
    assert screen.shown.count("score  ") == 1
    assert screen.shown.rstrip().endswith("\nStopped.")
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_remark_after_the_end_stands_below_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        session = play(session_of(Script("auto", "u", "", "d")))
    *_, result, remark, end = screen.shown.split("\n")
    assert result == result_text(session.record)
    assert remark == "the game is over: expected new, undo, review or quit"
    assert end == ""


def test_the_line_editors_list_of_moves_stays_below_its_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with terminal(80, monkeypatch) as screen:
        script = Script()
        session = session_of(script)
        script.lines = iter(["u", session.moves, "l"])
        play(session)
    assert screen.shown.count("score  ") == 2


def test_what_was_taken_back_is_kept_until_it_is_replaced() -> None:
    script = Script("uld", "undo 2")
    session = play(session_of(script))
    assert (session.record.moves, session.whole.moves) == ("u", "uld")
    play(session_of(script, session.record))
    assert session.is_begun


def test_another_game_has_another_seed(capsys: Captured) -> None:
    script = Script("u", "new")
    session = play(session_of(script))
    assert (session.record.moves, script.begun) == ("", 1)
    assert f"Seed {session.record.seed}\n" in capsys.readouterr().out
    assert not session.is_begun


def test_another_game_may_be_loaded() -> None:
    assert play(session_of(Script("load other.threes"))).record == OTHER


def test_a_full_disk_does_not_end_the_game(capsys: Captured) -> None:
    script = Script("u", "l")
    script.is_disk_full = True
    assert play(session_of(script)).record.moves == "ul"
    assert "not saved: cannot write own.file" in capsys.readouterr().out


def test_a_seed_by_chance_is_one_that_can_be_given() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert max(seeds) <= SEED_MAX


def test_a_seed_that_is_given_is_said(capsys: Captured) -> None:
    assert new_game(7) == ThreesRecord(7)
    assert capsys.readouterr().out == "Seed 7\n"


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

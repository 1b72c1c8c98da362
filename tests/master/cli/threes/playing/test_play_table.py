"""The course of a game of Threes! at the table: master.cli.threes.playing.play_table."""

from __future__ import annotations

from itertools import count

import pytest

from engine_ext.threes.context import SEED_MAX
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.cli.threes.playing.play_screen import result_text
from master.cli.threes.playing.play_table import new_game, random_seed
from master.games.threes.record import ThreesRecord
from tests.master.cli.terminals import terminal
from tests.master.cli.threes.playing.tables import OTHER, FirstAdvisor, Script, play, table_of

Captured = pytest.CaptureFixture[str]


def test_each_line_of_moves_is_saved() -> None:
    script = Script("u", "ld")
    table = play(table_of(script))
    assert table.record == ThreesRecord(3, "uld")
    assert [record.moves for record, _ in script.saved] == ["u", "uld"]


def test_the_engine_plays_to_the_end_and_the_person_decides_what_then(capsys: Captured) -> None:
    script = Script("auto", "undo 2")
    table = play(table_of(script))
    assert table.whole.game.is_over
    assert table.is_over
    assert len(table.record.undone) == 2
    assert script.prompts[1] == "New, undo, review or quit? "
    assert capsys.readouterr().out.count("The game is over: ") == 1
    assert script.saved == [(table.whole, None)]


def test_a_game_that_is_watched_is_left_at_its_end(capsys: Captured) -> None:
    script = Script("u")
    table = play(table_of(script, is_watching=True))
    assert table.is_over
    assert script.prompts == []
    assert script.saved == [(table.record, None)]
    assert capsys.readouterr().out.count("moves  ") == 1


def test_a_watched_game_that_is_over_already_is_left() -> None:
    script = Script("auto")
    over = play(table_of(script)).record
    again = Script("u")
    assert play(table_of(again, over, is_watching=True)).record == over
    assert again.prompts == []


def test_ctrl_c_gives_the_game_back_to_the_person(capsys: Captured) -> None:
    script = Script("u")
    advisor = FirstAdvisor(interrupted_at=3)
    table = play(table_of(script, is_watching=True, advisor=advisor))
    assert len(table.record.moves) == 4
    assert "Stopped." in capsys.readouterr().out
    assert [len(record.moves) for record, _ in script.saved] == [3, 4]


@pytest.mark.parametrize(("step_s", "boards"), [(1 / 16, 10), (1 / 128, 2), (0.0, 1)])
def test_boards_are_drawn_twenty_times_a_second_at_most(
    step_s: float, boards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = (step_s * move for move in count())
    with terminal(80, monkeypatch) as screen:
        table = play(table_of(Script("auto 10"), clock=lambda: next(times)))
    assert len(table.record.moves) == 10
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
        table = play(
            table_of(Script(), is_watching=True, advisor=advisor, clock=lambda: next(times))
        )
    shown = screen.shown.splitlines()
    assert any(line.endswith("   speed  1 moves/s") for line in shown)
    last = shown.index(result_text(table.record))
    assert shown[last - 1] == "local 60 %  attic 40 %"
    assert screen.shown.count("score  ") == 1
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_long_game_that_is_watched_is_saved_now_and_then() -> None:
    script = Script("auto 12")
    times = count()
    play(table_of(script, clock=lambda: next(times)))
    assert [len(record.moves) for record, _ in script.saved] == [5, 10, 12]


def test_ctrl_c_leaves_one_board_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        play(table_of(Script("auto"), advisor=FirstAdvisor(interrupted_at=3)))
    assert screen.shown.count("score  ") == 1
    assert screen.shown.rstrip().endswith("\nStopped.")
    assert screen.text.index(HIDE_CURSOR) < screen.text.index(SHOW_CURSOR)


def test_a_remark_after_the_end_stands_below_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(80, monkeypatch) as screen:
        table = play(table_of(Script("auto", "u", "", "d")))
    *_, result, remark, end = screen.shown.split("\n")
    assert result == result_text(table.record)
    assert remark == "the game is over: expected new, undo, review or quit"
    assert end == ""


def test_the_line_editors_list_of_moves_stays_below_its_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with terminal(80, monkeypatch) as screen:
        script = Script()
        table = table_of(script)
        script.lines = iter(["u", table.moves, "l"])
        play(table)
    assert screen.shown.count("score  ") == 2


def test_what_was_taken_back_is_kept_until_it_is_replaced() -> None:
    script = Script("uld", "undo 2")
    table = play(table_of(script))
    assert (table.record.moves, table.whole.moves) == ("u", "uld")
    play(table_of(script, table.record))
    assert table.is_begun


def test_another_game_has_another_seed(capsys: Captured) -> None:
    script = Script("u", "new")
    table = play(table_of(script))
    assert (table.record.moves, script.begun) == ("", 1)
    assert f"Seed {table.record.seed}\n" in capsys.readouterr().out
    assert not table.is_begun


def test_another_game_may_be_loaded() -> None:
    assert play(table_of(Script("load other.threes"))).record == OTHER


def test_a_full_disk_does_not_end_the_game(capsys: Captured) -> None:
    script = Script("u", "l")
    script.is_disk_full = True
    assert play(table_of(script)).record.moves == "ul"
    assert "not saved: cannot write own.file" in capsys.readouterr().out


def test_a_seed_by_chance_is_one_that_can_be_given() -> None:
    seeds = {random_seed() for _ in range(50)}
    assert len(seeds) == 50
    assert max(seeds) <= SEED_MAX


def test_a_seed_that_is_given_is_said(capsys: Captured) -> None:
    assert new_game(7) == ThreesRecord(7)
    assert capsys.readouterr().out == "Seed 7\n"

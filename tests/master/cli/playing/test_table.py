"""What every game does at its table, tried with Nim: master.cli.playing.table."""

from __future__ import annotations

from pathlib import Path

import pytest

from master.cli.playing.table import thought
from tests.master.cli.playing.scripted import Script
from tests.master.cli.toy_game.table import NimRecord, NimTable

Captured = pytest.CaptureFixture[str]


def test_a_board_that_is_drawn_is_due_again_after_a_change(capsys: Captured) -> None:
    table = NimTable(NimRecord((2, 1)), Script())
    table.draw()
    assert capsys.readouterr().out == "\n||\n|\n"
    assert not table.is_board_due
    table.waits_for = "X"
    table.change()
    assert (table.is_board_due, table.waits_for) == (True, "")


def test_a_game_that_comes_to_the_table_says_how_it_stands(capsys: Captured) -> None:
    table = NimTable(NimRecord((2, 1)), Script())
    table.draw()
    table.go_over_to(NimRecord((1,), (0,)))
    assert capsys.readouterr().out.endswith("over: you win\n")
    assert table.is_board_due


def test_a_game_that_cannot_be_saved_is_said_to_be_and_goes_on(capsys: Captured) -> None:
    script = Script[NimRecord]()
    table = NimTable(NimRecord((2, 1)), script)
    assert table.keep() == Path("own.file")
    assert script.saved == [(table.whole, None)]
    script.is_disk_full = True
    assert table.keep() is None
    expected = "not saved: cannot write own.file: No space left on device\n"
    assert capsys.readouterr().out == expected


def test_ctrl_c_ends_a_thought_alone(capsys: Captured) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert thought(lambda: 7) == 7
    assert not capsys.readouterr().out
    assert thought(interrupted) is None
    assert thought(interrupted, "Never mind.") is None
    assert capsys.readouterr().out == "\nStopped.\n\nNever mind.\n"


def test_a_remark_is_printed_below_what_it_is_about(capsys: Captured) -> None:
    NimTable(NimRecord((2, 1)), Script()).remark("no such heap")
    assert capsys.readouterr().out == "no such heap\n"

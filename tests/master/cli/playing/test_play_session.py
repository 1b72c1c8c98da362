"""A session of play from the first line to the last, tried with Nim."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from master.cli.errors import CommandError, ExitCode
from master.cli.playing.play_session import play, sit_down
from master.cli.playing.play_terminal import Leave
from tests.master.cli.playing.scripted import Script
from tests.master.cli.toy_game.table import NimRecord, NimTable, nim_commands

Captured = pytest.CaptureFixture[str]


def interrupt() -> None:
    raise KeyboardInterrupt


def sat(script: Script[NimRecord]) -> int:
    table = NimTable(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(SystemExit) as ended:
        sit_down(table, nim_commands(table), "manyply play nim")
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_who_is_to_move_does_until_the_person_leaves(capsys: Captured) -> None:
    script = Script[NimRecord]("1:2", "2:1")
    table = NimTable(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(Leave):
        play(table, nim_commands(table))
    assert capsys.readouterr().out.count("I leave ") == 2
    assert len(table.record.moves) == 4
    assert script.prompts == 3 * ["move? "]


@pytest.mark.parametrize(
    ("last", "code"), [("quit", ExitCode.OK), (interrupt, ExitCode.INTERRUPTED)]
)
def test_a_game_is_saved_however_it_is_left(
    capsys: Captured, last: str | Callable[[], None], code: ExitCode
) -> None:
    script = Script[NimRecord]("1:2", last)
    assert sat(script) == code
    assert script.saved[1:] == 2 * [script.saved[1]]
    expected = "\nSaved as own.file; go on with: manyply play nim own.file\n"
    assert capsys.readouterr().out.endswith(expected)


def test_a_game_that_is_over_is_saved_with_nothing_to_go_on_with(capsys: Captured) -> None:
    assert sat(Script("1:2", "1:0", "2:0")) == ExitCode.OK
    assert capsys.readouterr().out.endswith("\nSaved as own.file\n")


def test_nothing_is_saved_where_nothing_was_played(capsys: Captured) -> None:
    script = Script[NimRecord]()
    assert sat(script) == ExitCode.OK
    assert script.saved == []
    assert "Saved" not in capsys.readouterr().out


def test_a_game_that_cannot_be_saved_in_the_end_is_a_failure() -> None:
    script = Script[NimRecord]("1:2")
    script.is_disk_full = True
    table = NimTable(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(CommandError, match="the game is not saved: cannot write") as failed:
        sit_down(table, nim_commands(table), "manyply play nim")
    assert failed.value.exit_code == ExitCode.STORAGE

"""The words of every game, tried with Nim: master.cli.playing.person."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.master.cli.playing.scripted import Script, left
from tests.master.cli.toy_game.table import NimRecord, NimTable, nim_commands

Captured = pytest.CaptureFixture[str]
OTHER = NimRecord((4, 1))


def played(*lines: str, record: NimRecord | None = None) -> tuple[Script[NimRecord], NimTable]:
    script = Script(*lines, files={"other.nim": OTHER})
    table = NimTable(record or NimRecord((3, 2)), script, script.ask)
    left(table, nim_commands(table))
    return script, table


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "'frobnicate' is no move: expected such as 1:0"),
        ("load", "load which file?"),
        ("load a\0b", "cannot hold the character NUL"),
        ("save a\0b", "cannot hold the character NUL"),
        ("load nowhere", "cannot read nowhere: No such file or directory"),
        ("undo", "There is nothing to take back."),
        ("redo", "There is nothing to do again."),
        ("undo all", "undo takes a number from 1 to 10000, not 'all'"),
        ("quit now", "quit stands alone"),
        ("?", "quit                 leave; the game is saved\n"),
        ("show", "move? \n|||\n||\n"),
    ],
)
def test_a_line_that_moves_nothing_says_why_and_loses_nothing(
    capsys: Captured, line: str, expected: str
) -> None:
    script, table = played(line, "exit", "1:0")
    assert expected.removeprefix("move? ") in capsys.readouterr().out
    assert script.prompts == 2 * ["move? "]
    assert (table.record, script.saved) == (NimRecord((3, 2)), [])


def test_decisions_are_taken_back_and_done_again(capsys: Captured) -> None:
    whole = played("1:1", "2:0")[1].record
    assert played("1:1", "2:0", "undo 2")[1].record.moves == ()
    assert played("1:1", "2:0", "u")[1].record.moves == whole.moves[:2]
    assert played("1:1", "2:0", "undo 9", "redo")[1].record.moves == whole.moves[:2]
    capsys.readouterr()
    over = NimRecord((1,), (0,))
    played("undo", "redo", record=over)
    assert capsys.readouterr().out.count("over: you win") == 2


def test_the_board_is_drawn_after_what_changes_it_alone(capsys: Captured) -> None:
    played("undo", "hint", "save", "1:1", "undo")
    assert capsys.readouterr().out.count("\n\n") == 2


def test_a_game_is_kept_before_another_comes(capsys: Captured) -> None:
    for line, expected in (("load other.nim", OTHER), ("new", NimRecord((3, 2)))):
        script, table = played("1:1", line)
        assert table.record == expected
        assert script.begun == (line == "new")
        assert capsys.readouterr().out.count("This game is kept in own.file\n") == 1
        played(line)
        assert "kept" not in capsys.readouterr().out


def test_a_copy_is_saved_where_it_is_wanted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    script, _ = played("save ~/a game.nim", "save")
    assert [path for _, path in script.saved] == [Path("/home/ann/a game.nim"), None]
    assert "Saved as /home/ann/a game.nim\nSaved as own.file\n" in capsys.readouterr().out


def test_who_was_stopped_waits_until_enter_or_a_change(capsys: Captured) -> None:
    script = Script[NimRecord]()
    table = NimTable(NimRecord((3, 2)), script, script.ask)
    stop = lambda: setattr(table, "waits_for", "Bob")  # noqa: E731
    script.lines = iter([stop, "hint", "hint", " ", "1:1", stop, "hint", "undo"])
    left(table, nim_commands(table))
    waiting = "Bob has not moved; Enter lets it? "
    assert script.prompts == ["move? ", waiting, waiting, "move? ", "move? ", waiting, "move? "]

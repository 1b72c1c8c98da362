"""A session of play and the commands of every game, tried with Nim."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from master.cli.errors import CommandError, ExitCode
from master.cli.playing.play_terminal import Leave
from master.cli.playing.player import play, play_at_terminal
from tests.master.cli.playing.scripted import Script, left
from tests.master.cli.toy_game.nim_session import NimRecord, NimSession, nim_commands

Captured = pytest.CaptureFixture[str]


def interrupt() -> None:
    raise KeyboardInterrupt


def sat(script: Script[NimRecord]) -> int:
    session = NimSession(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(SystemExit) as ended:
        play_at_terminal(session, nim_commands(session), "manyply play nim")
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_who_is_to_move_does_until_the_person_leaves(capsys: Captured) -> None:
    script = Script[NimRecord]("1:2", "2:1")
    session = NimSession(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(Leave):
        play(session, nim_commands(session))
    assert capsys.readouterr().out.count("I leave ") == 2
    assert len(session.record.moves) == 4
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
    session = NimSession(NimRecord((3, 2)), script, script.ask)
    with pytest.raises(CommandError, match="the game is not saved: cannot write") as failed:
        play_at_terminal(session, nim_commands(session), "manyply play nim")
    assert failed.value.exit_code == ExitCode.STORAGE


OTHER = NimRecord((4, 1))


def played(*lines: str, record: NimRecord | None = None) -> tuple[Script[NimRecord], NimSession]:
    script = Script(*lines, files={"other.nim": OTHER})
    session = NimSession(record or NimRecord((3, 2)), script, script.ask)
    left(session, nim_commands(session))
    return script, session


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
    script, session = played(line, "exit", "1:0")
    assert expected.removeprefix("move? ") in capsys.readouterr().out
    assert script.prompts == 2 * ["move? "]
    assert (session.record, script.saved) == (NimRecord((3, 2)), [])


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
        script, session = played("1:1", line)
        assert session.record == expected
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
    session = NimSession(NimRecord((3, 2)), script, script.ask)
    stop = lambda: setattr(session, "waits_for", "Bob")  # noqa: E731
    script.lines = iter([stop, "hint", "hint", " ", "1:1", stop, "hint", "undo"])
    left(session, nim_commands(session))
    waiting = "Bob has not moved; Enter lets it? "
    assert script.prompts == ["move? ", waiting, waiting, "move? ", "move? ", waiting, "move? "]

"""What games at the terminal have in common: master.cli.playing.play_terminal."""

import getpass
import io
import sys
from itertools import count, takewhile
from pathlib import Path

import pytest

from master.cli.playing.play_terminal import (
    NAME_CHARACTERS_MAX,
    Leave,
    ask,
    completed,
    completion,
    forgive_encoding,
    login,
    read_name,
    show_count,
    typed_path,
)
from master.cli.playing.words import CommandMistake


def test_every_move_that_begins_so_completes_a_line() -> None:
    moves = ["8/5", "8/7", "6/5"]
    for line, expected in (("8/", moves[:2]), ("", moves), ("9", [])):
        found = (completed(moves, line, index) for index in count())
        assert list(takewhile(lambda move: move is not None, found)) == expected


def test_the_line_editor_is_given_back_as_it_was() -> None:
    readline = pytest.importorskip("readline", reason="this Python has no line editor")
    before = readline.get_completer(), readline.get_completer_delims()
    with completion(lambda: ["f5"]):
        assert readline.get_completer() is not before[0]
    assert (readline.get_completer(), readline.get_completer_delims()) == before


def test_a_file_may_be_named_from_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert typed_path("~/game.ggf") == Path("/home/ann/game.ggf")
    assert typed_path("game.ggf") == Path("game.ggf")


@pytest.mark.parametrize("name", ["~nobody-is-called-so/game.ggf", "a\0b.ggf"])
def test_a_name_that_no_file_can_have_is_a_mistake(name: str) -> None:
    with pytest.raises(CommandMistake, match=r"home directory|NUL"):
        typed_path(name)


@pytest.mark.parametrize("stdin", [None, io.StringIO()], ids=["closed", "empty"])
def test_who_has_no_more_to_type_leaves(
    monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(Leave):
        ask("? ")


def test_a_byte_of_another_encoding_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xe4\n"), "utf-8"))
    forgive_encoding()
    assert ask("") == "\ufffd"


def test_names_are_short_and_printable() -> None:
    assert read_name("Zoë") == "Zoë"
    for name in ("a\nb", "\x1b", "a" * (NAME_CHARACTERS_MAX + 1)):
        with pytest.raises(ValueError, match="printable characters"):
            read_name(name)


def test_a_user_without_a_name_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise OSError("no such user")

    monkeypatch.setattr(getpass, "getuser", none)
    assert login() == "you"


def test_a_count_is_shown_to_people_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    show_count("move 3 of 60")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    show_count("move 3 of 60")
    assert capsys.readouterr().err.startswith("\rmove 3 of 60")
    show_count("")
    assert capsys.readouterr().err.endswith(" \r")


class Interrupted(io.StringIO):
    """A stream that is interrupted as it writes what it has been given."""

    def flush(self) -> None:
        if self.getvalue():
            raise KeyboardInterrupt


def test_interruption_while_the_prompt_is_written_is_not_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("f5\n"))
    monkeypatch.setattr(sys, "stdout", Interrupted())
    with pytest.raises(KeyboardInterrupt):
        ask("your move? ")

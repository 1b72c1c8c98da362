"""The commands of any game: how they are read and listed, and how a terminal asks."""

from __future__ import annotations

import getpass
import io
import sys
from collections.abc import Callable
from itertools import count, takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from master.cli.playing.words import (
    LINE_CHARACTERS_MAX,
    UNDO_MAX,
    CommandMistake,
    Commands,
    Language,
    Row,
    TypedWord,
    alone,
    counting,
    hint_word,
    review_word,
    understood,
)


class Heard:
    """A language of a few words, and what was done at them."""

    def __init__(self) -> None:
        self.acts: list[tuple[str, object]] = []
        common = [
            counting(("undo", "u"), self.act("undo"), 1, UNDO_MAX, Row("undo [N]", "take back")),
            TypedWord(("save",), self.act("save"), Row("save FILE", "write")),
            alone(("board",), lambda: self.acts.append(("board", None)), Row("board", "draw")),
        ]
        own = [
            TypedWord((), self.act("move"), Row("f5", "move")),
            hint_word(self.act("hint"), "the best"),
            review_word(lambda: self.acts.append(("review", None)), "errors"),
            TypedWord(("dice",), self.act("dice"), Row("dice 31", "roll", above="save")),
        ]
        commands = Commands(
            str, own, "game", "", "", "", shorts={"b": "board"}, footnote="Good luck."
        )
        self.language = Language(common, commands)

    def act(self, name: str) -> Callable[[object], None]:
        return lambda said: self.acts.append((name, said))

    def obey(self, line: str) -> tuple[str, object]:
        self.language.obey(line)
        return self.acts[-1]


@given(st.sampled_from(["save", "dice"]), st.text(max_size=20))
def test_known_word_is_taken_off_whatever_follows(word: str, rest: str) -> None:
    assert Heard().obey(f"  {word.upper()} {rest}") == (word, rest.strip())


@given(st.text(max_size=40))
def test_any_line_is_one_act_or_one_mistake(line: str) -> None:
    heard = Heard()
    try:
        heard.language.obey(line)
    except CommandMistake:
        assert heard.acts == []
    else:
        assert len(heard.acts) == 1


def test_what_begins_with_no_word_is_a_move_as_a_whole() -> None:
    assert Heard().obey(" 8/5 6/5 ") == ("move", "8/5 6/5")


def test_short_names_mean_the_same() -> None:
    heard = Heard()
    assert heard.obey("u 3") == heard.obey("undo 3")
    assert heard.obey("B") == heard.obey("board")


def test_word_that_stands_alone_takes_nothing() -> None:
    with pytest.raises(CommandMistake, match="board stands alone: what is 'now'"):
        Heard().obey("b now")


def test_line_is_bounded() -> None:
    Heard().obey("x" * LINE_CHARACTERS_MAX)
    with pytest.raises(CommandMistake, match="a line has at most 500 characters"):
        Heard().obey("x" * (LINE_CHARACTERS_MAX + 1))


@given(st.integers(1, UNDO_MAX))
def test_count_is_read_as_written(count: int) -> None:
    assert Heard().obey(f"undo {count}") == ("undo", count)


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "10001", "\u0663"])
def test_what_is_no_count_says_what_was_expected(text: str) -> None:
    with pytest.raises(CommandMistake, match="undo takes a number from 1 to 10000, not"):
        Heard().obey(f"undo {text}")


def test_count_that_is_left_out_is_the_usual_one() -> None:
    assert [Heard().obey(line) for line in ("undo", "hint")] == [("undo", 1), ("hint", 5)]


def test_help_lists_the_words_of_a_game_first_or_where_they_belong() -> None:
    rows = [line.split()[0] for line in Heard().language.help.splitlines()]
    assert rows == ["f5", "hint", "undo", "dice", "save", "review", "board", "Good"]
    assert "undo [N]             take back\n" in Heard().language.help


def test_mistake_in_what_is_read_is_the_persons() -> None:
    assert understood(int, "7") == 7
    with pytest.raises(CommandMistake, match="invalid literal"):
        understood(int, "seven")


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

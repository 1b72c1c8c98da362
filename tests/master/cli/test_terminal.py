"""Standard input comes as lines, and its end is an end."""

import io
import locale
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from master.cli import input_lines as subject
from master.cli.input_lines import input_lines
from master.cli.terminal import (
    HEIGHT_DEFAULT,
    WIDTH_MIN,
    adopt_locale,
    can_redraw,
    can_say,
    is_terminal,
    terminal_height,
    terminal_width,
)
from tests.master.cli.terminals import LINES, new_terminal


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """A terminal of 77 columns."""
    for name in ("COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8"):
        monkeypatch.delenv(name, raising=False)
    screen_end, program_end = new_terminal(77)
    with open(program_end, "w", encoding="utf-8") as made:
        yield made
    os.close(screen_end)


def test_terminal_is_asked_how_wide_it_is(stream: TextIO, monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal_width(stream) == 77
    monkeypatch.setenv("TERM", "dumb")
    assert terminal_width(stream) == 77


@pytest.mark.parametrize(
    ("columns", "width"), [("120", 120), ("1", WIDTH_MIN), ("0", 77), ("wide", 77), ("", 77)]
)
def test_columns_of_the_environment_count(
    stream: TextIO, monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal_width(stream) == width


def test_terminal_is_asked_how_high_it_is(stream: TextIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.delenv("LINES", raising=False)
    assert terminal_height() == LINES
    monkeypatch.setenv("LINES", "12")
    assert terminal_height() == 12


def test_what_is_no_terminal_has_a_usual_height(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LINES", raising=False)
    with open(tmp_path / "file", "w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdout", file)
        assert terminal_height() == HEIGHT_DEFAULT


@pytest.mark.parametrize(("term", "is_able"), [("xterm", True), ("dumb", False), ("", False)])
def test_dumb_terminals_cannot_be_drawn_over(
    stream: TextIO, term: str, is_able: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    assert not can_redraw()
    monkeypatch.setattr(sys, "stdout", stream)
    assert can_redraw() == is_able
    monkeypatch.delenv("TERM")
    assert not can_redraw()


def test_pipe_has_no_width_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    assert terminal_width(io.StringIO()) is None
    assert not is_terminal(None)


def test_terminal_that_knows_ascii_alone_gets_no_more(
    stream: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "ANSI_X3.4-1968")
    monkeypatch.setattr(sys, "stdout", stream)
    adopt_locale()
    assert stream.encoding == "ANSI_X3.4-1968"
    stream.write("Zoë\n")  # and a name is no reason to fail


def test_encoding_that_the_user_chose_stays(
    stream: TextIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "ANSI_X3.4-1968")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("PYTHONUTF8", "1")
    adopt_locale()
    assert stream.encoding == "utf-8"


def test_pipe_keeps_its_encoding_and_fails_on_no_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    received = io.BytesIO()
    pipe = io.TextIOWrapper(received, encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", pipe)
    adopt_locale()
    pipe.write("Zoë Ж")
    pipe.flush()
    assert received.getvalue() == b"Zo\xeb ?"


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("ascii", False)])
def test_what_an_encoding_lacks_cannot_be_said(
    monkeypatch: pytest.MonkeyPatch, encoding: str, expected: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    assert can_say("♔") is expected
    assert can_say("K")
    monkeypatch.setattr(sys, "stdout", None)
    assert not can_say("♔")


@pytest.mark.parametrize(
    ("sent", "lines"),
    [
        (b"uci\nquit\r\n", ["uci", "quit"]),
        (b"uci", ["uci"]),
        (b"", []),
        (b"\nuci\n\n", ["", "uci", ""]),
    ],
)
def test_last_line_needs_no_line_feed(
    monkeypatch: pytest.MonkeyPatch, sent: bytes, lines: list[str]
) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, sent)
    os.close(theirs)
    monkeypatch.setattr(subject, "STDIN", ours)
    assert list(input_lines(100)) == lines
    os.close(ours)


def test_input_that_cannot_be_read_is_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "STDIN", -1)
    assert list(input_lines(100)) == []

"""A picture that is drawn over itself: master.cli.playing.picture."""

from __future__ import annotations

import pytest

from master.cli.output import echo
from master.cli.playing.picture import Picture
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.games.spans import Line, Span
from tests.master.cli.terminals import LINES, terminal

Patch = pytest.MonkeyPatch
Captured = pytest.CaptureFixture[str]


def lines_of(*texts: str) -> list[Line]:
    return [(Span(text, "red"),) for text in texts]


def test_a_picture_stands_where_the_last_one_stood(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        echo("above")
        picture = Picture()
        picture.draw(lines_of("one", "long line", "three"))
        picture.draw(lines_of("two", "four"))
        echo("below")
    assert screen.shown == "above\n\ntwo\nfour\nbelow\n"


def test_what_was_printed_below_stays(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        picture = Picture()
        picture.draw(lines_of("one"))
        echo("a hint")
        picture.draw(lines_of("two"))
        picture.draw(lines_of("three"))
        picture.leave()
        picture.draw(lines_of("four"))
    assert screen.shown == "\none\na hint\n\nthree\n\nfour\n"


def test_what_is_typed_and_a_remark_on_it_are_drawn_over(monkeypatch: Patch) -> None:
    with terminal(30, monkeypatch) as screen:
        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        picture = Picture()
        ask = picture.asking(typed)
        picture.draw(lines_of("one"))
        for number in range(3):
            ask("? ")
            picture.remark(f"remark {number} is as long as two lines")
        ask("? ")
        picture.draw(lines_of("two"))
    assert screen.shown == "\ntwo\n"
    assert "remark 2" in screen.text


def typed(prompt: str) -> str:
    """Type a letter, as the terminal shows it."""
    print(f"{prompt}x", flush=True)
    return "x"


def test_the_last_remark_replaces_the_one_before(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        picture = Picture()
        picture.remark("above")
        picture.draw(lines_of("one"))
        picture.remark("first")
        picture.remark("second")
    assert screen.shown == "above\n\none\nsecond\n"


def test_a_picture_that_the_terminal_has_broken_is_left_behind(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        picture = Picture()
        picture.draw(lines_of("x" * 40))
        monkeypatch.setenv("COLUMNS", "40")
        picture.draw(lines_of("y" * 40))
        monkeypatch.setenv("COLUMNS", "30")
        picture.draw(lines_of("z" * 30))
    assert screen.shown.split() == ["y" * 40, "z" * 30]


def test_what_has_no_room_is_cut_where_that_is_wanted(monkeypatch: Patch) -> None:
    with terminal(20, monkeypatch) as screen:
        picture = Picture()
        tall = [(Span("x" * 15), Span("y" * 15))] * (LINES + 5)
        picture.draw(tall, is_cut=True)
        picture.draw(tall, is_cut=True)
    assert screen.shown.splitlines() == ["", *["x" * 15 + "y" * 5] * (LINES - 1)]


def test_colours_are_the_users_choice(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        Picture().draw(lines_of("one"))
    assert "\x1b[31m" in screen.text
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal(80, monkeypatch) as screen:
        picture = Picture()
        picture.draw(lines_of("one"))
        picture.draw(lines_of("two"))
    assert "\x1b[31m" not in screen.text
    assert screen.shown == "\ntwo\n"


def test_a_pipe_gets_lines_alone(capsys: Captured) -> None:
    picture = Picture()
    picture.draw(lines_of("one"), is_cut=True)
    picture.show_cursor(is_shown=False)
    picture.remark("remark")
    picture.draw(lines_of("two"))
    assert capsys.readouterr().out == "\none\nremark\n\ntwo\n"


def test_the_cursor_is_hidden_and_shown(monkeypatch: Patch) -> None:
    with terminal(80, monkeypatch) as screen:
        Picture().show_cursor(is_shown=False)
        Picture().show_cursor(is_shown=True)
    assert screen.text == HIDE_CURSOR + SHOW_CURSOR

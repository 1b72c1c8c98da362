"""Standard input comes as lines, and its end is an end."""

import os

import pytest

from master.cli import input_lines as subject
from master.cli.input_lines import input_lines


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

"""How drawings are coloured: master.cli.styled."""

import pytest

from master.cli.styled import echo_drawing
from master.games.spans import Span

DRAWING = [(Span("X", "mine"), Span(" . ", "dim"), Span("plain")), ()]


def test_a_drawing_is_plain_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    echo_drawing(DRAWING)
    assert capsys.readouterr().out == "\nX . plain\n\n"


def test_every_style_has_a_colour_or_a_weight(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("master.cli.output._is_styled", lambda: True)
    for style in ("mine", "theirs", "dim", "strong", "blue", "red", "highest"):
        echo_drawing([(Span("X", style), Span(" "))])
        assert "\x1b[" in capsys.readouterr().out
    echo_drawing([(Span("X"),)])
    assert "\x1b[" not in capsys.readouterr().out

"""Chess boards on standard output: master.cli.chess.figurines."""

import pytest

from engine_ext.chess.fen import START, read_fen
from master.cli.chess.figurines import drawing
from master.games.chess.board_view import ChessScene
from tests.master.cli.terminals import terminal

SCENE = ChessScene(read_fen(START), ("W" * 60, "B" * 60))


def shown() -> list[str]:
    return ["".join(span.text for span in line) for line in drawing(SCENE)]


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_a_board_is_as_wide_as_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(columns, monkeypatch):
        lines = shown()
    assert max(map(len, lines)) == min(columns, 73)
    assert " 1   ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖  1" in lines[8]


def test_a_pipe_has_room_and_without_figurines_letters_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.chess.figurines.can_say", lambda _: False)
    lines = shown()
    assert max(map(len, lines)) == 73
    assert " 8   r  n  b  q  k  b  n  r  8   BBB" in lines[1]

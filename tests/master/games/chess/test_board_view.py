"""How master.games.chess.board_view draws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard, square_name
from engine_ext.chess.fen import START, read_fen
from master.games.chess.board_view import FIGURINES, ChessScene, chess_lines, draw_scene
from master.games.spans import Screen
from tests.engine_ext.chess.positions import boards

FIGURINE_OF = str.maketrans("KQRBNPkqrbnp", FIGURINES)
BEGUN = ChessScene(read_fen(START).play("e2e4"), ("Ann", "manyply 1 s"), "e2e4")


def shown(scene: ChessScene, width: int = 80) -> list[str]:
    return ["".join(span.text for span in line) for line in chess_lines(scene, width)]


def test_the_first_move_is_drawn_as_on_a_table() -> None:
    assert shown(BEGUN) == [
        "     a  b  c  d  e  f  g  h",
        " 8   r  n  b  q  k  b  n  r  8   manyply 1 s",
        " 7   p  p  p  p  p  p  p  p  7",
        " 6   .  .  .  .  .  .  .  .  6",
        " 5   .  .  .  .  .  .  .  .  5",
        " 4   .  .  .  . (P) .  .  .  4",
        " 3   .  .  .  .  .  .  .  .  3",
        " 2   P  P  P  P (.) P  P  P  2",
        " 1   R  N  B  Q  K  B  N  R  1   Ann",
        "     a  b  c  d  e  f  g  h",
    ]


def test_black_sits_on_the_other_side() -> None:
    lines = shown(replace(BEGUN, is_flipped=True, has_figurines=True))
    assert lines[0] == "     h  g  f  e  d  c  b  a"
    assert lines[1] == " 1   ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖  1   Ann"
    assert lines[8] == " 8   ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜  8   manyply 1 s"


@given(boards, st.booleans(), st.booleans(), st.sampled_from([40, 60, 80]))
@pytest.mark.when_changed
def test_every_board_is_drawn_square_by_square(
    board: ChessBoard, is_flipped: bool, has_figurines: bool, width: int
) -> None:
    names = "w" * 100, "b" * 100
    lines = shown(ChessScene(board, names, "a1h8", is_flipped, has_figurines), width)
    assert all(len(line) <= width for line in lines)
    for square, sign in enumerate(board.signs):
        file, rank = square % 8, square // 8
        row, column = (rank, 7 - file) if is_flipped else (7 - rank, file)
        cell = lines[row + 1][4 + 3 * column : 7 + 3 * column]
        man = sign.translate(FIGURINE_OF) if has_figurines else sign
        is_last = square_name(square) in ("a1", "h8")
        assert cell == f"({man})".replace("-", ".").translate(
            str.maketrans("", "") if is_last else str.maketrans("()", "  ")
        )


def test_the_persons_men_have_a_look_of_their_own() -> None:
    for is_flipped, men in ((False, "PNBRQK"), (True, "pnbrqk")):
        lines = chess_lines(replace(BEGUN, names=("", ""), is_flipped=is_flipped))
        texts = {span.text for line in lines for span in line if span.style == "mine"}
        assert texts == {*men, ""}


LONG_NAMES = ChessScene(read_fen(START), ("W" * 60, "B" * 60))


def drawn(width: int | None, *, has_figurines: bool) -> list[str]:
    screen = Screen(width, lambda text: has_figurines)
    return ["".join(span.text for span in line) for line in draw_scene(LONG_NAMES, screen)]


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_a_board_is_as_wide_as_the_terminal(columns: int) -> None:
    lines = drawn(columns, has_figurines=True)
    assert max(map(len, lines)) == min(columns, 73)
    assert " 1   ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖  1" in lines[8]


def test_a_pipe_has_room_and_without_figurines_letters_do() -> None:
    lines = drawn(None, has_figurines=False)
    assert max(map(len, lines)) == 73
    assert " 8   r  n  b  q  k  b  n  r  8   BBB" in lines[1]

"""Chess boards as text and as drawings in SVG."""

from __future__ import annotations

import random
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard, square_name
from engine_ext.chess.fen import START, read_fen
from master.games.chess.board_svg import (
    board_parts,
    board_svg,
    board_title,
    definitions,
    field,
    man_name,
)
from master.games.chess.board_view import FIGURINES, ChessScene, chess_lines, draw_scene
from master.games.spans import Screen
from tests.engine_ext.chess.positions import boards
from tests.master.games.chess.board_reader import read_board

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


def some_board(seed: int, plies: int) -> ChessBoard:
    """Return a board of a game of random moves."""
    chance, board = random.Random(seed), read_fen(START)
    for _ in range(plies):
        if not board.move_count:
            break
        board = board.play(chance.choice(board.moves()))
    return board


@given(seed=st.integers(0, 999), plies=st.integers(0, 90))
def test_drawing_has_the_men_of_the_board_and_their_shapes(seed: int, plies: int) -> None:
    board = some_board(seed, plies)
    document = board_svg(board)
    assert read_board(document).signs == board.signs
    root = ElementTree.fromstring(document)
    shapes = {each.get("id") for each in root.iter() if (each.get("id") or "").startswith("c-")}
    used = {each.get("href", "")[1:] for each in root.iter("{http://www.w3.org/2000/svg}use")}
    assert used == shapes


@given(seed=st.integers(0, 99), plies=st.integers(0, 60), choice=st.integers(0, 999))
def test_arrows_go_from_the_man_to_near_its_aim(seed: int, plies: int, choice: int) -> None:
    board = some_board(seed, plies)
    if not board.move_count:
        return
    moves = board.moves()
    played, better = moves[choice % len(moves)], moves[-1]
    seen = read_board("".join(board_parts(board, played, better, "e2e4")))
    assert seen.last == {"e2", "e4"}
    for name, move in (("played", played), ("better", better)):
        assert seen.arrows[name][:2] == move[:2]


def test_castling_is_drawn_as_the_king_goes_though_it_is_named_by_its_rook() -> None:
    board = read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    seen = read_board("".join(board_parts(board, "e1h1")))
    assert seen.arrows["played"] == "e1g1"


def test_document_is_whole_and_small() -> None:
    document = board_svg(read_fen(START))
    assert "url(" not in document
    assert len(document) < 8_000
    assert field().count("z") == 32


def test_title_names_every_man_and_the_side_to_move() -> None:
    board = read_fen("4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    assert board_title(board) == "White: king e1, rook h1; Black: king e8; Black to move"


def test_each_man_has_a_shape_of_its_own_once() -> None:
    root = ElementTree.fromstring(f"<svg>{definitions()}</svg>")
    names = [each.get("id", "") for each in root]
    assert sorted(names) == sorted(man_name(sign) for sign in "PRNBQKprnbqk")
    drawn = {tuple(path.get("d") for path in each) for each in root}
    assert len(drawn) == 6


def test_only_shapes_that_are_wanted_are_defined() -> None:
    assert definitions("KK--k").count("<g ") == 2
    assert man_name("n") == "c-bN"

"""A drawing shows just what stands on the board."""

from __future__ import annotations

import random
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.drawing.board_svg import board_parts, board_svg, board_title, field
from tests.master.games.chess.drawing.board_reader import read_board


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

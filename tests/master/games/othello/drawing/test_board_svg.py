"""A drawing shows just what lies on the board."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import SIZES, OthelloBoard
from master.games.othello.drawing.board_svg import board_parts, board_svg, board_title, extent
from tests.master.games.othello.drawing.board_reader import read_board, squares_of


def some_board(size: int, seed: int, plies: int) -> OthelloBoard:
    """Return a board of a game of random moves."""
    chance, board = random.Random(seed), OthelloBoard.start(size)
    for _ in range(plies):
        if board.is_over:
            break
        board = board.passed() if board.must_pass else board.play(chance.choice(board.moves()))
    return board


@given(size=st.sampled_from(SIZES), seed=st.integers(0, 999), plies=st.integers(0, 70))
def test_drawing_has_the_discs_and_the_moves_of_the_board(size: int, seed: int, plies: int) -> None:
    board = some_board(size, seed, plies)
    seen = read_board(board_svg(board), size)
    assert seen.black == squares_of(board.black, size)
    assert seen.white == squares_of(board.white, size)
    assert seen.moves == set(board.moves())
    assert (seen.last, seen.rings) == (frozenset(), {})


def test_what_was_played_and_what_was_better_is_marked() -> None:
    board = OthelloBoard.start().play("f5")
    seen = read_board("".join(board_parts(board, "d6", "f6", "f5")))
    assert seen.rings == {"played": "d6", "better": "f6"}
    assert seen.last == {"f5"}
    assert "d6" not in seen.moves


@pytest.mark.parametrize("size", SIZES)
def test_document_is_whole_and_has_room_for_its_squares(size: int) -> None:
    board = OthelloBoard.start(size)
    document = board_svg(board)
    root = ElementTree.fromstring(document)
    assert root.attrib["viewBox"] == "0 0 {} {}".format(*extent(board))
    assert "href" not in document
    assert "url(" not in document
    assert len(document) < 3_000


def test_title_says_whose_turn_it_is() -> None:
    assert board_title(OthelloBoard.start()) == "Othello, black 2, white 2, black to move"
    assert board_title(some_board(8, 1, 70)).endswith("the game is over")

"""Othello boards as text and as drawings in SVG."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import SIZES, OthelloBoard
from master.games.othello.board_svg import board_parts, board_svg, board_title, extent, record_svg
from master.games.othello.board_view import OthelloScene, othello_lines
from master.games.othello.game import OthelloGame
from master.games.othello.record import read_position
from tests.master.games.othello.board_reader import read_board, squares_of
from tests.master.games.othello.games import games

NAMES = ("Ann", "manyply depth 12")
WIDTH_MAX = 80


def shown(scene: OthelloScene) -> list[str]:
    return ["".join(span.text for span in line) for line in othello_lines(scene)]


def test_the_second_move_is_drawn_as_on_a_table() -> None:
    assert shown(OthelloScene(OthelloBoard.start().play("f5"), NAMES, "f5")) == [
        "     a  b  c  d  e  f  g  h",
        " 1   .  .  .  .  .  .  .  .  1   X Ann",
        " 2   .  .  .  .  .  .  .  .  2     4 discs",
        " 3   .  .  .  .  .  .  .  .  3   O manyply depth 12",
        " 4   .  .  .  O  X  +  .  .  4     1 disc",
        " 5   .  .  .  X  X (X) .  .  5",
        " 6   .  .  .  +  .  +  .  .  6",
        " 7   .  .  .  .  .  .  .  .  7",
        " 8   .  .  .  .  .  .  .  .  8   59 empty squares",
        "     a  b  c  d  e  f  g  h",
    ]


@given(games)
def test_every_board_is_drawn_square_by_square(game: OthelloGame) -> None:
    board, last = game.board, "".join(game.squares[-1:])
    lines = shown(OthelloScene(board, ("b" * 100, "w" * 100), last))
    assert all(len(line) <= WIDTH_MAX for line in lines)
    signs, legal = board.to_text(), board.moves()
    for index in range(board.size**2):
        file, rank = index % board.size, index // board.size
        cell = lines[rank + 1][4 + 3 * file : 7 + 3 * file]
        name = "abcdefgh"[file] + str(rank + 1)
        sign = "+" if name in legal else signs[index].replace("-", ".")
        assert cell == (f"({sign})" if name == last else f" {sign} ")


def test_the_persons_discs_and_name_have_a_look_of_their_own() -> None:
    for mine in "XO":
        lines = othello_lines(OthelloScene(OthelloBoard.start(), NAMES, mine=mine))
        texts = {span.text[:1] for line in lines for span in line if span.style == "mine"}
        assert texts == {mine}


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


def test_board_is_the_last_of_a_game_with_its_move_marked() -> None:
    seen = read_board(record_svg(read_position("f5d6c3")))
    assert seen.last == {"c3"}
    assert seen.black == {"f5", "e5", "e4", "d4", "c3"}


def test_board_without_moves_has_no_mark() -> None:
    assert read_board(record_svg(read_position("FFO40"))).last == frozenset()

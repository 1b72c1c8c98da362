"""How master.games.othello.board_view draws."""

from __future__ import annotations

from hypothesis import given

from engine_ext.othello.board import OthelloBoard
from master.games.othello.board_view import OthelloScene, othello_lines
from master.games.othello.game import OthelloGame
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

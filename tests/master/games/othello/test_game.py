"""What master.games.othello.game promises: no sequence of moves and undos leaves a stale board."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import boards_of
from master.games.othello.game import OthelloGame, Turn, game_from, result_of
from tests.engine_ext.othello import reference_othello as reference
from tests.master.games.othello.games import games, random_game, random_turn, starts, steps

SHORTEST = "e6f4e3f6g5d6e7f5c5"


def squares_of(text: str) -> list[Turn]:
    return [Turn(text[i : i + 2]) for i in range(0, len(text), 2)]


class Reference:
    """The rules written plainly: a grid, a side, the moves so far and those taken back."""

    def __init__(self, start: OthelloBoard) -> None:
        self.start = reference.grid(start.to_text().split()[0])
        self.first = start.to_move
        self.moves: list[str] = []
        self.undone: list[str] = []

    def now(self) -> tuple[str, str | None]:
        """Return the squares, and whose turn it is."""
        grid, side = self.start, self._turn(self.start, self.first)
        for move in self.moves:
            assert side is not None
            legal = reference.legal(grid, side)
            square = next(square for square in legal if reference.name(square) == move)
            grid = reference.after(grid, side, square, legal[square])
            side = self._turn(grid, reference.other(side))
        return reference.text(grid), side

    @staticmethod
    def _turn(grid: reference.Grid, side: str) -> str | None:
        for one in (side, reference.other(side)):
            if reference.legal(grid, one):
                return one
        return None

    def play(self, move: str) -> None:
        self.moves.append(move)
        self.undone = self.undone[:-1] if self.undone[-1:] == [move] else []

    def undo(self) -> bool:
        if self.moves:
            self.undone.append(self.moves.pop())
            return True
        return False

    def redo(self) -> bool:
        if self.undone:
            self.moves.append(self.undone.pop())
            return True
        return False


@given(starts, st.lists(steps, max_size=60), st.randoms(use_true_random=False))
def test_any_moves_undos_and_redos_lead_where_the_plain_rules_lead(
    start: OthelloBoard, todo: list[str], choose: random.Random
) -> None:
    game, plain = game_from(start), Reference(start)
    for step in todo:
        if step == "play":
            if game.side is None:
                continue
            turn = random_turn(game, choose)
            game = game.play(turn)
            plain.play(turn.square)
        else:
            after = game.undo() if step == "undo" else game.redo()
            assert (after is not None) == (plain.undo() if step == "undo" else plain.redo())
            game = after or game
        assert [turn.square for turn in game.undone] == plain.undone
        assert list(game.boards) == boards_of(plain.moves, start)
    assert (game.board.to_text().split()[0], game.side) == plain.now()


@given(games, st.integers(0, 60))
def test_what_is_taken_back_is_done_again_with_all_that_is_known(
    game: OthelloGame, count: int
) -> None:
    back = game
    for _ in range(min(count, len(game.turns))):
        before = back.undo()
        assert before is not None
        back = before
    assert game_from(game.start, back.turns).board == back.board
    assert back.done_again() == game
    while (after := back.redo()) is not None:
        back = after
    assert back == game


def test_the_same_move_keeps_what_else_was_taken_back_and_another_drops_it() -> None:
    game = game_from(OthelloBoard.start(), squares_of("f5d6c3"))
    back = game.undo()
    back = back and back.undo()
    assert back is not None
    same, other = back.play(Turn("D6", "+1.00")), back.play(Turn("f4"))
    assert (same.turns[-1], same.undone) == (Turn("d6", "+1.00"), (Turn("c3"),))
    assert (other.undone, other.redo()) == ((), None)


@given(games)
def test_sides_of_turns_are_those_that_moved(game: OthelloGame) -> None:
    for number, turn in enumerate(game.turns):
        assert turn.square in game.boards[number].moves()
        assert game.side_of(number) == game.boards[number].to_move


@given(games)
def test_a_pass_is_told_just_where_one_side_cannot_move(game: OthelloGame) -> None:
    if game.side is None:
        assert game.has_passed is None
        return
    due = reference.other(game.side_of(len(game.turns) - 1)) if game.turns else game.start.to_move
    grid = reference.grid(game.board.to_text().split()[0])
    assert game.has_passed == (None if reference.legal(grid, due) else due)
    assert reference.legal(grid, game.side)


@given(st.integers(0, 10**6))
def test_results_count_as_the_plain_rules_do(seed: int) -> None:
    board = random_game(seed, 60).board
    found = result_of(board)
    signs = board.to_text().split()[0]
    assert found.discs == (signs.count("X"), signs.count("O"))
    assert found.empties == signs.count("-")
    assert found.margin == reference.final_score(reference.grid(signs), "X")
    assert found.winner == (None if found.margin == 0 else "X" if found.margin > 0 else "O")


def test_empty_squares_count_for_the_winner() -> None:
    game = game_from(OthelloBoard.start(), squares_of(SHORTEST))
    found = result_of(game.board)
    assert (found.discs, found.empties, found.margin, found.winner) == ((13, 0), 51, 64, "X")


def test_begun_again_has_nothing_to_take_back_or_do_again() -> None:
    game = random_game(1, 20).undo()
    assert game is not None
    again = game.begun_again()
    assert (again.board, again.undo(), again.redo()) == (OthelloBoard.start(), None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("f5f5", r"move 2 \(f5\): f5 is not empty"), ("a1", r"move 1 \(a1\): a1 turns no disc")],
)
def test_a_turn_that_is_not_legal_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        game_from(OthelloBoard.start(), squares_of(text))

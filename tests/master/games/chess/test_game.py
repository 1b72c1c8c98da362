"""Games of chess as they go on, back and on again: master.games.chess.game."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import ChessGame, Ending, cannot_mate, game_from
from tests.engine_ext.chess.positions import boards, ours
from tests.master.games.chess.games import followed, games, judged_games

FOOLS_MATE = ("f3", "e5", "g4", "Qh4#")
BARE = "8/8/4k3/8/2K5/8/8/8 w - - 0 1"


@given(judged_games)
@pytest.mark.when_changed
def test_a_game_ends_where_the_judge_says(board: chess.Board) -> None:
    game = followed(board)
    assert game.board == ours(board)
    outcome = board.outcome(claim_draw=False)
    if outcome is not None and outcome.termination is not chess.Termination.FIVEFOLD_REPETITION:
        assert game.result == outcome.result()
    elif game.ending is not None:
        assert game.ending in (Ending.REPETITION, Ending.FIFTY_MOVES)
        assert board.is_repetition(3) or board.is_fifty_moves()


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_material_is_judged_as_elsewhere(seed: int, count: int) -> None:
    choose = random.Random(seed)
    board = chess.Board(None)
    squares = choose.sample(range(64), 2 + count)
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
    for square in squares[2:]:
        board.set_piece_at(square, chess.Piece.from_symbol(choose.choice("NnBbBbBbr")))
    signs = "".join(
        "-" if (man := board.piece_at(square)) is None else man.symbol() for square in range(64)
    )
    try:
        ours_ = ChessBoard(signs)
    except ValueError:  # the kings stand in each other's way
        return
    assert cannot_mate(ours_) == board.is_insufficient_material()


@given(boards)
@pytest.mark.when_changed
def test_a_game_stands_where_its_moves_lead(board: ChessBoard) -> None:
    game = game_from(board)
    for move in board.moves():
        after = game.play(move)
        assert after.board == board.play(move)
        assert after.undo() is not None
        assert game_from(board, [after.last_san]) == after


@given(games, st.integers(1, 20))
@pytest.mark.when_changed
def test_what_is_taken_back_is_done_again(game: ChessGame, count: int) -> None:
    back = game
    for _ in range(count):
        back = back.undo() or back
    assert back.board == game.boards[max(0, len(game.moves) - count)]
    assert back.done_again() == game
    assert back.redo() == (back.play(back.undone[-1]) if back.undone else None)
    assert game_from(game.start, game.sans) == game


@given(games)
@pytest.mark.when_changed
def test_another_move_replaces_what_was_taken_back(game: ChessGame) -> None:
    back = game.undo()
    if back is None:
        return
    for move in back.board.moves(is_chess960=True):
        assert bool(back.play(move).undone) is False
    assert back.play(game.moves[-1]) == game


def test_a_mate_has_a_winner() -> None:
    game = game_from(read_fen(START), FOOLS_MATE)
    assert (game.ending, game.result, game.side) == (Ending.CHECKMATE, "0-1", None)
    assert game.last_san == "Qh4#"
    assert game_from(read_fen(START)).last_san == ""


PINNED = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1"
"""After d5 the pawn that would take en passant is pinned: that right is none."""


@pytest.mark.parametrize(
    ("fen", "moves", "ending"),
    [
        (START, ("Nf3", "Nf6", "Ng1", "Ng8") * 2, Ending.REPETITION),
        (START, ("Nf3", "Nf6", "Ng1", "Ng8"), None),
        (PINNED, ("d5", *("Kb5", "Kg8", "Ka5", "Kh8") * 2), Ending.REPETITION),
        (PINNED, ("d5", "Kb5", "Kg8", "Ka5", "Kh8"), None),
        (BARE, (), Ending.MATERIAL),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ("Ra2",), Ending.FIFTY_MOVES),
        ("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", ("e3",), None),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", ("Kg6",), Ending.STALEMATE),
        ("7k/R7/6K1/8/8/8/8/8 w - - 99 80", ("Ra8#",), Ending.CHECKMATE),
    ],
)
def test_draws_are_claimed(fen: str, moves: tuple[str, ...], ending: Ending | None) -> None:
    game = game_from(read_fen(fen), moves)
    assert game.ending is ending
    wins = {None: "*", Ending.CHECKMATE: "1-0"}
    assert game.result == wins.get(ending, "1/2-1/2")


def test_an_illegal_move_is_named_with_its_number() -> None:
    with pytest.raises(ValueError, match=r"^move 1\.\.\. e4 is not legal here; a pawn may play"):
        game_from(read_fen(START), ("e4", "e4"))

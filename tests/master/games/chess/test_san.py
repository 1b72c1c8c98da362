"""Moves as people write them: master.games.chess.san, judged by the `chess` package."""

from __future__ import annotations

import re

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.san import (
    MOVE_CHARACTERS_MAX,
    by_king,
    line_san,
    numbered,
    read_move,
    write_san,
)
from tests.engine_ext.chess.positions import boards, judged_boards, ours

FIGURINES = str.maketrans("KQRBN", "♔♕♖♗♞")
MANY_QUEENS = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"


def by_rook(board: chess.Board, move: chess.Move) -> str:
    """Return a move in UCI's words, castling by the rook's square."""
    board = board.copy(stack=False)
    board.chess960 = True
    return board.uci(move)


@given(judged_boards)
@pytest.mark.when_changed
def test_every_legal_move_is_written_as_the_judge_does(board: chess.Board) -> None:
    for move in board.legal_moves:
        name = by_rook(board, move)
        assert write_san(ours(board), name) == board.san(move)
        assert read_move(ours(board), board.san(move)) == name


def test_a_bishop_and_its_rank_are_no_square() -> None:
    board = read_fen("4k3/8/3B4/4B3/8/8/1P1B4/4B2K w - - 0 1")
    named = {"B5g3": "e5g3", "B1g3": "e1g3", "B2b4": "d2b4", "b2b4": "b2b4", "B2B4": "b2b4"}
    assert {text: read_move(board, text) for text in named} == named
    with pytest.raises(ValueError, match="b7 is empty"):
        read_move(board, "B7g3")


def test_a_board_full_of_queens_is_told_apart() -> None:
    board = chess.Board(MANY_QUEENS)
    for move in board.legal_moves:
        assert write_san(read_fen(MANY_QUEENS), move.uci()) == board.san(move)


@given(boards)
@pytest.mark.when_changed
def test_what_is_typed_in_either_way_is_the_same_move(board: ChessBoard) -> None:
    for name in board.moves(is_chess960=True):
        san = write_san(board, name)
        bare = san.rstrip("+#")
        ways = (san, bare, f" {san}!? ", name, san.translate(FIGURINES), bare.replace("O", "0"))
        assert {read_move(board, way) for way in ways} == {name}


@given(boards)
@pytest.mark.when_changed
def test_a_move_in_ucis_usual_words_plays_what_it_says(board: ChessBoard) -> None:
    for name in board.moves():
        assert board.play(read_move(board, name)) == board.play(name)
        assert write_san(board, name) == write_san(board, read_move(board, name))


@given(boards, st.text("abcdefgh12345678NBRQKOxP=+0- \x1b", max_size=16))
@pytest.mark.when_changed
def test_whatever_is_typed_is_a_legal_move_or_one_line(board: ChessBoard, text: str) -> None:
    try:
        said, known = read_move(board, text), board.moves(is_chess960=True)
    except ValueError as error:
        said, known = str(error), []
    assert said in known or (not known and said.isprintable())


@given(judged_boards)
@pytest.mark.when_changed
def test_a_line_is_written_move_by_move(board: chess.Board) -> None:
    start, moves = board.root(), board.move_stack
    names = [move.uci() for move in moves]
    if board.chess960:
        names, replayed = [], board.root()
        for move in moves:
            names.append(by_rook(replayed, move))
            replayed.push(move)
    written = line_san(ours(start), names)
    assert numbered(written, 1, is_black=False) == start.variation_san(moves)


def test_a_line_that_black_begins_has_dots() -> None:
    assert numbered(["Nc6", "Bb5", "a6"], 2, is_black=True) == "2... Nc6 3. Bb5 a6"
    assert numbered([], 2, is_black=True) == ""


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (START, "nf3", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        (START, "Pe4", "e2e4"),
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", "bc4", "b3c4"),
        ("4k3/8/8/8/2p5/8/8/4KB2 w - - 0 1", "bxc4", "f1c4"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8N", "e7e8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "ed6ep", "e5d6"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o-o", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1h1"),
    ],
)
def test_people_are_understood(fen: str, text: str, name: str) -> None:
    assert read_move(read_fen(fen), text) == name


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (START, "foo", "'foo' is no move such as a3 or a2a3"),
        (START, "", "'' is no move such as a3 or a2a3"),
        (START, "Nf3" * 99, f"'{'Nf3' * 4}'... is no move such as a3 or a2a3"),
        (START, "Nd4", "Nd4 is not legal here; a knight may play Na3 Nc3 Nf3 Nh3"),
        (START, "Ke2", "Ke2 is not legal here; no king can move"),
        (START, "O-O", "O-O is not legal here; no king can move"),
        (START, "e2e5", "e2e5 is not legal here; a pawn on e2 may play e3 e4"),
        (START, "a1a3", "a1a3 is not legal here; no rook on a1 can move"),
        (START, "e7e5", "e7 has none of your men; you may play Na3"),
        (START, "e4e5", "e4 is empty; you may play Na3"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "Nd2 may be Nbd2 or Nfd2"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8", "promotes: expected e8=B, e8=N, e8=Q or e8=R"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "promotes: expected e7e8q, e7e8r, e7e8b, "),
        ("k7/8/8/8/8/8/1q6/K7 w - - 0 1", "e4", "e4 is not legal here; no pawn can move"),
    ],
)
def test_a_mistake_says_what_was_expected(fen: str, text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_move(read_fen(fen), text)


@given(judged_boards)
@pytest.mark.when_changed
def test_a_board_shows_where_a_king_goes(board: chess.Board) -> None:
    for move in board.legal_moves:
        shown = by_king(ours(board), by_rook(board, move))
        board.push(move)
        man = board.piece_at(chess.parse_square(shown[2:4]))
        board.pop()
        assert man is not None
        assert man.piece_type == move.promotion or man == board.piece_at(move.from_square)


def test_what_is_not_legal_is_not_written() -> None:
    with pytest.raises(ValueError, match="'e2e5' is no legal move here"):
        write_san(read_fen(START), "e2e5")
    assert len("Qa1xb2=Q+!?") < MOVE_CHARACTERS_MAX

"""Polyglot books: published keys, the reader of python-chess as an oracle, damaged files."""

from __future__ import annotations

import os
import random
from pathlib import Path

import chess
import chess.polyglot
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen, write_fen
from master.games.chess.book.polyglot import BookError, BookMove, PolyglotBook, polyglot_key
from master.games.chess.book.random_numbers import RANDOM_64
from master.games.chess.probe_rounds import usual_words
from tests.master.games.chess.book.records import book_of, record

PUBLISHED = (
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463B96181691FC9C),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823C9B50FD114196),
    ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756B94461C50FB0),
    ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662FAFB965DB29D4),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22A48B5A8E47FF78),
    ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652A607CA3F242C1),
    ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00FDD303C946BDD9),
    ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3C8123EA7B067637),
    ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5C3F9B829B279560),
)
"""Test data of "Polyglot book format"."""

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
PROMOTING = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
CHESS960 = "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1"


@st.composite
def positions(draw: st.DrawFn) -> ChessBoard:
    board = read_fen(draw(st.sampled_from((START, CASTLING))))
    for _ in range(draw(st.integers(0, 40))):
        moves = board.moves()
        if not moves:
            break
        board = board.play(draw(st.sampled_from(moves)))
    return board


@pytest.mark.parametrize(("fen", "key"), PUBLISHED)
def test_keys_are_the_published_ones(fen: str, key: int) -> None:
    assert polyglot_key(read_fen(fen)) == key


def test_the_numbers_are_those_of_other_programs() -> None:
    assert tuple(chess.polyglot.POLYGLOT_RANDOM_ARRAY) == RANDOM_64


@given(positions())
def test_keys_are_those_of_python_chess(board: ChessBoard) -> None:
    assert polyglot_key(board) == chess.polyglot.zobrist_hash(chess.Board(write_fen(board)))


def test_every_position_of_a_book_has_the_moves_that_python_chess_reads(tmp_path: Path) -> None:
    rng, records, boards = random.Random(7), [], list[ChessBoard]()
    for fen in (CASTLING, PROMOTING, *(fen for fen, _ in PUBLISHED)):
        board = read_fen(fen)
        boards.append(board)
        records += [(board, move, rng.randrange(3)) for move in board.moves(True)]
    book = book_of(tmp_path / "book.bin", *records)
    with chess.polyglot.open_reader(tmp_path / "book.bin") as reader:
        for board in boards:
            theirs = reader.find_all(chess.Board(write_fen(board)), minimum_weight=1)
            ours = {(usual_words(board, [each.move]), each.weight) for each in book.moves(board)}
            assert ours == {((each.move.uci(),), each.weight) for each in theirs}


def test_the_heaviest_move_is_played_and_of_equals_the_first_by_name(tmp_path: Path) -> None:
    board = read_fen(START)
    book = book_of(
        tmp_path / "book.bin", (board, "e2e4", 5), (board, "d2d4", 5), (board, "a2a3", 9000),
        (board, "h2h3", 0), (board, "e2e5", 60_000), (board, "a1a1", 60_000),
    )  # fmt: skip
    assert book.moves(board) == (
        BookMove("a2a3", 9000), BookMove("d2d4", 5), BookMove("e2e4", 5),
    )  # fmt: skip
    assert book.moves(board)[0].move == "a2a3"
    assert book.moves(board.play("e2e4")) == ()


def test_chess960_has_no_book(tmp_path: Path) -> None:
    board = read_fen(CHESS960)
    assert book_of(tmp_path / "book.bin", (board, board.moves(True)[0], 1)).moves(board) == ()


@pytest.mark.parametrize(
    "content",
    [b"", b"x" * 17, record(9, "e2e4", 1) + record(3, "e2e4", 1), b"\xff" * 8 + b"1" * 40],
)
def test_a_file_that_is_no_book_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "book.bin"
    path.write_bytes(content)
    with pytest.raises(BookError, match="expected a Polyglot book"):
        PolyglotBook(path)
    with pytest.raises(BookError, match="cannot read"):
        PolyglotBook(tmp_path / "none.bin")


def test_a_book_that_becomes_shorter_has_no_moves(tmp_path: Path) -> None:
    board = read_fen(START)
    book = book_of(tmp_path / "book.bin", (board, "e2e4", 5))
    (tmp_path / "book.bin").write_bytes(b"")
    assert book.moves(board) == ()


def test_a_pipe_is_no_book_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "book.bin")
    with pytest.raises(BookError, match="expected a Polyglot book"):
        PolyglotBook(tmp_path / "book.bin")

"""FEN is read and written as other programs do."""

import chess
import pytest
from hypothesis import given

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, is_chess960, read_fen, write_fen
from tests.engine_ext.chess.positions import boards, judged_boards


@given(boards)
def test_what_is_written_is_read_back(board: ChessBoard) -> None:
    for has_files in (False, True):
        assert read_fen(write_fen(board, has_files)) == board


@given(judged_boards)
@pytest.mark.when_changed
def test_text_is_that_of_the_library(board: chess.Board) -> None:
    for is_shredder in (False, True):
        text = board.fen(shredder=is_shredder, en_passant="xfen")
        reported = board.fen(shredder=is_shredder, en_passant="legal")
        assert write_fen(read_fen(text), is_shredder) == reported


def test_en_passant_that_no_pawn_can_use_is_forgotten() -> None:
    board = read_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert board.en_passant is None
    assert board == read_fen(START).play("e2e4")
    assert read_fen("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1").en_passant is None  # the pawn is pinned
    assert read_fen("7k/8/8/3pP2r/K7/8/8/8 w - d6 0 1").en_passant is not None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "a FEN is six words"),
        ("x" * 200, "a FEN is six words"),
        (START.replace(" w ", " x "), "side to move is w or b, not 'x'"),
        (START.replace("/8/8/8/8", "/8/8/8"), "eight ranks, not 7"),
        (START.replace("/8/8/8/8", "/8/9/8/8"), "rank 5, '9'"),
        (START.replace("/8/8/8/8", "/8/44x/8/8"), "rank 5, '44x'"),
        (START.replace("/8/8/8/8", "/8/--------/8/8"), "rank 5, '--------'"),
        (START.replace("KQkq", "KQkqA"), "castling is -"),
        (START.replace("KQkq", "KK"), "castling is -"),
        (START.replace("KQkq", "B"), "castling 'B': no such rook"),
        ("4k3/8/8/8/8/8/8/4KR2 w Q - 0 1", "castling 'Q': no such rook"),
        ("4k3/8/8/8/8/8/8/R7 w Q - 0 1", "castling 'Q': no such rook"),
        (START.replace(" - 0", " e5 0"), "en passant is -"),
        (START.replace(" - 0", " e3 0"), "double step"),
        (START.replace(" 0 1", " x 1"), "'x' is no number"),
        (START.replace(" 0 1", " 0 01"), "'01' is no number"),
    ],
)
def test_text_that_is_no_position_is_refused(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        read_fen(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (START, False),
        ("4k3/8/8/8/8/8/8/1RK5 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", True),
        ("1r2k3/8/8/8/8/8/8/4K2R b Kq - 0 1", True),
        ("r4k2/8/8/8/8/8/8/4K2R b Kq - 0 1", True),
    ],
)
def test_chess960_is_told_by_where_castling_begins(text: str, expected: bool) -> None:
    assert is_chess960(read_fen(text)) is expected

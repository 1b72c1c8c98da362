"""Boards, moves, exchanges and FEN agree with a library that knows the rules."""

import pickle
import threading
from collections.abc import Iterator
from importlib.resources import files

import chess
import pytest
from hypothesis import given, settings

from engine_ext.chess.board import (
    CLOCK_MAX,
    PERFT_DEPTH_MAX,
    ChessBoard,
    available_kernels,
    force_kernel,
    kernel_name,
    perft,
    square_name,
)
from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.exchange import gains
from engine_ext.chess.fen import START, is_chess960, read_fen, write_fen
from engine_ext.control import RunControl
from tests.engine_ext.chess.perft_suites import CHESS, CHESS960, SuiteRow
from tests.engine_ext.chess.positions import boards, judged_boards, ours

GAMES_MAX = 3_000_000
"""Counts up to so many are made by each kernel in the tests; the rest is a benchmark."""

START_SIGNS = "RNBQKBNR" + "P" * 8 + "-" * 32 + "p" * 8 + "rnbqkbnr"
BOTH_CASTLE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20"


@pytest.fixture
def any_kernel() -> Iterator[None]:
    """Give the best kernel back after a test that forces others."""
    yield
    force_kernel(available_kernels()[0])


@given(judged_boards)
@pytest.mark.when_changed
def test_moves_are_those_of_the_library(board: chess.Board) -> None:
    mine = ours(board)
    legal = list(board.legal_moves)
    names = [board.uci(move) for move in legal]
    assert mine.moves(board.chess960) == sorted(names)
    assert mine.move_count == len(legal)
    assert mine.is_check == board.is_check()


@given(judged_boards)
@pytest.mark.when_changed
def test_captures_are_those_of_the_library_and_promotions_to_a_queen(board: chess.Board) -> None:
    wanted = [
        board.uci(move)
        for move in board.legal_moves
        if move.promotion in (None, chess.QUEEN) and (board.is_capture(move) or move.promotion)
    ]
    assert ours(board).captures() == sorted(wanted)


@given(judged_boards)
@pytest.mark.when_changed
def test_board_after_each_move_is_that_of_the_library(board: chess.Board) -> None:
    mine = ours(board)
    for move in list(board.legal_moves):
        after = mine.play(board.uci(move))
        board.push(move)
        assert after == ours(board)
        assert after.key == ours(board).key, "the key that moves carry on is that of the board"
        board.pop()


@given(judged_boards)
@pytest.mark.when_changed
def test_attackers_are_those_of_the_library(board: chess.Board) -> None:
    mine = ours(board)
    for square in range(0, 64, 5):
        both = board.attackers(chess.WHITE, square) | board.attackers(chess.BLACK, square)
        assert mine.attackers(square) == list(both)


@given(boards)
@pytest.mark.when_changed
def test_value_is_read_back(board: ChessBoard) -> None:
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert len({board, eval(repr(board))}) == 1


@given(boards)
@pytest.mark.when_changed
def test_mirrored_position_has_as_many_games(board: ChessBoard) -> None:
    mirrored = board.mirrored()
    assert mirrored.mirrored() == board
    assert mirrored.key != board.key
    assert perft(mirrored, 2) == perft(board, 2)


@given(boards)
@pytest.mark.when_changed
def test_pass_changes_the_side_and_forgets_en_passant(board: ChessBoard) -> None:
    if board.is_check:
        with pytest.raises(ValueError, match="in check cannot pass"):
            board.passed()
        return
    passed = board.passed()
    signs, castling = board.signs, board.castling
    fresh = ChessBoard(signs, not board.is_black, castling, None, passed.clock, passed.move_number)
    assert (passed, passed.key) == (fresh, fresh.key)


def test_keys_of_all_positions_three_plies_on_are_different() -> None:
    seen: dict[int, ChessBoard] = {}
    front = [read_fen(START)]
    for _ in range(3):
        front = [board.play(move) for board in front for move in board.moves()]
        for board in front:
            there = seen.setdefault(board.key, board)
            assert (there.signs, there.is_black) == (board.signs, board.is_black)
    assert len(seen) == 20 + 400 + 5362  # distinct positions after 1, 2 and 3 plies


@pytest.mark.slow
@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize("kernel", available_kernels())
@pytest.mark.parametrize("suite", [CHESS, CHESS960], ids=["chess", "chess960"])
@pytest.mark.when_changed
def test_games_are_counted_as_published(suite: list[SuiteRow], kernel: str) -> None:
    force_kernel(kernel)
    assert kernel_name() == kernel
    for row in suite:
        for depth, games in row.games.items():
            if games <= GAMES_MAX:
                assert perft(read_fen(row.fen), depth) == games, (row.fen, depth)


@settings(max_examples=50)
@given(boards)
def test_kernels_agree(board: ChessBoard) -> None:
    found = []
    for kernel in available_kernels():
        force_kernel(kernel)
        attackers = [board.attackers(square) for square in range(64)]
        found.append((board.moves(), board.captures(), attackers, perft(board, 2)))
    force_kernel(available_kernels()[0])
    assert all(each == found[0] for each in found)


def test_unknown_kernel_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="no kernel 'abacus' here, only"):
        force_kernel("abacus")


def test_perft_of_nothing_is_one_and_too_deep_is_refused() -> None:
    start = read_fen(START)
    assert perft(start, 0) == 1
    for depth in (-1, PERFT_DEPTH_MAX + 1):
        with pytest.raises(ValueError, match=f"0 to {PERFT_DEPTH_MAX}, not {depth}"):
            perft(start, depth)


def test_perft_can_be_stopped_and_counts_steps() -> None:
    control = RunControl()
    assert perft(read_fen(START), 4, control) == 197_281
    assert control.steps == 197_281
    running = RunControl()
    counting = threading.Thread(target=perft, args=(read_fen(START), 12, running))
    counting.start()
    running.stop()
    counting.join(timeout=30)
    assert not counting.is_alive()


def test_castling_is_played_in_both_notations() -> None:
    board = read_fen(BOTH_CASTLE)
    assert {"e1g1", "e1c1"} <= set(board.moves())
    assert {"e1h1", "e1a1"} <= set(board.moves(is_chess960=True))
    assert board.play("e1g1") == board.play("e1h1")
    assert board.play("e1c1") == board.play("e1a1")


def test_king_that_can_step_where_castling_takes_it_steps_unless_it_says_castle() -> None:
    board = read_fen("1k6/8/8/8/8/8/8/5KR1 w G - 0 1")
    assert board.play("f1g1").castling == 0
    assert board.play("f1g1").signs[5:7] == "RK"
    assert board.play("f1f2").signs[13] == "K"


def test_clock_and_move_number_go_on() -> None:
    board = read_fen(BOTH_CASTLE)
    after = board.play("a1a8")
    assert (after.clock, after.move_number) == (0, 20)
    assert (board.play("e1e2").clock, board.play("e1e2").play("e8e7").move_number) == (4, 21)


@pytest.mark.parametrize("move", ["e2e5", "e9e4", "", "e2e4q", "E2E4", "0000"])
def test_move_that_is_not_legal_is_refused(move: str) -> None:
    with pytest.raises(ValueError, match="is no legal move here"):
        read_fen(START).play(move)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"signs": "P"}, "64 characters"),
        ({"signs": START_SIGNS.replace("K", "Q")}, "White has 0 kings"),
        ({"signs": START_SIGNS.replace("q", "k")}, "Black has 2 kings"),
        ({"signs": START_SIGNS.replace("-", "R", 1)}, "White has 17 men"),
        ({"signs": "P" + START_SIGNS[1:8] + "-" + START_SIGNS[9:]}, "first or the last rank"),
        ({"castling": 1 << 1}, "rook that is not there"),
        ({"castling": 1 << 20}, "rook that is not there"),
        ({"en_passant": 64}, "a square is 0 to 63"),
        ({"en_passant": 20}, "double step"),
        ({"clock": -1}, "clock is 0 to"),
        ({"clock": CLOCK_MAX + 1}, "clock is 0 to"),
        ({"move_number": 0}, "number is 1 to"),
        (
            {"signs": "K-----r-" + "-" * 48 + "-------k", "is_black": True},
            "not to move is in check",
        ),
        ({"signs": "R-R-K---" + "-" * 48 + "-------k", "castling": 5}, "two rooks of one side"),
        ({"signs": "----K---R" + "-" * 47 + "-------k", "castling": 256}, "off its first rank"),
    ],
)
def test_board_that_no_game_has_is_refused(words: dict[str, int | str], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        ChessBoard(**({"signs": START_SIGNS} | words))  # type: ignore[arg-type]


def test_square_is_named_and_checked() -> None:
    assert (square_name(0), square_name(63)) == ("a1", "h8")
    with pytest.raises(ValueError, match="a square is 0 to 63"):
        read_fen(START).attackers(64)


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
        ("", "a FEN is: pieces"),
        ("x" * 200, "a FEN is: pieces"),
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
def test_chess960_is_recognised_by_where_castling_begins(text: str, expected: bool) -> None:
    assert is_chess960(read_fen(text)) is expected


WORTH = {
    chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 950,
    chess.KING: 20_000,
}  # fmt: skip


def cheapest(board: chess.Board, square: int, side: chess.Color, flip: int) -> int | None:
    """Return the cheapest man of a side that attacks a square; of a kind the first to us."""
    men = board.attackers(side, square)
    return min(men, key=lambda each: (worth(board, each), each ^ flip), default=None)


def worth(board: chess.Board, square: int) -> int:
    man = board.piece_type_at(square)
    return WORTH[man] if man else 0


def best(board: chess.Board, square: int, side: chess.Color, flip: int) -> int:
    """Return what a side gains by taking on a square, or by leaving it."""
    start = cheapest(board, square, side, flip)
    if start is None:
        return 0
    man = board.piece_at(start)
    assert man is not None
    if man.piece_type == chess.KING and board.attackers(not side, square):
        return 0
    after = board.copy(stack=False)
    after.remove_piece_at(start)
    after.set_piece_at(square, man)
    return max(0, worth(board, square) - best(after, square, not side, flip))


def gained(board: chess.Board, move: chess.Move) -> int:
    """Return what a move gains once the captures on its square are over."""
    man = board.piece_at(move.from_square)
    assert man is not None
    won = worth(board, move.to_square)
    after = board.copy(stack=False)
    after.remove_piece_at(move.from_square)
    if board.is_en_passant(move):
        won = WORTH[chess.PAWN]
        after.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    if move.promotion:
        won += WORTH[move.promotion] - WORTH[chess.PAWN]
        man = chess.Piece(move.promotion, man.color)
    after.set_piece_at(move.to_square, man)
    return won - best(after, move.to_square, not board.turn, 0 if board.turn else 56)


@given(judged_boards)
@pytest.mark.when_changed
def test_gain_is_that_of_a_plain_search(board: chess.Board) -> None:
    mine = ours(board)
    for move in list(board.legal_moves):
        if board.is_castling(move):
            continue
        gain = gained(board, move)
        name = board.uci(move)
        assert gains(mine, name, gain), (board.fen(), name, gain)
        assert not gains(mine, name, gain + 1), (board.fen(), name, gain)


def test_castling_gains_nothing_and_a_move_that_is_none_is_refused() -> None:
    board = ours(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert gains(board, "e1g1", 0)
    assert not gains(board, "e1g1", 1)
    with pytest.raises(ValueError, match="is no legal move here"):
        gains(board, "e1e8", 0)


def test_every_position_and_its_best_moves_are_there() -> None:
    suite = bratko_kopec()
    assert list(suite) == [f"BK{number}" for number in range(1, 25)]
    lines = (files("engine_ext.chess") / "data" / "bratko_kopec.epd").read_text().splitlines()
    for line, found in zip(lines, suite.values(), strict=True):
        board, operations = chess.Board.from_epd(line)
        assert write_fen(found.board) == board.fen()
        moves = {board.parse_san(move) for move in found.best}
        theirs = operations["bm"]
        assert isinstance(theirs, list)
        assert moves == set(theirs)

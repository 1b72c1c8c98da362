"""Boards, moves and kernels against the rules written plainly."""

import pickle
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import (
    PERFT_DEPTH_MAX,
    OthelloBoard,
    available_kernels,
    force_kernel,
    kernel_name,
    perft,
    square_from_name,
    square_name,
)
from tests.engine_ext.othello.positions import boards, played, strewn_boards
from tests.engine_ext.othello.reference_othello import (
    after,
    final_score,
    grid,
    legal,
    name,
    stable_by_trying,
)
from tests.engine_ext.othello.reference_othello import text as grid_text

START_TEXT = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"

PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800]
DISTINCT = [1, 1, 3, 14, 60, 322, 1773, 10649, 67245, 434029]

any_board = st.one_of(boards(), strewn_boards())


@pytest.fixture
def any_kernel() -> Iterator[None]:
    """Give the best kernel back after a test that forces others."""
    yield
    force_kernel(available_kernels()[0])


@given(any_board)
def test_text_is_read_back_as_the_same_board(board: OthelloBoard) -> None:
    assert OthelloBoard.from_text(board.to_text()) == board
    assert eval(repr(board)) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert len({board, OthelloBoard.from_text(board.to_text().lower())}) == 1


def test_the_start_is_black_on_d5_and_e4() -> None:
    start = OthelloBoard.start()
    assert start.to_text() == START_TEXT
    assert start.moves() == ("d3", "c4", "f5", "e6")
    assert start.play("f5").to_move == "O"
    assert start.disc_counts() == (2, 2)
    assert [OthelloBoard.start(size).empties for size in (4, 6)] == [12, 32]


@pytest.mark.slow
@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize("kernel", available_kernels())
@pytest.mark.when_changed
def test_kernel_plays_by_the_rules(kernel: str) -> None:
    force_kernel(kernel)

    @given(any_board)
    @settings(max_examples=200, deadline=None)
    def plays_by_the_rules(board: OthelloBoard) -> None:
        squares = grid(board.to_text().split()[0])
        moves = legal(squares, board.to_move)
        assert board.moves() == tuple(name(square) for square in moves)
        for square, discs in moves.items():
            expected = grid_text(after(squares, board.to_move, square, discs))
            assert board.play(name(square)).to_text().split()[0] == expected
        assert board.final_score == final_score(squares, board.to_move)

    plays_by_the_rules()
    assert kernel_name() == kernel


@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize("kernel", available_kernels())
def test_kernel_counts_the_published_numbers(kernel: str) -> None:
    force_kernel(kernel)
    assert [perft(OthelloBoard.start(), depth) for depth in range(9)] == PERFT[:9]


@pytest.mark.slow
@pytest.mark.when_changed
def test_perft_of_eleven_plies_is_the_published_one() -> None:
    counts = [perft(OthelloBoard.start(), depth) for depth in (9, 10, 11)]
    assert counts == PERFT[9:]


def test_4x4_has_60060_games() -> None:
    assert perft(OthelloBoard.start(4), PERFT_DEPTH_MAX) == 60_060


def test_portable_kernel_is_always_there() -> None:
    assert available_kernels()[-1] == "portable"
    assert kernel_name() in available_kernels()
    with pytest.raises(ValueError, match="no kernel 'abacus' here, only"):
        force_kernel("abacus")


@pytest.mark.slow
def test_positions_up_to_symmetry_are_as_many_as_published() -> None:
    level = {OthelloBoard.start()}
    counts = [1]
    for _ in range(8):
        level = {
            after_move.canonical()
            for board in level
            for move in board.moves()
            for after_move in [board.play(move)]
        }
        counts.append(len(level))
    assert counts == DISTINCT[:9]


@given(any_board, st.integers(0, 7))
def test_symmetric_boards_have_symmetric_moves(board: OthelloBoard, symmetry: int) -> None:
    other = board.transformed(symmetry)
    assert other.canonical() == board.canonical()
    assert other.canonical().canonical() == board.canonical()
    assert len(other.moves()) == len(board.moves())
    assert other.stable.bit_count() == board.stable.bit_count()
    assert len({board.transformed(each) for each in range(8)}) in {1, 2, 4, 8}
    least = min((board.transformed(i) for i in range(8)), key=lambda b: (b.player, b.opponent))
    assert board.canonical() == least


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.when_changed
def test_stable_discs_never_turn(size: int) -> None:
    found = 0
    for seed in range(40):
        board = played(seed, 6, size)
        squares = grid(board.to_text().split()[0])
        kept = {square_from_name(name(s), size) for s in stable_by_trying(squares, board.to_move)}
        stable = {square for square in range(64) if board.stable >> square & 1}
        assert stable <= kept
        found += len(stable)
    assert found > 20


def test_an_edge_is_stable_from_its_corner_on() -> None:
    board = OthelloBoard.from_text("XXX-----" + "OO------" + "-" * 48 + "X")
    assert board.stable == 0b111
    full = OthelloBoard.from_text("X" * 16 + "-" * 48 + "X")
    assert full.stable & 0xFF == 0xFF


@given(boards(0, 30))
def test_passes_and_ends_follow_from_the_moves(board: OthelloBoard) -> None:
    if board.moves():
        with pytest.raises(ValueError, match="has a legal move and cannot pass"):
            board.passed()
        assert not board.is_over
        assert not board.must_pass
    else:
        assert board.is_over == (not board.passed().moves())
        assert board.must_pass != board.is_over
        assert board.passed().final_score == -board.final_score


def test_empty_squares_count_for_the_winner() -> None:
    wiped_out = OthelloBoard.from_text("X" * 10 + "-" * 54 + "O")
    assert wiped_out.is_over
    assert wiped_out.final_score == -64
    assert OthelloBoard.from_text("XO" + "-" * 14 + "X").final_score == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a board is 64 characters"),
        ("-" * 64, "X or O: it is missing"),
        ("-" * 63, "X or O: not 63 characters"),
        ("-" * 64 + "?", "character 65 of a board is X or O, not '\\?'"),
        ("-" * 64 + "-", "character 65 of a board is X or O, not '-'"),
        ("-" * 3 + "#" + "-" * 60 + "X", "character 4 of a board is X, O or -, not '#'"),
        ("ß" * 64 + "X", "a board is 64 characters"),
    ],
)
def test_a_broken_text_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        OthelloBoard.from_text(text)


@given(st.text(max_size=70))
def test_any_text_is_a_board_or_an_error(text: str) -> None:
    try:
        board = OthelloBoard.from_text(text)
    except ValueError:
        return
    assert OthelloBoard.from_text(board.to_text()) == board


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((1, 1), "both sides have a disc on a1"),
        ((-1, 0), "beside the 8 x 8 board"),
        ((1 << 64, 0), "beside the 8 x 8 board"),
        ((1, 0, "X", 6), "beside the 6 x 6 board"),
        ((1, 0, "B"), "the side to move is X or O, not 'B'"),
        ((1, 0, "X", 10), "4, 6 or 8 squares a side, not 10"),
    ],
)
def test_impossible_boards_are_refused(arguments: tuple[int, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        OthelloBoard(*arguments)


@pytest.mark.parametrize(
    ("move", "complaint"),
    [("a1", "a1 turns no disc of O"), ("d4", "d4 is not empty"), ("i1", "a square is a1 to h8"),
     ("", "a square is a1 to h8"), ("f55", "a square is a1 to h8")],
)  # fmt: skip
def test_illegal_moves_are_refused(move: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        OthelloBoard.start().play(move)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_names_number_the_squares_of_every_board(size: int) -> None:
    names = [file + str(rank + 1) for rank in range(size) for file in "abcdefgh"[:size]]
    assert [square_name(square_from_name(each, size), size) for each in names] == names
    with pytest.raises(ValueError, match="has no square 64"):
        square_name(64, size)


def test_a_board_cannot_be_changed() -> None:
    board = OthelloBoard.start()
    with pytest.raises(AttributeError):
        board.player = 0  # type: ignore[misc]
    with pytest.raises(AttributeError):
        board.to_move = "O"
    with pytest.raises(ValueError, match="a symmetry is 0 to 7, not 8"):
        board.transformed(8)


@pytest.mark.parametrize("depth", [-1, PERFT_DEPTH_MAX + 1])
def test_perft_refuses_a_depth_out_of_range(depth: int) -> None:
    with pytest.raises(ValueError, match="depth"):
        perft(OthelloBoard.start(), depth)


def test_a_long_perft_runs_without_the_gil_and_stops_when_asked() -> None:
    control = RunControl()
    start = OthelloBoard.start()
    counter = threading.Thread(target=perft, args=(start, PERFT_DEPTH_MAX, control))
    counter.start()
    while control.steps == 0:  # only goes on if the count has released the GIL
        pass
    control.stop()
    counter.join(10)
    assert not counter.is_alive()


def test_perft_counts_every_position_as_a_step() -> None:
    control = RunControl()
    assert perft(OthelloBoard.start(), 7, control) == control.steps == PERFT[7]

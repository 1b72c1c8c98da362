"""The value that searches prove: the definition's, whatever window, table or order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import BEFORE, FULL_WIDTH, PASSED, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import MATE_VALUE, ExactSearch
from engine_ext.chess.fen import read_fen
from engine_ext.search.table import KeyedTable
from tests.engine_ext.chess.exact.endings import endings
from tests.engine_ext.chess.exact.reference_exact import Reference
from tests.engine_ext.chess.positions import boards

NO_GAME = GameBefore()
playable = boards.filter(lambda board: board.move_count > 0)


def value(
    board: ChessBoard, flags: int, depth: int, before: GameBefore = NO_GAME,
    table: KeyedTable | None = None, window: tuple[int, int] | None = None,
) -> int:  # fmt: skip
    """Search; return the fail-soft value."""
    search = ExactSearch(Position(board, flags), depth, *(window or ()), before=before, table=table)
    assert search.run()
    assert search.value is not None
    return search.value


@settings(max_examples=25, deadline=None)
@given(playable, st.sampled_from([0, ROOT, PASSED, FULL_WIDTH]), st.integers(0, 2))
@pytest.mark.when_changed
def test_is_what_the_definition_says(board: ChessBoard, flags: int, depth: int) -> None:
    flags = 0 if board.is_check else flags
    expected = Reference(NO_GAME).value(board, flags, depth)
    assert value(board, flags, depth) == expected


@settings(max_examples=15, deadline=None)
@given(endings, st.integers(3, 4), st.sampled_from([0, FULL_WIDTH]))
@pytest.mark.when_changed
def test_is_what_the_definition_says_of_endings(board: ChessBoard, depth: int, width: int) -> None:
    before = GameBefore.of_game([board])
    flags = ROOT | BEFORE | width
    assert value(board, flags, depth, before) == Reference(before).value(board, flags, depth)


@settings(max_examples=40, deadline=None)
@given(playable, st.integers(1, 8), st.integers(-300, 300), st.integers(1, 100))
def test_windows_and_tables_change_nothing(
    board: ChessBoard, depth: int, alpha: int, width: int
) -> None:
    used, small = KeyedTable(1 << 20), KeyedTable(1 << 12)
    expected = value(board, 0, depth)
    for other in board.moves(True)[:3]:  # what others left in the table
        value(board.play(other), 0, depth - 1, table=used)
    assert value(board, 0, depth, table=used) == expected
    assert value(board, 0, depth, table=small) == expected
    found = value(board, 0, depth, table=used, window=(alpha, alpha + width))
    if found <= alpha:
        assert expected <= found
    elif found >= alpha + width:
        assert expected >= found
    else:
        assert expected == found


@settings(max_examples=20, deadline=None)
@given(playable, st.integers(1, 9))
def test_colours_do_not_matter(board: ChessBoard, depth: int) -> None:
    assert value(board, ROOT, depth) == value(board.mirrored(), ROOT, depth)


def test_sooner_mates_are_worth_more() -> None:
    mate_in_2 = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    mate_in_1 = mate_in_2.play("a2a7").play("h8g8")
    found = [value(mate_in_2, ROOT, depth) for depth in (8, 9, 12)]
    assert MATE_VALUE <= found[0] < found[1] < found[2], "more depth is left"
    assert value(mate_in_1, ROOT, 8) > found[0]


def test_coming_back_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    game = [board]
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7"):
        board = board.play(move)
        game.append(board)
    before = GameBefore.of_game(game)
    back = board.play("d4e4")
    assert value(back, BEFORE, 6, before) == 0
    assert value(back, 0, 6, before) != 0, "where nobody can come back the game does not matter"
    assert value(back, BEFORE, 6) != 0
    assert value(back.play("h7h8"), BEFORE, 5, before) == 0


def test_the_clock_ends_the_game() -> None:
    fen = "8/8/8/4k3/8/8/3R4/4K3 w - - {} 80"
    assert value(read_fen(fen.format(99)), ROOT, 6) == 0
    assert value(read_fen(fen.format(0)), ROOT, 6) > 300
    mate_at_last = read_fen("7k/R7/6K1/8/8/8/8/8 w - - 99 80")
    assert value(mate_at_last, ROOT, 6) > 29_000

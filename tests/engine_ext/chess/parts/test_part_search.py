"""Parts while they are searched: what is proved of them is true, at any moment."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import ROOT, GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, MATE_VALUE, ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.part_search import PROBES_FROM, PartDeepener
from engine_ext.search.table import KeyedTable
from tests.engine_ext.chess.positions import boards

NO_GAME = GameBefore()
playable = boards.filter(lambda board: board.move_count > 0)


def value(position: Position, depth: int) -> int:
    search = ExactSearch(position, depth)
    search.run()
    assert search.value is not None
    return search.value


@settings(max_examples=40, deadline=None)
@given(
    playable, st.integers(1, 8), st.integers(-1, 7), st.integers(-200, 200), st.integers(1, 4000)
)
def test_bounds_are_true(
    board: ChessBoard, depth: int, reduced: int, alpha: int, nodes: int
) -> None:
    position = Position(board, 0, reduced if reduced < depth else -1)
    part = PartDeepener(position, depth, (alpha, alpha + 8), NO_GAME, KeyedTable(1 << 18))
    part.step(nodes)
    answer = part.answer()
    expected = value(Position(board), depth)
    if position.reduced >= 0:
        expected = max(expected, value(Position(board), position.reduced))
    assert answer.lower <= expected <= answer.upper
    children = position.children(depth, NO_GAME)
    for move in answer.moves[:4]:
        child, below = children[move.place]
        worth = -value(Position.from_bytes(child), below)
        if Position.from_bytes(child).reduced >= 0:
            continue  # the same, of two depths: see test_search.py
        assert move.lower <= worth <= move.upper
    while not part.is_done:
        part.step(1 << 20)
    proved = part.answer()
    assert proved.lower >= alpha + 8 or proved.upper <= alpha or proved.lower == proved.upper


def test_windows_beyond_all_values_are_not_searched() -> None:
    window = LARGEST_VALUE, LARGEST_VALUE + 1
    part = PartDeepener(Position(read_fen(START)), 8, window, NO_GAME, KeyedTable(1 << 18))
    assert part.is_done
    assert part.answer().nodes == 0


def test_moves_left_to_search_have_estimates() -> None:
    table = KeyedTable(1 << 20)
    before = PartDeepener(Position(read_fen(START)), 8, (-500, 500), NO_GAME, table)
    while not before.is_done:
        before.step(1 << 20)
    part = PartDeepener(Position(read_fen(START)), 9, (-500, 500), NO_GAME, table)
    part.step(600)
    estimates = [move.estimate for move in part.answer().moves]
    assert any(estimate is not None for estimate in estimates)
    assert all(estimate is None or abs(estimate) < 300 for estimate in estimates)


def test_whoever_has_searched_for_a_while_has_looked_at_all_moves() -> None:
    position = Position(read_fen(START), ROOT)
    part = PartDeepener(position, 12, (0, 8), NO_GAME, KeyedTable(1 << 20))
    part.step(PROBES_FROM // 4)
    early = part.answer().moves
    assert part.examined == 0
    part.step(PROBES_FROM)
    later = part.answer().moves
    assert not part.is_done
    assert len(early) < len(later) == 20
    assert all(move.estimate is not None for move in later)
    assert 0 < part.examined <= 20


@pytest.mark.parametrize("reduced", [-1, 5])
def test_an_idle_part_proves_nothing(reduced: int) -> None:
    position = Position(read_fen(START), 0, reduced)
    part = PartDeepener(position, 9, (0, 8), NO_GAME, KeyedTable(1 << 18))
    answer = part.answer()
    assert (answer.lower, answer.upper, answer.best) == (-LARGEST_VALUE, LARGEST_VALUE, None)


def test_estimates_of_mates_are_values() -> None:
    table, root = KeyedTable(1 << 20), Position(read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1"))
    for window in ((MATE_VALUE - 8, MATE_VALUE), (-MATE_VALUE, 8 - MATE_VALUE)):
        for depth in (10, 11):
            part = PartDeepener(root, depth, window, NO_GAME, table)
            while not part.is_done:
                part.step(1 << 20)
        for nodes in (1, 2000):
            part = PartDeepener(root, 12, window, NO_GAME, table)
            part.step(nodes)
            for move in part.answer().moves:
                assert move.estimate is None or abs(move.estimate) <= LARGEST_VALUE

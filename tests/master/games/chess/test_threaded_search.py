"""A search by several threads: master.games.chess.threaded_search."""

from __future__ import annotations

import pytest

from engine_ext.chess.fast.search import MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.games.chess.threaded_search import (
    ChessLine,
    ChessQuestion,
    ChessStatus,
    ThreadedSearch,
)

BOARD = read_fen(START)
WAIT_S = 60.0


def over(question: ChessQuestion) -> tuple[ChessStatus, int]:
    """Return how a search stands at its end, and how many nodes it took."""
    with ThreadedSearch(question, FastTable(1 << 20)) as search:
        while not search.is_over:
            search.wait(WAIT_S)
        return search.stop(), search.nodes


def test_one_thread_finds_what_the_engine_finds() -> None:
    engine = FastSearch(BOARD, table=FastTable(1 << 20), line_count=3)
    while engine.depth < 5:
        assert engine.deepen()
    found, nodes = over(ChessQuestion(BOARD, depth=5, line_count=3))
    assert [(line.value, line.moves) for line in found.lines] == engine.lines
    assert (found.depth, found.selective_depth) == (5, engine.selective_depth)
    assert nodes == engine.nodes


def test_threads_share_nodes_and_end_together() -> None:
    found, nodes = over(ChessQuestion(BOARD, nodes=3001, thread_count=3))
    assert found.lines[0].moves[0] in BOARD.moves()
    assert nodes < 2 * 3001
    assert over(ChessQuestion(BOARD, nodes=1))[0].depth == 1


def test_what_is_stopped_at_once_has_a_move_all_the_same() -> None:
    with ThreadedSearch(ChessQuestion(BOARD, thread_count=2), FastTable(1 << 20)) as search:
        found = search.stop()
    assert found.lines[0].moves[0] in BOARD.moves()
    assert search.is_over


def test_a_mistake_reaches_whoever_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object, __: object) -> None:
        raise ArithmeticError("broken")

    monkeypatch.setattr(ThreadedSearch, "_publish", broken)
    with pytest.raises(ArithmeticError, match="broken"):
        over(ChessQuestion(BOARD))


def test_castling_of_chess960_goes_to_the_rooks_square() -> None:
    board = read_fen("1k6/8/8/8/8/8/8/5KR1 w G - 0 1")
    found, _ = over(ChessQuestion(board, depth=1, line_count=40))
    assert sorted(line.moves[0] for line in found.lines) == board.moves(is_chess960=True)


def test_mates_within_the_depth_settle_a_search() -> None:
    mates = ChessLine(MATE_VALUE - 3, ("a2a3",)), ChessLine(4 - MATE_VALUE, ("b2b3",))
    assert ChessStatus(4, 4, mates).is_settled
    assert not ChessStatus(3, 4, mates).is_settled
    assert not ChessStatus(9, 9, (*mates, ChessLine(900, ("c2c3",)))).is_settled

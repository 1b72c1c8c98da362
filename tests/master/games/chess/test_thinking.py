"""A search by several threads: master.games.chess.thinking."""

from __future__ import annotations

import pytest

from engine_ext.chess.fast.search import MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.games.chess.thinking import (
    ChessLine,
    ChessQuestion,
    ChessStanding,
    Thinking,
    mate_of,
)

BOARD = read_fen(START)
WAIT_S = 60.0


def over(question: ChessQuestion) -> tuple[ChessStanding, int]:
    """Return how a search stands at its end, and how many nodes it took."""
    with Thinking(question, FastTable(1 << 20)) as thinking:
        while not thinking.is_over:
            thinking.wait(WAIT_S)
        return thinking.stop(), thinking.nodes


def test_one_thread_finds_what_the_engine_finds() -> None:
    search = FastSearch(BOARD, table=FastTable(1 << 20), line_count=3)
    while search.depth < 5:
        assert search.deepen()
    found, nodes = over(ChessQuestion(BOARD, depth=5, line_count=3))
    assert [(line.value, line.moves) for line in found.lines] == search.lines
    assert (found.depth, found.selective_depth) == (5, search.selective_depth)
    assert nodes == search.nodes


def test_threads_share_nodes_and_end_together() -> None:
    found, nodes = over(ChessQuestion(BOARD, nodes=3001, thread_count=3))
    assert found.lines[0].moves[0] in BOARD.moves()
    assert nodes < 2 * 3001
    assert over(ChessQuestion(BOARD, nodes=1))[0].depth == 1


def test_what_is_stopped_at_once_has_a_move_all_the_same() -> None:
    with Thinking(ChessQuestion(BOARD, thread_count=2), FastTable(1 << 20)) as thinking:
        found = thinking.stop()
    assert found.lines[0].moves[0] in BOARD.moves()
    assert thinking.is_over


def test_a_mistake_reaches_whoever_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object, __: object) -> None:
        raise ArithmeticError("broken")

    monkeypatch.setattr(Thinking, "_publish", broken)
    with pytest.raises(ArithmeticError, match="broken"):
        over(ChessQuestion(BOARD))


def test_castling_of_chess960_goes_to_the_rooks_square() -> None:
    board = read_fen("1k6/8/8/8/8/8/8/5KR1 w G - 0 1")
    found, _ = over(ChessQuestion(board, depth=1, line_count=40))
    assert sorted(line.moves[0] for line in found.lines) == board.moves(is_chess960=True)


def test_mates_are_told_in_moves() -> None:
    assert {n: mate_of(MATE_VALUE - n) for n in (1, 3, 5)} == {1: 1, 3: 2, 5: 3}
    assert {n: mate_of(n - MATE_VALUE) for n in (2, 4)} == {2: -1, 4: -2}
    assert mate_of(15_000) is mate_of(-15_000) is mate_of(0) is None


def test_mates_within_the_depth_settle_a_search() -> None:
    mates = ChessLine(MATE_VALUE - 3, ("a2a3",)), ChessLine(4 - MATE_VALUE, ("b2b3",))
    assert ChessStanding(4, 4, mates).is_settled
    assert not ChessStanding(3, 4, mates).is_settled
    assert not ChessStanding(9, 9, (*mates, ChessLine(900, ("c2c3",)))).is_settled

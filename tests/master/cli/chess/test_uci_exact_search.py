"""What a depth finds is the reproducible answer, whatever ends the search, and however castling
is written."""

import queue

import pytest

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactQuestion, answer_at_once
from engine_ext.search.table import KeyedTable
from master.cli.chess.uci_exact_search import ExactUciSearch, castled_as_in_chess960
from master.games.chess.uci.commands import Go
from master.games.chess.uci.lost_time import LostTime
from master.games.chess.uci.options import REPRODUCIBLE, Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Iteration
from master.games.chess.values import mate_moves

WAIT_S_MAX = 20
TABLE_BYTES = 1 << 22
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
MATE_IN_1 = "1k6/8/1K6/8/8/8/8/7R w - - 0 1"

Reports = queue.Queue[tuple[Iteration, bool]]


def searching(
    go: Go,
    boards: tuple[ChessBoard, ...] = (read_fen(START),),
    table: KeyedTable | None = None,
    elapsed_s: float = 0.0,
) -> tuple[ExactUciSearch, Reports]:
    reports: Reports = queue.Queue()
    wish = Wish(boards, go, Options(mode=REPRODUCIBLE))
    search = ExactUciSearch(
        Thinking(wish, LostTime().begin(wish)),
        table or KeyedTable(TABLE_BYTES),
        lambda: elapsed_s,
        lambda *each: reports.put(each),
    )
    return search, reports


def until_end(reports: Reports) -> list[Iteration]:
    found = []
    while True:
        iteration, is_end = reports.get(timeout=WAIT_S_MAX)
        found.append(iteration)
        if is_end:
            return found


def exact(boards: tuple[ChessBoard, ...], depth: int) -> tuple[int, str]:
    question = ExactQuestion(boards[-1], GameBefore.of_game(boards), depth)
    found = answer_at_once(question, KeyedTable(TABLE_BYTES))
    return found.value, found.line[0]


def test_each_depth_finds_what_a_search_to_it_finds_though_the_table_knows_other_games() -> None:
    start = read_fen(START)
    played = (start, start.play("e2e4"), start.play("e2e4").play("e7e5"))
    table = KeyedTable(TABLE_BYTES)
    for boards in ((start,), played, played[-1:]):
        search, reports = searching(Go(depth=8), boards, table)
        found = until_end(reports)
        assert found[-1] == found[-2]
        assert search.nodes > 0
        for each in found:
            value, line = each.lines[0]
            assert (value, line[0]) == exact(boards, each.depth)


def test_stop_ends_it_with_the_last_finished_depth() -> None:
    search, reports = searching(Go())
    first, is_end = reports.get(timeout=WAIT_S_MAX)
    assert not is_end
    search.stop()
    found = [first, *until_end(reports)]
    assert found[-1] == found[-2]
    value, line = found[-1].lines[0]
    assert (value, line[0]) == exact((read_fen(START),), found[-1].depth)


@pytest.mark.parametrize("go", [Go(clocks_ms=(1_000, None)), Go(nodes=1)])
def test_one_depth_is_searched_in_any_case(go: Go) -> None:
    found = until_end(searching(go, elapsed_s=1.0)[1])
    assert len(found) == 2
    assert found[0].lines[0][1]


def test_mates_are_told_by_their_length() -> None:
    last = until_end(searching(Go(depth=8), (read_fen(MATE_IN_1),))[1])[-1]
    value, line = last.lines[0]
    assert mate_moves(value) == 1
    assert line == ("h1h8",)


def test_castling_is_written_as_the_king_takes_its_rook() -> None:
    board = read_fen(CASTLING)
    assert castled_as_in_chess960(board, ("e1g1", "e8c8", "a2a3")) == ("e1h1", "e8a8", "a2a3")

"""Fast searches of chess positions, and what is shown of them."""

from __future__ import annotations

import json

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fast.search import MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactQuestion
from engine_ext.chess.whole_search import WholeSearch
from engine_ext.services import engine_digest
from master.games.chess.exact_report import DEPTH_DEFAULT, search_request
from master.games.chess.search_report import (
    ChessAnswer,
    answer_lines,
    answer_object,
    effort_text,
    line_text,
    over_text,
    ranked_lines,
    status_line,
)
from master.games.chess.threaded_search import (
    ChessLine,
    ChessQuestion,
    ChessStatus,
    ThreadedSearch,
    mate_moves,
    value_text,
)
from tests.engine_ext.chess.positions import judged_boards, ours

BOARD = read_fen(START)
BEST = ChessLine(31, ("e2e4", "e7e5", "g1f3"))
MATED = ChessLine(4 - MATE_VALUE, ("a2a3",))
STATUS = ChessStatus(7, 12, (BEST, MATED))
ANSWER = ChessAnswer(BOARD, STATUS, 3_000_000, 2.0, 2)
SMOTHERED = "6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


@given(judged_boards)
def test_a_game_is_over_where_no_move_is_legal(board: chess.Board) -> None:
    said = over_text(ours(board))
    assert ("is mated" in said) == board.is_checkmate()
    assert ("stalemate" in said) == board.is_stalemate()
    assert bool(said) == (not any(board.legal_moves))


def test_lines_have_the_numbers_of_the_game() -> None:
    assert line_text(BOARD, BEST.moves) == "1. e4 e5 2. Nf3"
    assert line_text(BOARD.play("e2e4"), BEST.moves[1:]) == "1... e5 2. Nf3"


def test_an_answer_is_an_object_that_says_how_it_was_found() -> None:
    document = answer_object(ANSWER)
    assert json.loads(json.dumps(document)) == document
    assert document == {
        "fen": START, "mode": "fast", "over": None, "depth": 7, "selective_depth": 12,
        "lines": [
            {"move": "e2e4", "centipawns": 31, "mate": None,
             "pv": ["e2e4", "e7e5", "g1f3"], "pv_san": ["e4", "e5", "Nf3"]},
            {"move": "a2a3", "centipawns": None, "mate": -2, "pv": ["a2a3"], "pv_san": ["a3"]},
        ],
        "nodes": 3_000_000, "seconds": 2.0, "threads": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fen", "over", "said"),
    [
        (SMOTHERED, "checkmate", "Black is mated."),
        (STALEMATE, "stalemate", "Black has no move: stalemate, a draw."),
    ],
)
def test_a_position_that_is_over_has_no_lines(fen: str, over: str, said: str) -> None:
    answer = ChessAnswer(read_fen(fen), None)
    assert (answer_object(answer)["over"], answer_object(answer)["lines"]) == (over, [])
    assert answer_lines(answer) == [said]


def test_people_read_lines() -> None:
    assert answer_lines(ANSWER) == [
        "White to move: +0.31 pawns (fast, depth 7, at most 12)",
        " 1.      +0.31  1. e4 e5 2. Nf3",
        " 2. mated in 2  1. a3",
        "3,000,000 nodes, 1.5 M/s, 2.00 s, 2 threads",
    ]
    single = ChessAnswer(BOARD, ChessStatus(1, 1, (MATED,)), 20, 0.0, 1)
    assert answer_lines(single) == [
        "White to move: mated in 2 (fast, depth 1, at most 1)",
        "best line: 1. a3",
        "20 nodes, 0.00 s, 1 thread",
    ]


def test_ranks_stand_below_each_other() -> None:
    lines = ranked_lines(BOARD, (BEST,) * 12)
    assert {line.index("1. e4") for line in lines} == {16}


def test_how_a_search_stands_is_one_line() -> None:
    effort = effort_text(3_000_000, 2.0)
    assert status_line(BOARD, None, effort) == "depth 1, 3,000,000 nodes, 1.5 M/s, 2 s"
    said = status_line(BOARD, STATUS, effort)
    assert said == "depth 7, +0.31, 3,000,000 nodes, 1.5 M/s, 2 s: 1. e4 e5 2. Nf3"


def test_job_says_the_search_and_is_called_by_its_position() -> None:
    board = read_fen(START)
    question = ExactQuestion(board, GameBefore.of_game([board]), DEPTH_DEFAULT)
    request = search_request(question, "manyply")
    whole = WholeSearch.from_text(request.context)
    assert (whole.engine, whole.question.board) == (engine_digest("chess"), board)
    assert (whole.question.depth, whole.strategy) == (DEPTH_DEFAULT, "manyply")
    assert request.label == START


def test_usual_depth_is_one_that_can_be_searched() -> None:
    assert DEPTH_MIN <= DEPTH_DEFAULT <= DEPTH_MAX


@given(st.integers(-20_000, 20_000))
def test_values_are_pawns_with_their_sign(value: int) -> None:
    text = value_text(value)
    assert text[0] in "+-"
    assert round(float(text) * 100) == value
    assert mate_moves(value) is None


@given(st.integers(1, 200))
def test_a_mate_is_counted_in_moves_of_the_mating_side(moves: int) -> None:
    assert mate_moves(MATE_VALUE - (2 * moves - 1)) == moves
    assert mate_moves(2 * moves - MATE_VALUE) == -moves


def test_mates_are_said() -> None:
    assert value_text(MATE_VALUE - 5) == "mate in 3"
    assert value_text(4 - MATE_VALUE) == "mated in 2"


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


def test_a_mistake_reaches_the_call_that_stops(monkeypatch: pytest.MonkeyPatch) -> None:
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

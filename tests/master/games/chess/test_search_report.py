"""What is said of a search of a chess position: master.games.chess.search_report."""

from __future__ import annotations

import json

import chess
import pytest
from hypothesis import given

from engine_ext.chess.fast.search import MATE_VALUE
from engine_ext.chess.fen import START, read_fen
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
from master.games.chess.threaded_search import ChessLine, ChessStatus
from tests.engine_ext.chess.positions import judged_boards, ours

BOARD = read_fen(START)
BEST = ChessLine(31, ("e2e4", "e7e5", "g1f3"))
MATED = ChessLine(4 - MATE_VALUE, ("a2a3",))
STANDING = ChessStatus(7, 12, (BEST, MATED))
ANSWER = ChessAnswer(BOARD, STANDING, 3_000_000, 2.0, 2)
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
    said = status_line(BOARD, STANDING, effort)
    assert said == "depth 7, +0.31, 3,000,000 nodes, 1.5 M/s, 2 s: 1. e4 e5 2. Nf3"

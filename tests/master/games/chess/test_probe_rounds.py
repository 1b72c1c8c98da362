"""Rounds of probes: their questions, the lines that answers make, and how rounds grow."""

from __future__ import annotations

import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.answer_validation import MATE_MOVES_MAX
from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import (
    ProbeAnswer,
    ProbeLine,
    ProbeQuestion,
    ProbeValue,
)
from engine_ext.chess.uci_engine.engine_lines import CENTIPAWNS_MAX
from engine_ext.control import RunControl
from master.games.chess.probe_rounds import (
    NODES_FIRST,
    ROUND_SHARE_MIN,
    VALUE_MAX,
    ProbeRounds,
    ProbeTask,
    moves_between,
    number_of,
    rook_move,
    rook_words,
    usual_words,
)
from master.games.chess.threaded_search import mate_moves

ENGINE = "0" * 16
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
MATE_IN_1 = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
NODES = 500


def answered(question: ProbeQuestion) -> ProbeAnswer:
    found = probe(question, RunControl())
    assert found is not None
    return found


def rounds_of(board: ChessBoard, count: int, lines: int = 1, **more: object) -> ProbeRounds:
    """Return rounds of which so many were answered, in a random order, by our own probes."""
    rounds = ProbeRounds(ProbeTask(ENGINE, (board,), lines, **more))  # type: ignore[arg-type]
    for number in range(count):
        questions = list(enumerate(rounds.questions(NODES << number)))
        random.Random(number).shuffle(questions)
        for index, question in questions:
            rounds.take(index, answered(question))
        rounds.end_round()
    return rounds


def test_one_line_is_that_of_a_probe_of_the_position() -> None:
    board = read_fen(START)
    rounds = rounds_of(board, 2)
    (line,) = rounds.lines
    found = answered(ProbeQuestion(ENGINE, (board,), (), NODES << 1))
    assert found.lines[0].value is not None
    assert (line.value, line.moves) == (number_of(found.lines[0].value), found.lines[0].moves)
    assert rounds.depth == found.depth


def test_lines_begin_with_different_moves_the_best_first() -> None:
    lines = rounds_of(read_fen(CASTLING), 3, 4).lines
    values = [line.value for line in lines if line.value is not None]
    assert len(values) == len({line.moves[0] for line in lines}) == 4
    assert values == sorted(values, reverse=True)


def test_all_legal_moves_are_probed_first_and_the_best_ones_after_that() -> None:
    rounds = rounds_of(read_fen(START), 0, 2)
    assert len(rounds.questions(NODES)) == 1 + 20
    rounds = rounds_of(read_fen(START), 1, 2)
    assert 2 < len(rounds.questions(NODES)) < 8


def test_only_chosen_moves_are_searched() -> None:
    lines = rounds_of(read_fen(START), 2, 3, moves=("a2a3", "e2e4")).lines
    assert {line.moves[0] for line in lines} == {"a2a3", "e2e4"}


def test_a_mate_is_known_without_a_probe() -> None:
    rounds = ProbeRounds(ProbeTask(ENGINE, (read_fen(MATE_IN_1),), 2))
    assert rounds.lines[0].moves == ("a1a8",)
    assert rounds.lines[0].value is not None
    assert mate_moves(rounds.lines[0].value) == 1


def test_a_move_that_repeats_the_position_twice_is_a_draw() -> None:
    boards = [read_fen("7k/8/8/8/8/8/8/KQ6 w - - 0 1")]
    for move in ("b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8", "b2b1"):
        boards.append(boards[-1].play(move))
    rounds = ProbeRounds(ProbeTask(ENGINE, tuple(boards), 1, ("g8h8",)))
    assert [(line.value, line.moves) for line in rounds.lines] == [(0, ("g8h8",))]
    assert rounds.questions(NODES) == []


def test_questions_are_those_that_services_read() -> None:
    boards = [read_fen(CASTLING)]
    for move in ("e1g1", "e8c8", "g1h1"):
        boards.append(boards[-1].play(move))
    rounds = ProbeRounds(ProbeTask(ENGINE, tuple(boards), 3, depth=5))
    questions = rounds.questions(NODES)
    for question in questions:
        assert ProbeQuestion.from_text(question.to_text()).to_text() == question.to_text()
    assert {question.depth for question in questions} == {5, 4}


def test_castling_is_by_the_rook_in_probes_and_by_the_king_for_people() -> None:
    board = read_fen(CASTLING)
    assert moves_between((board, board.play("e1g1"))) == ("e1h1",)
    assert rook_move(board, "e1c1") == rook_move(board, "e1a1") == "e1a1"
    usual, by_rook = ("e1g1", "e8c8", "a2a3"), ("e1h1", "e8a8", "a2a3")
    assert usual_words(board, by_rook) == usual
    assert rook_words(board, usual) == rook_words(board, by_rook) == by_rook


@given(st.integers(1, MATE_MOVES_MAX), st.sampled_from((1, -1)))
def test_mates_keep_their_moves(moves: int, sign: int) -> None:
    assert mate_moves(number_of(ProbeValue(sign * moves, is_mate=True))) == sign * moves


@given(st.integers(-CENTIPAWNS_MAX, CENTIPAWNS_MAX))
def test_no_centipawns_are_read_as_a_mate(value: int) -> None:
    assert mate_moves(number_of(ProbeValue(value))) is None
    assert number_of(ProbeValue(value)) == max(-VALUE_MAX, min(value, VALUE_MAX))


def test_a_move_without_a_value_comes_last_and_is_kept() -> None:
    rounds = ProbeRounds(ProbeTask(ENGINE, (read_fen(START),), 2, ("a2a3", "e2e4")))
    rounds.questions(NODES)
    rounds.take(0, ProbeAnswer(NODES, 1, (ProbeLine(None, ("e7e5",)),)))
    rounds.take(1, ProbeAnswer(NODES, 1, (ProbeLine(ProbeValue(90), ("e7e5",)),)))
    assert [(line.moves[0], line.value) for line in rounds.lines] == [("e2e4", -90), ("a2a3", None)]


@given(st.floats(0.0, 1e7), st.floats(-5.0, 1e5), st.integers(NODES_FIRST, 10**9))
def test_a_round_against_the_clock_fits_the_time_and_is_worth_it(
    rate: float, left_s: float, last: int
) -> None:
    rounds = ProbeRounds(ProbeTask(ENGINE, (read_fen(START),)))
    nodes = rounds.next_nodes(last, rate, left_s)
    assert not nodes or last * ROUND_SHARE_MIN <= nodes <= max(rate * left_s, 0)


@pytest.mark.parametrize("left_s", [10.0, inf])
def test_the_last_round_has_the_nodes_that_were_asked_for(left_s: float) -> None:
    rounds = ProbeRounds(ProbeTask(ENGINE, (read_fen(START),), nodes=123_456))
    nodes, all_nodes = 0, []
    while nodes := rounds.next_nodes(nodes, 1e6, left_s):
        all_nodes.append(nodes)
    assert all_nodes[0] == NODES_FIRST
    assert all_nodes[-1] == 123_456


def test_a_depth_that_is_reached_ends_the_search() -> None:
    rounds = rounds_of(read_fen(START), 1, depth=2)
    assert rounds.depth >= 2
    assert rounds.next_nodes(NODES, 1e6, inf) == 0

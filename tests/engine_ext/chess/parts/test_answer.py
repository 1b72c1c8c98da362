"""Whole questions by one thread: the value at a depth, the line, mates to their end."""

import chess
import pytest

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import START, read_fen, write_fen
from engine_ext.chess.parts.answer import (
    DEPTH_MIN,
    ExactQuestion,
    answer,
    answer_at_once,
    mating_line,
)
from engine_ext.search.table import KeyedTable


def question(fen: str, depth: int) -> ExactQuestion:
    board = read_fen(fen)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


def played(fen: str, line: tuple[str, ...]) -> chess.Board:
    """Play a line by the library, which knows what is legal."""
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    return board


@pytest.mark.parametrize("depth", [DEPTH_MIN, 7, 10])
def test_value_is_the_search_s_and_the_line_is_legal(depth: int) -> None:
    asked = question("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", depth)
    found = answer_at_once(asked, KeyedTable(1 << 20))
    search = ExactSearch(asked.position, depth, before=asked.before)
    search.run()
    assert found.value == search.value
    assert found.line[0] == asked.position.moves(depth, asked.before)[int(search.best_move or -1)]
    played(write_fen(asked.board), found.line)
    assert found == answer_at_once(asked, KeyedTable(1 << 20))


def test_a_mate_is_told_to_its_end() -> None:
    fen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"
    found = answer_at_once(question(fen, 13), KeyedTable(1 << 20))
    assert found.is_mate
    assert played(fen, found.line).is_checkmate()
    assert len(found.line) == 3


@pytest.mark.when_changed
def test_statuses_grow() -> None:
    steps = answer(question(START, 13), KeyedTable(1 << 20))
    reported = []
    while True:
        try:
            reported.append(next(steps))
        except StopIteration:
            break
    nodes = [each.nodes for each in reported]
    assert nodes == sorted(nodes)
    assert len(reported) > 1


def test_there_is_no_mate_where_there_is_none() -> None:
    assert mating_line(read_fen(START)) == ()
    assert mating_line(read_fen("7k/5Q2/8/8/8/8/8/K7 b - - 0 1")) == ()

"""What the engine answers is always taken; what it cannot have answered never is."""

from dataclasses import replace

import pytest

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.engine import TEST_POSITIONS
from engine_ext.chess.fen import read_fen
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeLine, ProbeQuestion, ProbeValue
from engine_ext.control import RunControl
from engine_ext.services import answer, engine_digest
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken

ODD = (
    "7k/8/8/8/8/8/R7/1R5K w - - 0 1",  # mate in two
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",  # mate at once
    "k7/8/8/8/8/8/8/K6R b - - 99 80",  # a draw by the next move
    "8/8/8/8/8/8/6k1/4K2R w K - 0 1",
    "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
    "8/P7/8/8/8/8/k7/7K w - - 0 1",
    "7k/5Q2/8/8/8/8/8/6K1 b - - 0 1",
    "bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w CGcg - 0 1",
)


def asked(board: ChessBoard, lines: int = 1, nodes: int = 2_000) -> ProbeQuestion:
    return ProbeQuestion(engine_digest("chess"), (board,), (), nodes, lines)


def answered(question: ProbeQuestion) -> ProbeAnswer:
    text = answer(question.to_text(), RunControl())
    assert text is not None, "nobody stops it"
    return ProbeAnswer.from_text(text)


def fault(question: ProbeQuestion, found: ProbeAnswer) -> str:
    return answer_fault(question.to_text(), found.to_text())


THREE = asked(read_fen(TEST_POSITIONS[1]), 3)
MATING = asked(read_fen(ODD[1]), 2)


@pytest.mark.parametrize("lines", [1, 4, 50])
def test_honest_answers_are_taken(lines: int) -> None:
    count = 0
    for fen in (*TEST_POSITIONS, *ODD):
        board = read_fen(fen)
        for nodes in (1, 100, 3_000):
            if board.move_count:
                question = asked(board, lines, nodes)
                assert fault(question, answered(question)) == ""
                count += 1
    assert count > 25


def test_broken_texts_are_refused_and_said_in_one_line() -> None:
    for how, text in broken(answered(THREE).to_text()).items():
        said = answer_fault(THREE.to_text(), text)
        assert said, how
        assert "\n" not in said, how


def test_value_out_of_range_is_refused() -> None:
    found = answered(THREE)
    text = found.to_text().replace("lines=", "lines=9000000:e1h1,", 1)
    assert "expected a line" in answer_fault(THREE.to_text(), text)
    first, *others = found.lines
    for number in (0, 501, -501, 99_999):
        wrong = ProbeLine(ProbeValue(number, is_mate=True), first.moves)
        assert "expected a mate" in fault(THREE, replace(found, lines=(wrong, *others)))


@pytest.mark.parametrize("number", [20_000, -20_000, 30_000, 99_999])
def test_own_engine_never_values_so_much(number: int) -> None:
    found = answered(MATING)
    wrong = replace(found, lines=(ProbeLine(ProbeValue(number), found.lines[0].moves),))
    assert "expected fewer than 20,000 centipawns" in fault(MATING, wrong)
    others = replace(MATING, engine="0" * 16)  # programs that speak UCI go further
    assert fault(others, wrong) == ""


def test_own_engine_searches_nodes_and_values_moves() -> None:
    found = answered(THREE)
    assert "nodes" in fault(THREE, replace(found, nodes=0))
    unscored = tuple(replace(line, value=None) for line in found.lines)
    assert "expected a value" in fault(THREE, replace(found, lines=unscored))
    others = replace(THREE, engine="0" * 16)
    assert fault(others, replace(found, nodes=0, lines=unscored)) == ""


def test_illegal_moves_are_refused() -> None:
    found = answered(THREE)
    first, *others = found.lines
    for moves in (("e1e8",), ("a1a1",), (*first.moves[:1], first.moves[0])):
        wrong = replace(found, lines=(replace(first, moves=moves), *others))
        assert f"{moves[-1]} is no legal move" in fault(THREE, wrong)


def test_the_best_line_is_first_and_each_move_has_one() -> None:
    found = answered(THREE)
    worst_first = tuple(
        replace(line, value=ProbeValue(100 * place)) for place, line in enumerate(found.lines)
    )
    assert "lines in no order" in fault(THREE, replace(found, lines=worst_first))
    mates = tuple(
        replace(line, value=ProbeValue(4 - place, is_mate=True))
        for place, line in enumerate(found.lines)
    )
    assert "lines in no order" in fault(THREE, replace(found, lines=mates))
    assert fault(THREE, replace(found, lines=mates[::-1])) == ""
    first = found.lines[0]
    assert "same move" in fault(THREE, replace(found, lines=(first, first)))
    assert "at most 1 line" in fault(asked(read_fen(TEST_POSITIONS[1])), found)


def test_mate_in_one_mates() -> None:
    found = answered(MATING)
    assert found.lines[0].value == ProbeValue(1, is_mate=True)
    other = ProbeLine(ProbeValue(1, is_mate=True), ("a1a2",))
    assert fault(MATING, replace(found, lines=(other,))) == "a1a2 does not mate"


def test_program_that_tells_fewer_lines_is_taken() -> None:
    found = answered(THREE)
    assert fault(THREE, replace(found, lines=found.lines[:1])) == ""

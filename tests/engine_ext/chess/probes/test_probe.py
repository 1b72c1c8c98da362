"""Probes are functions of their question, come back from texts, and are checked when received."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.chess.board import ChessBoard
from engine_ext.chess.engine import TEST_POSITIONS
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import (
    DEPTH_MAX,
    LINE_MOVES_MAX,
    LINES_MAX,
    ProbeAnswer,
    ProbeAnswerError,
    ProbeLine,
    ProbeQuestion,
    ProbeValue,
)
from engine_ext.contexts import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from engine_ext.control import RunControl
from engine_ext.services import answer, engine_digest
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.chess.parts.questions import ENGINE


def seen(*boards: ChessBoard, moves: tuple[str, ...] = (), lines: int = 1) -> ProbeAnswer:
    found = probe(ProbeQuestion("", boards, moves, 20_000, lines), RunControl())
    assert found is not None
    return found


def test_the_same_is_found_whenever_it_is_asked() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    text = ProbeQuestion(services.engine_digest("chess"), (board,), (), 20_000, 2).to_text()
    answers = {services.answer(text, RunControl()) for _ in range(2)}
    assert answers == {seen(board, lines=2).to_text()}


def test_a_depth_ends_the_search_before_the_nodes_do() -> None:
    board = read_fen(START)
    depths = [
        found.depth
        for depth in (1, 4, 0)
        if (found := probe(ProbeQuestion("", (board,), (), 50_000, 1, depth), RunControl()))
    ]
    assert depths[:2] == [1, 4]
    assert depths[2] > 4


def test_mates_are_counted_in_moves() -> None:
    mating = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    assert seen(mating).lines[0].value == ProbeValue(2, is_mate=True)
    mated = mating.play("a2a7")
    assert seen(mated).lines[0].value == ProbeValue(-1, is_mate=True)


def test_castling_is_by_the_rook_s_square() -> None:
    board = read_fen("r3k2r/8/8/8/8/8/5PPP/R3K2R w KQkq - 0 1")
    moves = [line.moves[0] for line in seen(board, lines=50).lines]
    assert {"e1h1", "e1a1"} & set(moves)
    assert "e1g1" not in moves


def test_what_was_there_before_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    boards, moves = [board], []
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7", "d4e4", "h7h8"):
        boards.append(boards[-1].play(move))
        moves.append(move)
    found = seen(*boards, moves=tuple(moves), lines=50)
    values = {line.moves[0]: line.value for line in found.lines}
    assert values["e4d4"] == ProbeValue(0)


def test_a_stopped_look_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    board = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    assert probe(ProbeQuestion("", (board,), (), 10**9), control) is None


TEXT = (
    f"chess-look/1 engine={ENGINE} start=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_HAha_-_0_1"
    " moves=g1f3,g8f6 nodes=1000 lines=1"
)
words = st.from_regex("[a-h][1-8][a-h][1-8][nbrq]?", fullmatch=True)
values = st.builds(ProbeValue, st.integers(-20_000, 20_000), st.booleans())
lines = st.builds(
    ProbeLine, values, st.lists(words, min_size=1, max_size=LINE_MOVES_MAX).map(tuple)
)


@st.composite
def questions(draw: st.DrawFn) -> ProbeQuestion:
    boards, moves = [read_fen(START)], list[str]()
    for _ in range(draw(st.integers(0, 30))):
        legal = boards[-1].moves(True)
        move = legal[draw(st.integers(0, len(legal) - 1))]
        after: ChessBoard = boards[-1].play(move)
        if not after.move_count:
            break
        boards.append(after)
        moves.append(move)
    nodes, depth = draw(st.integers(1, 10**10)), draw(st.integers(0, DEPTH_MAX))
    return ProbeQuestion(ENGINE, tuple(boards), tuple(moves), nodes, depth=depth)


@given(questions())
@pytest.mark.when_changed
def test_questions_are_read_as_they_were_written(question: ProbeQuestion) -> None:
    read = ProbeQuestion.from_text(question.to_text())
    assert read.to_text() == question.to_text()
    assert read.depth == question.depth
    assert read.boards[-1].key == question.boards[-1].key
    keys = [board.key for board in question.boards]
    assert [board.key for board in read.boards] == keys[-len(read.boards) :]
    assert all(board.clock for board in read.boards[1:])


@given(st.builds(ProbeAnswer, st.integers(0, 10**10), st.integers(0, 99),
                 st.lists(lines, min_size=1, max_size=9).map(tuple)))  # fmt: skip
@pytest.mark.when_changed
def test_answers_are_read_as_they_were_written(answer: ProbeAnswer) -> None:
    assert ProbeAnswer.from_text(answer.to_text()) == answer


def test_a_look_in_words() -> None:
    boards = [read_fen(START)]
    for move in ("g1f3", "g8f6"):
        boards.append(boards[-1].play(move))
    assert ProbeQuestion(ENGINE, tuple(boards), ("g1f3", "g8f6"), 1000).to_text() == TEXT
    line = ProbeLine(ProbeValue(-3, is_mate=True), ("e2e4", "e7e5"))
    assert ProbeAnswer(7, 2, (line,)).to_text() == "nodes=7 depth=2 lines=#-3:e2e4.e7e5"


def test_the_longest_texts_fit() -> None:
    line = ProbeLine(ProbeValue(-20_000), ("a7a8q",) * 40)
    answer = ProbeAnswer(10**18, 100, (line,) * LINES_MAX)
    assert len(answer.to_text()) < ANSWER_CHARACTERS_MAX
    assert len(TEXT.replace("g1f3,g8f6", ",".join(["g1f3"] * 1000))) < CONTEXT_BYTES_MAX


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("g1f3,g8f6", "g1f3,g8f5"),
        ("_w_HAha_", "_w_KQkq_"),
        ("nodes=1000", "nodes=0"),
        ("nodes=1000", "nodes=01000"),
        ("lines=1", "lines=0"),
        ("lines=1", "lines=1 depth=0"),
        ("lines=1", f"lines=1 depth={DEPTH_MAX + 1}"),
        ("moves=g1f3,g8f6", "moves=f2f3,e7e5,g2g4,d8h4"),
        ("moves=g1f3,g8f6", "moves=e2e4"),
        ("_0_1", ""),
    ],
)
def test_what_makes_no_sense_is_refused(old: str, new: str) -> None:
    assert ProbeQuestion.from_text(TEXT).to_text() == TEXT
    with pytest.raises(ContextError, match=r"expected|no legal|a FEN is"):
        ProbeQuestion.from_text(TEXT.replace(old, new))


@pytest.mark.parametrize(
    "text",
    ["", "nodes=1 depth=1 lines=", "nodes=1 depth=1 lines=5", "nodes=01 depth=1 lines=5:a2a3"],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ProbeAnswerError, match="expected"):
        ProbeAnswer.from_text(text)


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

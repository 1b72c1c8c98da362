"""Probes have the values of searches, come back from texts, and are checked when received."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.contexts import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.engine import engine_digest
from engine_ext.othello.engine import played as game_position
from engine_ext.othello.parts import DEPTH_MAX
from engine_ext.othello.probes.probe import probe
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeAnswerError, ProbeQuestion
from engine_ext.othello.solving import move_scores
from engine_ext.services import answer
from engine_ext.validation import answer_fault
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.othello.positions import played, running

DEPTH = 4


def asked(board: OthelloBoard, move: str, depth: int = DEPTH) -> ProbeQuestion:
    return ProbeQuestion(engine_digest(), board, depth, move)


def test_values_are_those_of_searches_to_that_depth() -> None:
    for board in running(30, 3):
        best = answer_at_once(BoardQuestion(board, DEPTH))
        for move in board.moves():
            behind = answer_at_once(BoardQuestion(board, DEPTH).behind(move))
            found = probe(asked(board, move), RunControl())
            assert found is not None
            assert found.value == round(-DISC * behind.value)
            assert found.best_value == max(round(DISC * best.value), found.value)
            assert found.best == (move if found.value == found.best_value else best.best_move)
            assert not found.is_exact


def test_ends_are_solved_and_the_best_move_is_the_one_made_if_that_is_one() -> None:
    for board in running(8, 4):
        scores = move_scores(board)
        for move, score in scores.items():
            found = probe(asked(board, move, 8), RunControl())
            assert found is not None
            assert (found.value, found.is_exact) == (DISC * score, True)
            assert found.best_value == DISC * max(scores.values())
            assert scores[found.best] == max(scores.values())
            if score == max(scores.values()):
                assert found.best == move


def test_question_is_answered_as_text_and_steps_are_counted() -> None:
    board = running(30, 1)[0]
    question, control = asked(board, board.moves()[-1]), RunControl()
    reported = services.answer(question.to_text(), control)
    assert reported is not None
    found = ProbeAnswer.from_text(reported)
    assert found == probe(question, RunControl())
    assert control.steps >= found.nodes > 0
    assert services.question_kind(question.to_text())[1].service == "looks"


@pytest.mark.parametrize("empties", [9, 30])
def test_stopped_look_says_nothing(empties: int) -> None:
    board, control = running(empties, 1)[0], RunControl()
    control.stop()
    assert probe(asked(board, board.moves()[-1]), control) is None


def test_look_for_another_engine_is_refused() -> None:
    text = asked(OthelloBoard.start(), "f5").to_text().replace(engine_digest(), "0" * 16)
    with pytest.raises(ContextError, match="is of engine 0000000000000000"):
        services.answer(text, RunControl())


ENGINE = "0123456789abcdef"
TEXT = (
    f"othello-look/1 engine={ENGINE} board=---------------------------OX------XO----------------"
    "----------- side=X depth=12 move=f5"
)
squares = st.from_regex("[a-h][1-8]", fullmatch=True)
numbers = st.integers(-99_999, 99_999)


@given(st.integers(0, 999), st.integers(1, 60), st.sampled_from(SIZES), st.integers(1, DEPTH_MAX))
def test_questions_are_read_as_they_were_written(
    seed: int, empties: int, size: int, depth: int
) -> None:
    board = played(seed, empties, size)
    assume(board.moves())
    question = ProbeQuestion(ENGINE, board, depth, board.moves()[seed % len(board.moves())])
    text = question.to_text()
    assert ProbeQuestion.from_text(text) == question
    assert len(text) <= CONTEXT_BYTES_MAX


@given(numbers, squares, numbers, st.booleans(), st.integers(0, 10**18))
def test_answers_are_read_as_they_were_written(
    value: int, best: str, other: int, is_exact: bool, nodes: int
) -> None:
    answer = ProbeAnswer(min(value, other), best, max(value, other), is_exact, nodes)
    assert ProbeAnswer.from_text(answer.to_text()) == answer
    assert len(answer.to_text()) <= ANSWER_CHARACTERS_MAX


def test_a_look_in_words() -> None:
    assert ProbeQuestion(ENGINE, OthelloBoard.start(), 12, "f5").to_text() == TEXT
    reported = "value=-273 best=c4 best_value=62 exact=0 nodes=7"
    assert ProbeAnswer(-273, "c4", 62, is_exact=False, nodes=7).to_text() == reported


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("depth=12", "depth=0", "expected a depth from 1 to"),
        ("depth=12", "depth=012", "expected 'othello-look/1"),
        ("depth=12", "depth=07", "shortest form"),
        ("move=f5", "move=a1", "a1 is no legal move there"),
        ("move=f5", "move=i9", "expected 'othello-look/1"),
        ("OX------XO", "XX------XX", "f5 is no legal move there"),
        ("board=-", "board=", "64"),
        (ENGINE, "x" * 16, "expected 'othello-look/1"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ContextError) as caught:
        ProbeQuestion.from_text(TEXT.replace(old, new))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "value=1 best=f5 best_value=0 exact=0 nodes=1",
        "value=01 best=f5 best_value=2 exact=0 nodes=1",
        "value=1 best=f9 best_value=2 exact=0 nodes=1",
        "value=1 best=f5 best_value=2 exact=2 nodes=1",
    ],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ProbeAnswerError):
        ProbeAnswer.from_text(text)


def answered(question: ProbeQuestion) -> ProbeAnswer:
    text = answer(question.to_text(), RunControl())
    assert text is not None, "nobody stops it"
    return ProbeAnswer.from_text(text)


def fault(question: ProbeQuestion, found: ProbeAnswer) -> str:
    return answer_fault(question.to_text(), found.to_text())


MIDGAME, ENDGAME = (
    asked(board, board.moves()[-1], depth)
    for board, depth in ((game_position(8, 30), 3), (game_position(8, 8), 8))
)


@pytest.mark.when_changed
def test_honest_answers_are_taken() -> None:
    boards = [board for empties in (1, 2, 5, 8, 20, 40, 58) for board in running(empties, 4)]
    boards += [game_position(size, empties) for size in SIZES for empties in (9, 6, 3)]
    count = 0
    for board in boards:
        for move in board.moves()[:3]:
            for depth in {min(board.empties, 9), 2}:
                question = asked(board, move, depth)
                assert fault(question, answered(question)) == ""
                count += 1
    assert count > 100


@pytest.mark.parametrize("question", [MIDGAME, ENDGAME])
def test_broken_texts_are_refused_and_said_in_one_line(question: ProbeQuestion) -> None:
    for how, text in broken(answered(question).to_text()).items():
        said = answer_fault(question.to_text(), text)
        assert said, how
        assert "\n" not in said, how


@pytest.mark.parametrize("discs", [65, -65, 900, -900])
def test_values_beyond_the_board_are_refused(discs: int) -> None:
    found = answered(MIDGAME)
    value, best = sorted((found.value, discs * DISC))
    other = next(x for x in MIDGAME.board.moves() if x != MIDGAME.move)
    wrong = replace(found, value=value, best_value=best, best=other)
    assert "is possible" in fault(MIDGAME, wrong)


def test_scores_are_within_the_discs_that_never_turn_and_even() -> None:
    board = ENDGAME.board
    other = OthelloBoard(board.opponent, board.player, board.to_move)
    lost, kept = other.stable.bit_count(), board.stable.bit_count()
    assert lost or kept, "some discs never turn"
    found = answered(ENDGAME)
    for discs in ((64 - 2 * lost) + 2, (2 * kept - 64) - 2):
        wrong = ProbeAnswer(discs * DISC, ENDGAME.move, discs * DISC, True, found.nodes)
        assert "is possible" in fault(ENDGAME, wrong)
    second = next(x for x in board.moves() if x != ENDGAME.move)
    odd = replace(found, best=second, value=found.best_value - DISC)
    assert "not even" in fault(ENDGAME, odd)


@pytest.mark.parametrize("square", ["a1", "d4", "h8"])
def test_illegal_best_move_is_refused(square: str) -> None:
    assert square not in MIDGAME.board.moves()
    assert "no legal move" in fault(MIDGAME, replace(answered(MIDGAME), best=square))


def test_best_is_best() -> None:
    found = answered(MIDGAME)
    worse = replace(found, best_value=found.value - 1)
    assert "no worse" in fault(MIDGAME, worse)
    same = replace(found, best=MIDGAME.move, best_value=found.value + 100)
    assert "two values" in fault(MIDGAME, same)


def test_what_was_solved_says_so_and_nothing_else_does() -> None:
    for question in (MIDGAME, ENDGAME):
        found = answered(question)
        assert "empty squares" in fault(question, replace(found, is_exact=not found.is_exact))

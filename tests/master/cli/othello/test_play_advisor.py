"""What the engine says at an Othello board: master.cli.othello.play_advisor."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solving import move_scores
from master.cli.othello import play_advisor as play_othello_advisor
from master.cli.othello.play_advisor import KNOWN_MAX, OthelloAdvisor
from master.cli.othello.search_watch import watched
from master.games.othello.level import Level
from tests.engine_ext.othello.positions import running

FORCED = OthelloBoard.from_text("-OX" + "-" * 61 + " X")
LEVEL = Level(depth=4, exact_empties=10)
BOARDS = [*running(30, 3), *running(9, 3)]


def test_the_engine_plays_what_a_search_of_that_depth_finds() -> None:
    for board in running(30, 3):
        found = watched(BoardQuestion(board, 4))
        assert isinstance(found, BoardAnswer)
        choice = OthelloAdvisor(LEVEL).choose(board)
        assert (choice.square, choice.value, choice.is_exact) == (
            found.best_move, found.value, False,
        )  # fmt: skip


def test_near_the_end_the_engine_plays_to_the_exact_score() -> None:
    for board in running(9, 5):
        scores = move_scores(board)
        choice = OthelloAdvisor(LEVEL).choose(board)
        assert scores[choice.square] == max(scores.values())
        if len(scores) > 1:
            assert (choice.value, choice.is_exact) == (max(scores.values()), True)


def test_what_was_asked_before_changes_no_move() -> None:
    asked = OthelloAdvisor(LEVEL)
    for board in BOARDS:
        asked.hints(board, 5)
        asked.judge(board, board.moves()[-1])
        assert asked.choose(board) == OthelloAdvisor(LEVEL).choose(board)


def test_of_a_single_move_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_othello_advisor, "watched", None)
    for level in (LEVEL, Level(seconds=0.1)):
        choice = OthelloAdvisor(level).choose(FORCED)
        assert (choice.square, choice.value) == ("a1", None)


def test_hints_are_every_moves_value_best_first_with_what_follows() -> None:
    for board in BOARDS:
        advisor = OthelloAdvisor(LEVEL)
        hints, is_exact = advisor.hints(board, 60)
        assert is_exact == (board.empties <= 10)
        assert {hint.line[0] for hint in hints} == set(board.moves())
        assert [hint.value for hint in hints] == sorted((h.value for h in hints), reverse=True)
        assert hints[0].line[0] == advisor.choose(board).square
        if is_exact:
            assert {hint.line[0]: hint.value for hint in hints} == move_scores(board)
        assert advisor.hints(board, 2)[0] == hints[:2]


def test_a_single_hint_is_the_engines_move() -> None:
    for board in [*BOARDS, FORCED]:
        (hint,), _ = OthelloAdvisor(LEVEL).hints(board, 1)
        assert hint.line[0] == OthelloAdvisor(LEVEL).choose(board).square


def test_a_judgement_agrees_with_the_hints_before_and_after_them() -> None:
    for board in BOARDS:
        hints, is_exact = OthelloAdvisor(LEVEL).hints(board, 60)
        values = {hint.line[0]: hint.value for hint in hints}
        after_hints = OthelloAdvisor(LEVEL)
        after_hints.hints(board, 60)
        for square in board.moves():
            judged = OthelloAdvisor(LEVEL).judge(board, square)
            assert judged == after_hints.judge(board, square)
            assert (judged.value, judged.best_value) == (values[square], hints[0].value)
            is_best = values[square] == hints[0].value
            assert (judged.best == square) == is_best
            assert judged.is_exact == is_exact


def test_a_move_against_the_clock_is_legal_however_short_the_time() -> None:
    for board in [*running(40, 2), *running(15, 2), *running(5, 2)]:
        advisor = OthelloAdvisor(Level(seconds=0.0, exact_empties=20))
        assert advisor.choose(board).square in board.moves()


def test_an_end_that_is_solved_in_time_is_played_exactly() -> None:
    board = running(12, 1)[0]
    choice = OthelloAdvisor(Level(seconds=60.0)).choose(board)
    assert (choice.value, choice.is_exact) == (max(move_scores(board).values()), True)


def test_answers_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KNOWN_MAX > 60
    monkeypatch.setattr(play_othello_advisor, "KNOWN_MAX", 2)
    counted: list[BoardQuestion] = []

    def counting(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        counted.append(question)
        return watched(question, limit_s, is_quiet=True)

    advisor, boards = OthelloAdvisor(LEVEL, counting), running(30, 3)
    for board in (*boards, boards[2], boards[0]):
        advisor.choose(board)
    assert [question.board for question in counted] == [*boards, boards[0]]


def test_a_judgement_in_time_compares_values_of_one_depth() -> None:
    level = Level(depth=1, exact_empties=10, seconds=0.1)
    asked: list[tuple[int, float | None]] = []

    def stopped(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        asked.append((question.depth, limit_s))
        if limit_s is None:
            return watched(question, is_quiet=True)
        best = watched(replace(question, depth=5), is_quiet=True)
        assert isinstance(best, BoardAnswer)
        return BoardStatus("", 1, best.value, best.pv, 5)

    board = running(30, 1)[0]
    plain = OthelloAdvisor(Level(depth=5, exact_empties=10))
    for square in board.moves():
        asked.clear()
        found = OthelloAdvisor(level, stopped).judge_in_time(board, square)
        assert found == plain.judge(board, square)
        assert asked[0] == (29, 0.1)
        assert asked[1:] in ([], [(4, None)])


def test_too_little_time_is_a_look_at_each_move() -> None:
    def stopped(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        return BoardStatus("", 0, None, ()) if limit_s else watched(question, is_quiet=True)

    board = running(30, 1)[0]
    for square in board.moves():
        found = OthelloAdvisor(Level(seconds=0.1), stopped).judge_in_time(board, square)
        assert found == OthelloAdvisor(Level(depth=1)).judge(board, square)


def test_an_end_is_judged_exactly_whatever_the_time() -> None:
    board = running(9, 1)[0]
    scores = move_scores(board)
    for square in board.moves():
        found = OthelloAdvisor(Level(4, 10, seconds=0.1)).judge_in_time(board, square)
        assert (found.value, found.is_exact) == (scores[square], True)

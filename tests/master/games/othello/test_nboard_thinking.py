"""What is said while thinking: lines of the protocol, and legal moves even when stopped."""

import re

import pytest

from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.patterns import load_game_patterns
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solving import solve
from master.games.othello.nboard import Wish, WishKind
from master.games.othello.nboard_thinking import Watch, line_text, thinking
from tests.engine_ext.othello.positions import running

HURRIED = Watch(lambda: 0.0, lambda: True)
PATIENT = Watch(lambda: 1.5, lambda: False)
MUST_PASS = OthelloBoard.from_text("OX" + "-" * 62 + " X")


def said(wish: Wish, watch: Watch = PATIENT) -> list[str]:
    lines = list(thinking(wish, watch))
    assert lines[0] == "status thinking"
    assert lines[-1] == "status ready"
    return lines[1:-1]


def value_of(board: OthelloBoard, depth: int) -> float:
    return answer_at_once(BoardQuestion(board, depth)).value


def fast_value_of(board: OthelloBoard, depth: int) -> float:
    search = DepthSearch(board, depth, evaluation=load_game_patterns(), mode="fast")
    search.run()
    assert search.value is not None
    return search.value / 100


def test_go_names_the_best_move_its_value_and_the_time() -> None:
    for board in running(30, 3):
        *_, last = said(Wish(WishKind.GO, (board,), 4))
        found = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/1\.50", last)
        if len(board.moves()) > 1:
            assert found is not None, last
            assert found[1].lower() in board.moves()
            assert float(found[2]) == pytest.approx(fast_value_of(board, 4), abs=0.005)


def test_go_on_a_small_board_names_its_best_move() -> None:
    board = OthelloBoard.start(4)
    *_, last = said(Wish(WishKind.GO, (board,), 12))
    assert last.split("/")[1] == f"{solve(board).score:.2f}"


def test_forced_turns_need_no_search() -> None:
    assert said(Wish(WishKind.GO, (MUST_PASS,), 60)) == ["=== PA"]
    assert said(Wish(WishKind.GO, (MUST_PASS.passed(),), 60)) == ["=== C1"]


def test_go_that_is_stopped_still_plays_a_legal_move() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    *_, last = said(Wish(WishKind.GO, (board,), 40), HURRIED)
    assert last.removeprefix("=== ")[:2].lower() in board.moves()


def test_hint_and_analysis_that_are_stopped_end() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    for kind in (WishKind.HINT, WishKind.ANALYZE):
        assert said(Wish(kind, (board,), 40), HURRIED) == []


def test_hint_tells_of_the_best_moves_best_first() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    lines = [line.split() for line in said(Wish(WishKind.HINT, (board,), 5, 3)) if "search" in line]
    assert len(lines) == 3
    assert all(line[3:] == ["0", "5"] for line in lines)
    assert len({line[1][:2] for line in lines}) == 3
    values = [float(line[2]) for line in lines]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(value_of(board, 5), abs=0.005)
    assert all(len(line[1]) > 2 for line in lines)


def test_hint_near_the_end_is_exact_and_its_line_is_legal() -> None:
    board = running(8, 1)[0]
    *_, last = said(Wish(WishKind.HINT, (board,), 10))
    _, line, value, zero, depth = last.split()
    assert (float(value), zero, depth) == (solve(board).score, "0", "100%")
    for move in re.findall("..", line):
        board = board.passed() if move == "PA" else board.play(move.lower())


def test_hint_for_a_forced_pass_begins_with_it() -> None:
    *_, last = said(Wish(WishKind.HINT, (MUST_PASS,), 62, 2))
    assert last.split() == ["search", "PAC1", "-64.00", "0", "100%"]


def test_line_has_the_passes_that_it_implies() -> None:
    assert line_text(MUST_PASS, ["c1"]) == "PAC1"
    assert line_text(OthelloBoard.start(), ["f5", "d6"]) == "F5D6"


def test_analysis_goes_from_the_end_to_the_start_by_the_side_to_move() -> None:
    boards = (MUST_PASS, MUST_PASS.passed(), MUST_PASS.passed().play("c1"))
    lines = [line for line in said(Wish(WishKind.ANALYZE, boards, 62)) if "nodestats" not in line]
    assert lines[0] == "analysis 2 -64.00"
    assert lines[1:] == ["analysis 1 64.00", "analysis 0 -64.00"]

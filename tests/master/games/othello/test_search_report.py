"""Searches of Othello boards as jobs: the request, the progress and the result."""

from dataclasses import replace

import pytest

from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.whole_search import WholeSearch, answer_text
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.contract.views import JobView
from master.games.othello.search_report import (
    WORDS,
    answer_lines,
    answer_object,
    answer_of,
    job_lines,
    job_report,
    search_request,
    value_text,
)
from tests.master.cli.shown import job_view

BOARD = OthelloBoard.start(8)
FOUND = BoardAnswer(-2.0, True, "d3", ("d3", "c5"), 1_234, (("d3", -2.0), ("c4", -4.0)))
SHOWN = SearchView(position=BOARD.to_text(), is_exact=True)


def searched(answer: BoardAnswer | None) -> JobView:
    question = BoardQuestion(BOARD, 60, is_every_move_asked=True)
    text = "" if answer is None else answer_text(answer)
    nodes = 0 if answer is None else answer.nodes
    return replace(
        job_view(),
        context=WholeSearch("0" * 16, question, "manyply").to_text(),
        search=SearchView(nodes=nodes, seconds=1.5, answer=text),
        stopped_by="answered" if answer else "halted",
    )


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (None, None, "value unknown"),
        (-64, 64, "value unknown"),
        (-64, 10, "value at most +10"),
        (2, None, "value at least +2"),
        (2, 4, "value +2 to +4"),
        (0, 0, "value +0"),
    ],
)
def test_bracket_says_what_is_proved(lower: int | None, upper: int | None, text: str) -> None:
    assert WORDS.bracket(replace(SHOWN, lower=lower, upper=upper)) == text


def test_evaluations_have_two_decimals() -> None:
    what = replace(SHOWN, lower=-150, upper=6400, is_exact=False)
    assert WORDS.bracket(what) == "value at least -1.50"
    assert WORDS.depth(what, 57) == "57 moves deep"
    assert WORDS.depth(SHOWN, 57) == "57 empty squares"
    assert value_text(-1.5, is_exact=False) == "-1.50"


def test_passes_have_no_name() -> None:
    board = OthelloBoard.from_text("OOX" + "-" * 61 + " X")
    assert board.must_pass or board.is_over
    assert WORDS.moves(replace(SHOWN, position=board.to_text()), (0,)) == []
    second = BOARD.play(BOARD.moves()[3]).moves()[0]
    assert WORDS.moves(SHOWN, (3, 0)) == [BOARD.moves()[3], second]


def test_answer_of_a_job_is_what_was_stored() -> None:
    assert answer_of(searched(FOUND)) == FOUND
    assert answer_of(searched(None)) is None


def test_report_has_the_object_of_the_command() -> None:
    report = job_report(searched(FOUND))
    question = BoardQuestion(BOARD, 60, is_every_move_asked=True)
    document = answer_object(question, "manyply", FOUND, 1.5)
    assert document.items() <= report.items()
    assert set(report) - set(document) == {"job", "stopped_by", "engine", "id", "settings"}
    assert report["stopped_by"] == "answered"
    assert "value" not in job_report(searched(None))


def test_lines_have_value_best_line_moves_and_cost() -> None:
    assert job_lines(searched(FOUND)) == [
        "X to move: -2 discs (exact)",
        "best line: d3 c5",
        "d3  -2",
        "c4  -4",
        "1,234 nodes, 1.50 s",
    ]
    assert job_lines(searched(None)) == ["no answer yet"]
    begun = replace(searched(None), search=SearchView(nodes=1_234, seconds=5.4))
    assert job_lines(begun) == ["no answer yet after 1,234 nodes, 5 s"]


def test_value_that_another_search_need_not_find_says_so() -> None:
    question = BoardQuestion(BOARD, 8, mode="fast")
    found = BoardAnswer(1.25, False, "d3", ("d3",), 10)
    assert answer_object(question, "sequential", found, 0.0)["strategy"] == "sequential-fast"
    assert answer_lines(question, found, 0.5)[0] == "X to move: +1.25 discs (evaluation, fast)"


def test_job_says_the_search_and_is_called_by_its_board() -> None:
    question = BoardQuestion(OthelloBoard.start(), 9)
    request = search_request(question, "manyply", is_trusting=True)
    whole = WholeSearch.from_text(request.context)
    assert whole == WholeSearch(engine_digest("othello"), question, "manyply", True)
    assert request.label == OthelloBoard.start().to_text()
    assert (request.trials, request.stop_se) == (None, None)

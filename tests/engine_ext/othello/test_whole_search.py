"""Whole searches and their answers come back from their texts as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.search import MODES
from engine_ext.othello.whole_search import WholeSearch, answer_text, describe, read_answer
from engine_ext.services import ContextError
from tests.engine_ext.othello.positions import running

BOARDS = st.sampled_from([OthelloBoard.start(size) for size in (4, 6, 8)] + running(20, 5))
SEARCHES = st.builds(
    WholeSearch,
    engine=st.text("0123456789abcdef", min_size=16, max_size=16),
    question=st.builds(
        BoardQuestion,
        board=BOARDS,
        depth=st.integers(1, 60),
        mode=st.sampled_from(MODES),
        is_every_move_asked=st.booleans(),
    ),
    strategy=st.from_regex("[a-z][a-z0-9_]{0,31}", fullmatch=True),
    is_trusting=st.booleans(),
)
VALUES = st.floats(-64, 64)
SQUARES = st.sampled_from(["a1", "d3", "h8"])
ANSWERS = st.builds(
    BoardAnswer,
    value=VALUES,
    is_exact=st.booleans(),
    best_move=st.none() | SQUARES,
    pv=st.lists(SQUARES, max_size=5).map(tuple),
    nodes=st.integers(0, 2**60),
    moves=st.lists(st.tuples(SQUARES, VALUES), max_size=5).map(tuple),
)
TEXT = WholeSearch("0123456789abcdef", BoardQuestion(OthelloBoard.start(), 12), "manyply").to_text()


@given(SEARCHES)
def test_search_comes_back_from_its_text(search: WholeSearch) -> None:
    text = search.to_text()
    assert WholeSearch.from_text(text) == search
    assert services.is_whole_search(text)
    assert services.context_game(text) == "othello"


@given(ANSWERS)
def test_answer_comes_back_from_its_text(answer: BoardAnswer) -> None:
    text = answer_text(answer)
    assert read_answer(text, answer.nodes) == answer
    assert services.is_answer(text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("engine=0123456789abcdef", "engine=0123"),
        ("depth=12", "depth=012"),
        ("depth=12", "depth=0"),
        ("depth=12", "depth=61"),
        ("mode=reproducible", "mode=slow"),
        ("side=X", "side=-"),
        ("trust=0", "trust=2"),
        ("strategy=manyply", "strategy=Many ply"),
        ("board=----", "board=---"),
    ],
)
def test_text_that_means_nothing_is_refused(right: str, wrong: str) -> None:
    assert right in TEXT
    with pytest.raises(ContextError, match=r"expected|64 characters") as caught:
        WholeSearch.from_text(TEXT.replace(right, wrong))
    assert caught.value.code == "bad-context"


def test_search_reads_as_what_is_asked() -> None:
    (board,) = running(20, 1)
    solving = WholeSearch("0" * 16, BoardQuestion(board, 60, is_every_move_asked=True), "par", True)
    described = describe(solving.to_text())
    assert described.line == f"{board.to_move} to move, 20 empty squares, every move"
    assert described.facts == {
        "board": board.to_text(),
        "depth": None,
        "all_moves": True,
        "mode": "reproducible",
        "strategy": "par",
        "trust": True,
    }
    assert describe(TEXT).line == "X to move, depth 12"


def test_no_analyser_is_asked_for_it() -> None:
    assert services.game_services("othello") == ("looks", "search")
    with pytest.raises(ContextError, match="a question was expected"):
        services.question_kind(TEXT)
    with pytest.raises(ContextError, match="a context was expected"):
        services.trial_runner(TEXT)

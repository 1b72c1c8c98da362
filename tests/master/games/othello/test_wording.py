"""Othello's parts in words: what is read is what was written."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import PartKind, PartQuestion
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.bounds_tree import VALUE_LIMIT
from engine_ext.search.part_text import PartAnswer, ProvedMove
from master.games.othello.tree import OthelloMidgame, to_position
from master.games.othello.wording import OthelloWording
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.running.wording import Proved, WordingError
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.othello.positions import running

ENGINE = "feedfacefeedface"
WORDING = OthelloWording(ENGINE, 8, default_evaluation(8))


@given(st.integers(-64, 63), st.integers(0, 9))
def test_question_says_what_is_handed_out(alpha: int, index: int) -> None:
    board = running(20, 10)[index]
    part = HandOutPart(1, 2, 3, to_position(board), 20, alpha, alpha + 1)
    asked = PartQuestion.from_text(WORDING.question(part))
    assert (asked.engine, asked.depth) == (ENGINE, 20)
    assert (asked.alpha, asked.beta) == (alpha, alpha + 1)
    assert to_position(asked.board) == part.position


def test_parts_of_a_depth_are_asked_for_as_such() -> None:
    wording = OthelloWording(ENGINE, 8, default_evaluation(8), PartKind.DEPTH)
    board = running(30, 1)[0]
    asked = PartQuestion.from_text(
        wording.question(HandOutPart(1, 2, 3, to_position(board), 7, -150, 20))
    )
    assert (asked.kind, asked.depth, asked.alpha) == (PartKind.DEPTH, 7, -150)
    assert type(wording.rules) is OthelloMidgame


def test_widest_window_can_be_asked_for() -> None:
    board = running(20, 1)[0]
    part = HandOutPart(1, 2, 3, to_position(board), 20, -VALUE_LIMIT, VALUE_LIMIT)
    assert PartQuestion.from_text(WORDING.question(part)).beta == VALUE_LIMIT


def test_answer_says_what_is_proved() -> None:
    text = PartAnswer(-4, 10, 77, None, (ProvedMove(1, -4, 10),)).to_text()
    assert WORDING.read_answer(text) == Proved(-4, 10, 77, None, (MoveBounds(1, -4, 10),))
    with pytest.raises(WordingError, match="expected lower=L"):
        WORDING.read_answer("42")


@pytest.mark.parametrize("kind", PartKind)
@pytest.mark.parametrize("beyond", [1, 10**11])
def test_values_that_no_game_has_are_a_mistake(kind: PartKind, beyond: int) -> None:
    wording = OthelloWording(ENGINE, 8, default_evaluation(8), kind)
    most = kind.value_max
    widest = PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, most, most),))
    assert wording.read_answer(widest.to_text()).upper == most
    more = most + beyond
    for answer in (
        PartAnswer(-more, most, 1),
        PartAnswer(-most, more, 1),
        PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, more),)),
        PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, most, -more),)),
    ):
        with pytest.raises(WordingError, match=f"expected values from -{most} to {most}"):
            wording.read_answer(answer.to_text())


def table_entries(board: OthelloBoard) -> tuple[TableEntry, ...]:
    table = HashTable()
    table.begin_search()
    table.news(0)
    Solver(board, table=table).run()
    return tuple(table.news(6))


def test_entries_survive_the_wire() -> None:
    entries = table_entries(running(12, 1)[0])
    assert entries
    texts = WORDING.entries_texts(entries)
    assert tuple(one for text in texts for one in WORDING.read_entries(text)) == entries


def test_entries_of_other_tables_are_none_and_damaged_ones_a_mistake() -> None:
    entries = table_entries(running(12, 1)[0])
    (text, *_) = OthelloWording("0" * 16, 8, default_evaluation(8)).entries_texts(entries)
    assert WORDING.read_entries(text) == ()
    (text, *_) = WORDING.entries_texts(entries)
    with pytest.raises(WordingError, match="expected 1 to 200 entries"):
        WORDING.read_entries(text[:-4])


def test_its_rules_are_the_games() -> None:
    board = running(10, 1)[0]
    children = WORDING.rules.children(to_position(board), 10)
    assert [child.position for child in children] == [
        to_position(board.play(move)) for move in board.moves()
    ]
    assert WORDING.game == "othello"


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_an_answer_is_read_or_refused_whatever_it_is(text: str, begin: int, end: int) -> None:
    answer = PartAnswer(-4, 10, 77, None, (ProvedMove(1, -4, 10),)).to_text()
    for reported in (text, answer[:begin] + text + answer[end:], *broken(answer).values()):
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_answer(reported), Proved)
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_entries(reported), tuple)

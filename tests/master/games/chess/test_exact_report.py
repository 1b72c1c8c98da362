"""Reproducible searches as people read them."""

import pytest

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.exact.search import MATE_VALUE
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion
from master.contract.search_views import SearchView
from master.games.chess.exact_report import (
    WORDS,
    answer_lines,
    answer_object,
    best_of,
    view_position,
)
from master.games.chess.threaded_search import value_text
from master.games.chess.tree import root_position

BOARD = read_fen(START)
QUESTION = ExactQuestion(BOARD, GameBefore([BOARD.key]), 12)
WHERE = view_position(root_position(BOARD), 12, QUESTION.before)


@pytest.mark.parametrize(
    ("lower", "upper", "said"),
    [
        (None, None, "value unknown"),
        (-24, None, "value at least -0.24"),
        (None, 16, "value at most +0.16"),
        (8, 24, "value +0.08 to +0.24"),
        (8, 8, "value +0.08"),
        (MATE_VALUE + 3, None, "value at least a mate"),
        (None, -MATE_VALUE - 3, "value at most being mated"),
    ],
)
def test_what_is_proved_is_said(lower: int | None, upper: int | None, said: str) -> None:
    assert WORDS.bracket(SearchView(position=WHERE, lower=lower, upper=upper)) == said


def test_moves_on_the_way_have_names() -> None:
    position, before = root_position(BOARD), QUESTION.before
    moves = position.moves(12, before)
    place = moves.index("e2e4")
    assert WORDS.moves(SearchView(position=WHERE), (place,)) == ["e2e4"]
    (first, second) = WORDS.moves(SearchView(position=WHERE), (place, 0))
    assert first == "e2e4"
    assert second in BOARD.play("e2e4").moves()
    assert WORDS.depth(SearchView(), 7) == "depth 7"


def test_an_answer_reads() -> None:
    found = ExactAnswer(40, 12, ("e2e4", "e7e5"), 1_000_000)
    assert answer_lines(QUESTION, found, 0.5) == [
        "White to move: +0.40 pawns (reproducible, depth 12)",
        "best line: 1. e4 e5",
        "1,000,000 nodes, 2.0 M/s, 0.50 s",
    ]
    document = answer_object(QUESTION, "manyply", found, 0.5)
    assert document["mode"] == "reproducible"
    assert document["value"] == 40
    assert document["lines"] == [
        {"move": "e2e4", "centipawns": 40, "mate": None, "pv": ["e2e4", "e7e5"],
         "pv_san": ["e4", "e5"]}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "plies", "said"),
    [(MATE_VALUE + 9, 3, "mate in 2"), (-MATE_VALUE - 9, 4, "mated in 2"), (120, 4, "+1.20")],
)
def test_mates_are_counted_in_moves(value: int, plies: int, said: str) -> None:
    assert value_text(best_of(ExactAnswer(value, 9, ("e2e4",) * plies, 1)).value) == said

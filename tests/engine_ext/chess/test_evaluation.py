"""Static values keep the laws of any evaluation, and their terms come back from texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import TERM_COUNT, VALUE_MAX, static_value
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.terms import GROUPS, TERMS_FILE, group_starts, read_terms, write_terms
from tests.engine_ext.chess.positions import boards


@given(boards)
def test_value_is_the_same_with_colours_exchanged(board: ChessBoard) -> None:
    assert static_value(board) == static_value(board.mirrored())
    assert abs(static_value(board)) < VALUE_MAX


@given(boards)
def test_sides_see_one_position_from_both_sides(board: ChessBoard) -> None:
    """What one side is ahead the other is behind, but for the move, which is worth the same."""
    if board.is_check:
        return
    assert (
        0 <= static_value(board) + static_value(board.passed()) <= 4 * static_value(read_fen(START))
    )


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1"),
        ("6k1/3P4/8/8/8/8/8/4K3 w - - 0 1", "6k1/8/8/8/8/8/3P4/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"),
        ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"),
    ],
)
def test_better_is_worth_more(better: str, worse: str) -> None:
    assert static_value(read_fen(better)) > static_value(read_fen(worse))


worths = st.integers(-2000, 2000)


@given(st.lists(st.tuples(worths, worths), min_size=TERM_COUNT, max_size=TERM_COUNT))
@pytest.mark.when_changed
def test_text_comes_back(terms: list[tuple[int, int]]) -> None:
    assert read_terms(write_terms(terms, "drawn")) == terms


def test_shipped_terms_are_whole_and_sensible() -> None:
    terms = read_terms(TERMS_FILE.read_text())
    starts = group_starts()
    assert len(terms) == TERM_COUNT == sum(GROUPS.values())
    worth = {
        name: sum(terms[starts[f"squares_{name}"] + each][0] for each in range(4, 28)) / 24
        for name in ("pawn", "knight", "bishop", "rook", "queen")
    }
    assert 0 < worth["pawn"] < worth["knight"] < worth["rook"] < worth["queen"]
    assert worth["bishop"] < worth["rook"]


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [*lines[:-1], lines[-1] + " 1/1"],
        lambda lines: [lines[0], *lines[2:], lines[1]],
        lambda lines: [*lines[:-1], "tempo: 1"],
        lambda lines: [*lines[:-1], "tempo: a/b"],
    ],
)
def test_damaged_text_is_refused(change) -> None:  # type: ignore[no-untyped-def]
    lines = TERMS_FILE.read_text().splitlines()
    with pytest.raises(ValueError, match=r".+"):
        read_terms("\n".join(change(lines)))

"""The terms of chess: what is shipped is whole, and texts come back as they went."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.evaluation import TERM_COUNT
from engine_ext.chess.terms import GROUPS, TERMS_FILE, group_starts, read_terms, write_terms

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

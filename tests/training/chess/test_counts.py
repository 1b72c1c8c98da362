"""Counts of terms: the evaluation is their sum, and counting leaves it as it was."""

import pytest
from hypothesis import given

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import TERM_COUNT, static_value
from engine_ext.chess.terms import TERMS_FILE, read_terms
from tests.engine_ext.chess.positions import boards

pytest.importorskip("numpy", reason="numpy is not installed")

from training.chess.counts import term_counts  # needs numpy

TERMS = read_terms(TERMS_FILE.read_text())


@given(boards)
def test_value_is_the_sum_of_the_terms(board: ChessBoard) -> None:
    before = static_value(board)
    counts, phases = term_counts([board])
    assert counts.shape == (1, TERM_COUNT)
    phase = int(phases[0])
    early, late = (
        sum(int(count) * term[half] for count, term in zip(counts[0], TERMS, strict=True))
        for half in (0, 1)
    )
    assert (early * phase + late * (24 - phase)) // 24 == before == static_value(board)

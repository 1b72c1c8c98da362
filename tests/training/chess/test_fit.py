"""Counted terms sum to the evaluation; the fit finds terms that made the targets."""

import pytest
from hypothesis import given

np = pytest.importorskip("numpy", reason="numpy is not installed")

from engine_ext.chess.board import ChessBoard  # noqa: E402
from engine_ext.chess.evaluation import TERM_COUNT, static_value  # noqa: E402
from engine_ext.chess.terms import TERMS_FILE, read_terms  # noqa: E402
from tests.engine_ext.chess.positions import boards  # noqa: E402
from training.chess.counts import term_counts  # noqa: E402
from training.chess.fit import Data, fit, loss, odds, to_data  # noqa: E402
from training.chess.games import play_game  # noqa: E402

TERMS = read_terms(TERMS_FILE.read_text())


def test_terms_that_made_the_targets_are_found() -> None:
    chance = np.random.default_rng(7)
    terms = np.array([[50, 20], [-30, 60], [5, -5]], dtype=np.float32)
    counts = chance.integers(-4, 5, (20_000, 3)).astype(np.int8)
    phases = chance.random(20_000).astype(np.float32)
    sums = counts @ terms
    targets = odds(sums[:, 0] * phases + sums[:, 1] * (1 - phases))
    data = Data(counts, phases, targets)
    said: list[float] = []
    found = fit(data, [(0, 0)] * 3, 100, lambda epoch, missed: said.append(missed))
    assert np.abs(np.array(found) - terms).max() <= 2
    assert said[-1] < said[0] / 100


def test_games_teach_something() -> None:
    data = to_data(sample for number in range(3) for sample in play_game(number, 200))
    before = loss(data, np.array(TERMS, dtype=np.float32))
    after = loss(data, np.array(fit(data, TERMS, 20, lambda *_: None), dtype=np.float32))
    assert after < before


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

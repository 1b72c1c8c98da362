"""The fit finds terms that made the targets, and lowers the loss on games."""

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")

from engine_ext.chess.terms import TERMS_FILE, read_terms  # noqa: E402  # needs numpy
from training.chess.fit import Data, fit, loss, odds, to_data  # noqa: E402
from training.chess.games import play_game  # noqa: E402


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
    terms = read_terms(TERMS_FILE.read_text())
    before = loss(data, np.array(terms, dtype=np.float32))
    after = loss(data, np.array(fit(data, terms, 20, lambda *_: None), dtype=np.float32))
    assert after < before

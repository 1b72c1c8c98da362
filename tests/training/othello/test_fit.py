"""The fit against what is known of least squares."""

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello.board import OthelloBoard  # noqa: E402
from tests.engine_ext.othello.positions import played  # noqa: E402
from training.othello.fit import (  # noqa: E402
    Plan,
    StageWeights,
    Values,
    empties,
    empty_stage,
    features,
    fit,
    predict,
)


def words(board: OthelloBoard) -> tuple[int, int]:
    return board.player, board.opponent


BOARDS = np.array([words(played(seed, 20 + seed % 4)) for seed in range(300)], np.uint64)


def known_values() -> Values:
    """Labels that some weights explain wholly."""
    stage = empty_stage()
    stage.weights[:] = np.random.default_rng(3).normal(0, 50, len(stage.weights))
    stage.bias[:] = 100
    return predict(stage, features(BOARDS), empties(BOARDS))


def test_labels_that_weights_explain_are_learned() -> None:
    values = known_values()
    fitted = fit(BOARDS, values, empty_stage(), Plan(ridge=0.001, iterations=60))
    guess = predict(fitted, features(BOARDS), empties(BOARDS))
    assert np.abs(guess - values).max() < 1


def test_symmetric_boards_share_their_weights() -> None:
    turned = [words(played(seed, 20).transformed(5)) for seed in range(20)]
    plain = [words(played(seed, 20)) for seed in range(20)]
    fitted = fit(BOARDS, known_values(), empty_stage(), Plan(iterations=5))
    left = np.full(20, 20)
    one = predict(fitted, features(np.array(plain, np.uint64)), left)
    other = predict(fitted, features(np.array(turned, np.uint64)), left)
    assert np.allclose(one, other, atol=0.01)


def test_pattern_never_seen_keeps_the_priors_weight() -> None:
    prior = StageWeights(np.full_like(empty_stage().weights, 7), empty_stage().bias)
    fitted = fit(BOARDS, known_values(), prior, Plan(iterations=10))
    seen = np.zeros(len(prior.weights), bool)
    seen[features(BOARDS)] = True
    assert (fitted.weights[~seen] == 7).all()
    assert (fitted.weights[seen] != 7).any()


def test_strong_prior_hardly_moves() -> None:
    fitted = fit(BOARDS, known_values(), empty_stage(), Plan(ridge=1e7, iterations=10))
    assert np.abs(fitted.weights).max() < 0.1

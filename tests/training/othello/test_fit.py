"""The fit agrees with least squares, and takes the positions that its outcome rules name."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello import patterns  # noqa: E402
from engine_ext.othello.board import OthelloBoard  # noqa: E402
from engine_ext.othello.pattern_file import weights_from_bytes, weights_to_bytes  # noqa: E402
from engine_ext.othello.patterns import (  # noqa: E402
    BIAS_COUNT,
    STAGE_COUNT,
    PatternEvaluation,
    load_patterns,
    stage,
)
from tests.engine_ext.othello.positions import (  # noqa: E402
    played,
    running,
)
from training.othello import outcome, strong_games  # noqa: E402
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
from training.othello.strong_games import Manner, empty_batch, play_batches  # noqa: E402


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


SHIPPED = Path(patterns.__file__).parent / "data" / "patterns.weights"


def test_followed_positions_are_those_that_an_outcome_reaches() -> None:
    batch = empty_batch(2)
    batch.boards[:, 30] = [(1, 2), (3, 4)]
    batch.boards[:, 14] = [(5, 8), (7, 8)]
    batch.side_boards[0, 30], batch.side_boards[0, 14] = (9, 16), (11, 16)
    batch.values[:, 30], batch.side_values[0, 30] = (100, 200), 300
    batch.links[1, 30] = -1
    for followed, count, labels in ((True, 1, [20]), (False, 3, [100, 20, 300])):
        sources = outcome.Sources([], share=0.9, is_followed=followed)
        boards, values = outcome.stage_positions([batch], stage(30), sources)
        assert len(boards) == count
        assert values.tolist() == pytest.approx(labels)
        assert len(outcome.stage_positions([batch], stage(14), sources)[0]) == 3


def test_stages_reach_beyond_their_own_positions_and_leave_out_the_last() -> None:
    batch = empty_batch(1)
    batch.boards[0] = [(left + 1, 1 << 40) for left in range(61)]
    batch.links[0] = -1
    number = stage(30)
    for left_min, reach, lefts in ((0, 0, (29, 32)), (0, 2, (27, 34)), (31, 2, (31, 34))):
        sources = outcome.Sources([], left_min=left_min, reach=reach)
        boards, _ = outcome.stage_positions([batch], number, sources)
        assert sorted(int(board[0]) - 1 for board in boards) == list(range(lefts[0], lefts[1] + 1))


@pytest.mark.slow
def test_weights_go_on_from_those_before_where_there_is_something_to_learn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 25)
    manner = Manner(depth=1, side_depth=0, exact=5, left_at=5)
    list(play_batches(tmp_path, load_patterns(), manner, range(1)))
    _, before = weights_from_bytes(SHIPPED.read_bytes())
    sources = outcome.Sources([tmp_path], left_min=21)
    after = outcome.run(sources, Plan(iterations=2), before)
    count = (len(before) - BIAS_COUNT) // STAGE_COUNT
    for number in range(STAGE_COUNT):
        row = slice(number * count, (number + 1) * count)
        assert (after[row] == before[row]) == (max(outcome.empties_of(number)) < 21)


@pytest.mark.slow
def test_games_become_weights_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 25)
    manner = Manner(depth=1, side_depth=1, exact=5)
    assert len(list(play_batches(tmp_path, load_patterns(), manner, range(2)))) == 2
    batches = outcome.batches_of([tmp_path])
    for number in range(STAGE_COUNT):
        boards, _ = outcome.stage_positions(batches, number, outcome.Sources([]))
        assert {stage(left) for left in empties(boards).tolist()} == {number}
    first = outcome.run(outcome.Sources([tmp_path]), Plan(iterations=2))
    assert capsys.readouterr().out.count("mean absolute error") == STAGE_COUNT
    assert first == outcome.run(outcome.Sources([tmp_path]), Plan(iterations=2))
    evaluation = PatternEvaluation(weights_to_bytes(first, preset=0))
    assert any(evaluation.value(board) for board in running(30, 5))

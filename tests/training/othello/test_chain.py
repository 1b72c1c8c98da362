"""The chain from positions to weights, in the small."""

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello.evaluation import MobilityEvaluation  # noqa: E402
from engine_ext.othello.pattern_file import weights_to_bytes  # noqa: E402
from engine_ext.othello.patterns import PatternEvaluation  # noqa: E402
from tests.engine_ext.othello.positions import running  # noqa: E402
from training.othello import chain  # noqa: E402
from training.othello.fit import Plan  # noqa: E402

RECIPE = chain.Recipe(count=60, exact=6, depth=1)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "BATCH_GAMES", 40)


def test_positions_are_unlike_and_have_their_empty_squares() -> None:
    found = chain.positions(MobilityEvaluation(), RECIPE)
    for left in (5, 20, 40):
        assert 30 < len(found[left]) <= 60
        assert len(np.unique(found[left], axis=0)) == len(found[left])
        assert (64 - np.bitwise_count(found[left]).sum(axis=1) == left).all()


@pytest.mark.slow
def test_run_is_repeated_bit_for_bit_and_keeps_its_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = chain.run(tmp_path, MobilityEvaluation(), RECIPE, Plan(iterations=3))
    reported = capsys.readouterr().out
    assert "stage 14: 240 positions" in reported
    assert "stage 1:" in reported
    labels = np.load(tmp_path / "12.npy")
    again = chain.run(tmp_path, MobilityEvaluation(), RECIPE, Plan(iterations=3))
    afresh = chain.run(tmp_path / "new", MobilityEvaluation(), RECIPE, Plan(iterations=3))
    assert first == again == afresh
    assert (np.load(tmp_path / "new" / "12.npy") == labels).all()
    evaluation = PatternEvaluation(weights_to_bytes(first, preset=0))
    assert any(evaluation.value(board) for board in running(60, 1) + running(30, 5))

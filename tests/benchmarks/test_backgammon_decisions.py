"""The decision program in small: that every evaluator that is there gets a row."""

from pathlib import Path

import pytest

from engine_ext.backgammon.evaluate import shared_evaluator
from tests.benchmarks import backgammon_decisions


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.timeout(240)
def test_choices_are_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("bgsage", reason="the deeper search is not installed")
    pytest.importorskip("numpy", reason="the training extra is not installed")
    from training.backgammon import decisions  # noqa: PLC0415

    path = tmp_path / "set.npz"
    made = decisions.make_set(shared_evaluator(), decisions.SetRecipe(count=10, plies=2))
    decisions.save_set(path, made)
    backgammon_decisions.main([str(path)])
    printed = capsys.readouterr().out
    assert "10 decisions" in printed
    assert "bgsage" in printed

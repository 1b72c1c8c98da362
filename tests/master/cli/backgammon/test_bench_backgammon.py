import pytest

from master.cli.backgammon.bench_backgammon import bench_backgammon
from master.cli.bench import bench_figures


@pytest.mark.slow
def test_every_documented_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_figures, "RUN_S_MIN", 0.01)
    monkeypatch.setattr(bench_figures, "RUNS", 1)
    figures = bench_backgammon()
    assert list(figures) == [
        "static_evals_per_s",
        "successors_evaluated_per_s",
        "positions_generated_per_s",
        "rollout_trials_per_s",
        "rollout_trials_no_vr_per_s",
        "kernel",
        "cpu",
    ]
    rates = [figure for name, figure in figures.items() if name.endswith("_per_s")]
    assert all(isinstance(rate, float) and rate > 0 for rate in rates)
    assert all(figures[name] for name in ("kernel", "cpu"))

"""Every documented figure is measured."""

import pytest

from master.cli.bench import bench_figures
from master.cli.chess import bench_chess as module
from master.cli.chess.bench_chess import bench_chess


@pytest.mark.slow
def test_every_documented_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_figures, "RUN_S_MIN", 0.01)
    monkeypatch.setattr(bench_figures, "RUNS", 1)
    monkeypatch.setattr(module, "FAST_NODES", 1_000)
    monkeypatch.setattr(module, "EXACT_DEPTH", 5)
    monkeypatch.setattr(module, "PERFT_DEPTH", 2)
    figures = bench_chess()
    assert list(figures) == [
        "perft_per_s", "values_per_s", "fast_nodes_per_s", "reproducible_nodes_per_s", "kernel",
        "cpu",
    ]  # fmt: skip
    *measured, kernel, cpu = figures.values()
    assert all(isinstance(figure, float) and figure > 0 for figure in measured)
    assert kernel
    assert cpu

import pytest

from master.cli.bench import bench_figures
from master.cli.threes import bench_threes as module
from master.cli.threes.bench_threes import bench_threes


@pytest.mark.slow
def test_every_documented_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_figures, "RUN_S_MIN", 0.01)
    monkeypatch.setattr(bench_figures, "RUNS", 1)
    monkeypatch.setattr(module, "GAMES", {1: 2, 2: 1})
    figures = bench_threes()
    assert list(figures) == ["moves_1_ply_per_s", "moves_2_ply_per_s", "net_load_ms", "cpu"]
    *measured, cpu = figures.values()
    assert all(isinstance(figure, float) and figure > 0 for figure in measured)
    assert cpu


def test_three_look_aheads_are_measured() -> None:
    assert list(module.GAMES) == [1, 2, 3]

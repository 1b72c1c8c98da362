"""`manyply bench othello`: figures of one core, in words and as JSON."""

import json

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.bench import bench_figures
from master.cli.othello import bench_othello as module
from master.cli.othello.bench_othello import WORDS, bench_othello

FIGURES = {"perft_per_s": 6_612_345.6, "kernel": "avx2", "cpu": "a processor"}


def test_figures_are_shown_in_words_and_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "bench_othello", lambda: FIGURES)
    assert json.loads(CliRunner().invoke(manyply, ["bench", "othello", "--json"]).stdout) == FIGURES
    title, *lines = CliRunner().invoke(manyply, ["bench", "othello"]).stdout.splitlines()
    assert title == "Othello, one core"
    assert " ".join(lines[0].split()) == "games counted (perft), a second 6,612,346"


@pytest.mark.slow
def test_every_documented_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_figures, "RUN_S_MIN", 0.01)
    monkeypatch.setattr(bench_figures, "RUNS", 1)
    monkeypatch.setattr(module, "PERFT_DEPTH", 3)
    monkeypatch.setattr(module, "DEPTH", 4)
    monkeypatch.setattr(module, "ENDGAME", "FFO20")
    figures = bench_othello()
    assert list(WORDS) == list(figures)
    *measured, kernel, cpu = figures.values()
    assert all(isinstance(figure, float) and figure > 0 for figure in measured)
    assert kernel
    assert cpu

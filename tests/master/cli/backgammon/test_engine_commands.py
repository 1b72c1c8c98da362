import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.backgammon.bench_backgammon import WORDS, bench_backgammon
from master.cli.backgammon.commands import COMMANDS
from master.cli.bench import bench_figures

FIGURES = {"static_evals_per_s": 1234567.8, "rollout_trials_per_s": 96.789, "kernel": "avx2"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.backgammon.bench_backgammon.bench_backgammon", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "backgammon", "--json"]).stdout) == (
        FIGURES
    )


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "backgammon"])
    first, *lines = [" ".join(line.split()) for line in result.stdout.splitlines()[1:]]
    assert first == "positions evaluated (0-ply), a second 1,234,568"
    assert lines == ["rollout trials, a second 96.79", "kernel avx2"]
    assert result.stderr.startswith("measuring for about")


@pytest.mark.parametrize("bench", ["backgammon", "network"])
def test_benches_are_listed(bench: str) -> None:
    assert bench in CliRunner().invoke(manyply, ["bench", "--help"]).stdout


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
    assert list(WORDS) == list(figures)
    rates = [figure for name, figure in figures.items() if name.endswith("_per_s")]
    assert all(isinstance(rate, float) and rate > 0 for rate in rates)
    assert all(figures[name] for name in ("kernel", "cpu"))


def ran(*args: str, game: str = "backgammon") -> Any:
    return CliRunner().invoke(manyply, ["perft", game, *args])


@pytest.mark.parametrize(("depth", "count"), [(1, 447), (2, 202782)])
def test_start_position_is_counted(depth: int, count: int) -> None:
    counted = json.loads(ran(str(depth), "--json").stdout)
    assert (counted["position_id"], counted["depth"], counted["positions"]) == (
        "4HPwATDgc/ABMA", depth, count,
    )  # fmt: skip


def test_any_position_is_counted() -> None:
    assert "27Y5AADg/wMAYA depth 1: 21 positions" in ran("27Y5AADg/wMAYA", "1").stdout


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [ID] DEPTH"),
        (("one",), "expected [ID] DEPTH"),
        (("6",), "DEPTH is 1 to 5, not 6"),
        (("99999999999999999999",), "DEPTH is 1 to 5"),
        (("0",), "DEPTH is 1 to 5"),
        (("xyz", "1"), "no ID in 'xyz'"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


TYPED = [*((verb, "backgammon") for verb in COMMANDS.verbs), *((name,) for name in COMMANDS.own)]


def test_commands_are_those_of_the_manual() -> None:
    assert list(COMMANDS.own) == ["eval", "cube", "external", "ubgi", "profile", "quiz"]
    assert set(COMMANDS.verbs) == {"rollout", "play", "analyse", "move", "perft", "bench"}


@pytest.mark.parametrize("words", TYPED)
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")

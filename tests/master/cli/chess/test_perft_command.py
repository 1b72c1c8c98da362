"""`manyply perft chess` and `manyply bench chess`, and the list of chess's commands."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.chess.fen import START
from master.cli.app import manyply
from master.cli.bench import bench_figures
from master.cli.chess import bench_chess as module
from master.cli.chess.bench_chess import bench_chess
from master.cli.chess.commands import COMMANDS


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["perft", "chess", *args])


@pytest.mark.parametrize(("depth", "games"), [(1, 20), (2, 400), (5, 4865609)])
def test_games_are_counted_from_the_start(depth: int, games: int) -> None:
    counted = json.loads(ran(str(depth), "--json").stdout)
    assert counted.pop("seconds") >= 0
    moves = counted.pop("moves")
    assert counted == {"fen": START, "depth": depth, "games": games}
    assert (len(moves), sum(moves.values())) == (20, games)


def test_each_first_move_has_a_line() -> None:
    lines = ran("r3k2r/8/8/8/8/8/8/R3K2R", "w", "KQkq", "-", "2").stdout.splitlines()
    assert len(lines) == 27
    assert "e1g1: 23" in lines
    assert lines[-1].startswith("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 depth 2: 568 games, ")


def test_castling_of_chess960_is_distinguished_from_a_step() -> None:
    said = ran("1k6/8/8/8/8/8/8/5KR1 w G - 0 1", "1").stdout
    assert "f1g1: 1" in said
    assert "f1e1: 1" in said


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [FEN] DEPTH"),
        ((START,), "expected [FEN] DEPTH"),
        (("0",), "DEPTH is 1 to 15, not 0"),
        (("16",), "DEPTH is 1 to 15, not 16"),
        (("8/8", "1"), "a FEN is: pieces"),
        (("8/8/8/8/8/8/8/8 w - - 0 1", "1"), "White has 0 kings, one was expected"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


FIGURES = {"perft_per_s": 6_612_345.6, "kernel": "pext", "cpu": "a processor"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.chess.bench_chess.bench_chess", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "chess", "--json"]).stdout) == FIGURES


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "chess"])
    title, *lines = result.stdout.splitlines()
    assert title == "Chess, one core"
    assert " ".join(lines[0].split()) == "positions counted (perft), a second 6,612,346"
    assert result.stderr.startswith("measuring for about")


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
    assert list(module.WORDS) == list(figures)
    *measured, kernel, cpu = figures.values()
    assert all(isinstance(figure, float) and figure > 0 for figure in measured)
    assert kernel
    assert cpu


WORDS = [*((verb, "chess") for verb in COMMANDS.verbs), *((name,) for name in COMMANDS.own)]


def test_commands_are_those_of_the_manual() -> None:
    assert list(COMMANDS.own) == ["uci"]
    assert set(COMMANDS.verbs) == {"analyse", "bench", "play", "search", "simulate", "perft"}


@pytest.mark.parametrize("words", WORDS)
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")

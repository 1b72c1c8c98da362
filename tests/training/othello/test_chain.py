"""The chain from positions to weights repeats bit for bit, also by its commands."""

import sys
from array import array
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello.evaluation import MobilityEvaluation  # noqa: E402
from engine_ext.othello.pattern_file import (  # noqa: E402
    weights_from_bytes,
    weights_to_bytes,
)
from engine_ext.othello.patterns import (  # noqa: E402
    PatternEvaluation,
    load_patterns,
)
from tests.engine_ext.othello.pattern_weights import random_weights  # noqa: E402
from tests.engine_ext.othello.positions import running  # noqa: E402
from training.othello import (  # noqa: E402
    chain,
    strong_games,
)
from training.othello.__main__ import main  # noqa: E402
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


@pytest.mark.slow
def test_fit_writes_a_weight_file_that_plays_the_next_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "BATCH_GAMES", 20)
    first, second = str(tmp_path / "first.weights"), str(tmp_path / "second.weights")
    few = ["--count", "20", "--exact", "5", "--depth", "1", "--iterations", "2"]
    monkeypatch.setattr(sys, "argv", ["training", "fit", str(tmp_path / "1"), first, *few])
    main()
    more = ["--player", first, "--noise", "300", *few]
    monkeypatch.setattr(sys, "argv", ["training", "fit", str(tmp_path / "2"), second, *more])
    main()
    assert load_patterns(first).digest != load_patterns(second).digest


@pytest.mark.slow
def test_play_and_learn_write_a_weight_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 20)
    games, weights = str(tmp_path / "games"), str(tmp_path / "learned.weights")
    shallow = ["--depth", "1", "--side-depth", "1", "--exact", "4"]
    monkeypatch.setattr(sys, "argv", ["training", "play", games, "1", *shallow])
    main()
    assert capsys.readouterr().out.strip().endswith("0.npz")
    few = ["--followed", "--share", ".8", "--iterations", "2"]
    monkeypatch.setattr(sys, "argv", ["training", "learn", weights, games, *few])
    main()
    assert len(load_patterns(weights).digest) == 64


@pytest.mark.slow
def test_mean_of_files_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / name for name in ("one.weights", "other.weights", "mean.weights")]
    one = random_weights()
    other = array("h", reversed(one))
    for path, weights in zip(paths, (one, other), strict=False):
        path.write_bytes(weights_to_bytes(weights, preset=0))
    arguments = [str(paths[2]), str(paths[0]), str(paths[1])]
    monkeypatch.setattr(sys, "argv", ["training", "mean", *arguments])
    main()
    _, found = weights_from_bytes(paths[2].read_bytes())
    assert all(abs(2 * f - a - b) <= 1 for f, a, b in zip(found, one, other, strict=True))
    assert list(found) != list(one)


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["learn", "new.weights", "none"], "no positions of 0 to 4 empty squares: expected games"),
        (["mean", "new.weights", "none.weights"], "No such file"),
        (["play", "games", "1", "--player", "none.weights"], "none.weights: No such file"),
    ],
)
def test_bad_input_is_reported_in_one_line(
    arguments: list[str], reported: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["training", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert reported in said
    assert said.startswith("error: ")
    assert said.count("\n") == 1

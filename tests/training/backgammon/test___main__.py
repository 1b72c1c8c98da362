"""The pipeline's commands, from generation to score, in small."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the training extra is not installed")


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "training.backgammon", *arguments],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_whole_pipeline_makes_a_net(tmp_path: Path) -> None:
    directory, checkpoint, net = (str(tmp_path / name) for name in ("data", "net.pt", "new.net"))
    run("generate", directory, "--pubeval", "--shards", "0:1", "--size", "2000")
    run("label", directory, "look-ahead", "--most", "1000")
    run("train", directory, "look-ahead", checkpoint, "--width", "256", "--batch", "64",
        "--epochs", "2")  # fmt: skip
    assert "digest" in run("quantise", checkpoint, net)
    assert "balanced on" in run("balance", net, net, directory)
    assert "against PubEval" in run("score", "--contact", net, "--games", "20")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_positions_are_followed(tmp_path: Path) -> None:
    source, target = str(tmp_path / "data"), str(tmp_path / "on")
    run("generate", source, "--pubeval", "--shards", "0:1", "--size", "500")
    assert "200 labels" in run("follow", source, target, "--most", "200")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_set_of_decisions_is_made_and_scored(tmp_path: Path) -> None:
    pytest.importorskip("bgsage", reason="the reference of decisions is not installed")
    decisions = str(tmp_path / "set.npz")
    assert "10 decisions" in run("decisions", decisions, "--count", "10", "--plies", "2")
    assert "mean loss" in run("score", "--games", "0", "--decisions", decisions)

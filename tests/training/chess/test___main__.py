"""The commands that make samples and fit the terms."""

from pathlib import Path

import pytest

from engine_ext.chess.terms import read_terms
from training.chess.__main__ import main
from training.chess.games import Sample


def test_games_are_made_and_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    samples, terms = tmp_path / "samples", tmp_path / "terms.txt"
    monkeypatch.setattr("sys.argv", ["x", "games", str(samples), "--games", "2", "--nodes", "200"])
    main()
    main()
    lines = samples.read_text().splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
    assert [Sample.from_line(line) for line in lines]
    monkeypatch.setattr(
        "sys.argv", ["x", "fit", str(samples), "--epochs", "3", "--out", str(terms)]
    )
    main()
    assert read_terms(terms.read_text())
    assert "after" in capsys.readouterr().err

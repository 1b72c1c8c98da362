"""Games to learn from are functions of their number, and the commands fit terms to them."""

from itertools import pairwise
from pathlib import Path

import pytest

from engine_ext.chess.fen import read_fen
from engine_ext.chess.terms import read_terms
from training.chess.__main__ import main
from training.chess.games import WON_VALUE, Sample, play_game

NODES = 200


def test_game_is_a_function_of_its_number() -> None:
    first = play_game(3, NODES)
    assert first == play_game(3, NODES)
    assert first != play_game(4, NODES)


def test_samples_are_quiet_and_of_one_result() -> None:
    samples = play_game(1, NODES)
    assert samples
    boards = [read_fen(each.fen) for each in samples]
    assert not any(board.is_check for board in boards)
    assert all(abs(each.value) < WON_VALUE for each in samples)
    whites = {
        1 - each.result if board.is_black else each.result
        for each, board in zip(samples, boards, strict=True)
    }
    assert len(whites) == 1
    numbers = [2 * board.move_number + board.is_black for board in boards]
    assert all(before < after for before, after in pairwise(numbers))


def test_line_comes_back() -> None:
    for sample in play_game(2, NODES):
        assert Sample.from_line(sample.to_line() + "\n") == sample


@pytest.mark.parametrize("line", ["", "fen;1", "fen;x;1", "fen;1;2;3"])
def test_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Sample.from_line(line)


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

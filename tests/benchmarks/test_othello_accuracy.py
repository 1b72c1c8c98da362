"""The accuracy program in small: that judges are heard, and what it prints."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.patterns import load_patterns
from tests.benchmarks import othello_accuracy
from tests.benchmarks.othello_accuracy import Judged, error, judged
from tests.benchmarks.othello_opponents import NboardPlayer, Program
from training.othello import strong_games


def test_error_is_the_values_less_the_judges() -> None:
    evaluation, board = load_patterns(), OthelloBoard.start()
    value = evaluation.value(board) / 100
    some = [Judged(board, value - 3, False), Judged(board, value + 1, False)]
    assert error(evaluation, some) == "2.00 (+1.0)"
    assert error(evaluation, []) == ""


def test_only_what_a_judge_has_a_choice_in_is_judged() -> None:
    batch = strong_games.empty_batch(2)
    board = OthelloBoard.start()
    batch.boards[:, 60] = board.player, board.opponent
    batch.side_boards[1, 60] = board.player, board.opponent
    found = judged(60, 5, batch, lambda _: 1.5)
    assert [one.is_side for one in found] == [False, False, True]
    assert judged(60, 5, batch, lambda _: None) == []


@pytest.mark.slow
def test_our_own_nboard_engine_judges() -> None:
    player = NboardPlayer(Program(f"{sys.executable} -m master.cli nboard"), 2)
    value = player.value(OthelloBoard.start())
    player.program.end()
    assert value is not None
    assert abs(value) < 10


@pytest.mark.slow
def test_errors_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strong_games, "BATCH_GAMES", 3)
    monkeypatch.setattr(othello_accuracy, "SOLVED", (5, 9))
    othello_accuracy.main(["--count", "3"])
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading.split()[-2:] == ["5", "9"]
    assert "played" in first
    assert "random" in second

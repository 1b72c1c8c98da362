"""Scores: errors by kind, and the match against PubEval."""

import json
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the training extra is not installed")

from engine_ext.backgammon.board import START, Position  # noqa: E402
from engine_ext.backgammon.evaluate import shared_evaluator  # noqa: E402
from training.backgammon.score import (  # noqa: E402
    back_game_mask,
    board_of,
    describe,
    equities,
    score_match,
    score_rollouts,
)


def test_equity_counts_gammons_twice_and_backgammons_three_times() -> None:
    probs = np.array([[0.6, 0.2, 0.1, 0.1, 0.05], [1, 1, 1, 0, 0], [0, 0, 0, 0, 0]])
    assert equities(probs) == pytest.approx([0.35, 3.0, -1.0])


@pytest.mark.parametrize("lookahead", [False, True])
def test_errors_are_measured_against_the_file(tmp_path: Path, lookahead: bool) -> None:
    truth = {"position_id": START.position_id, "equity": 0.07}
    path = tmp_path / "rollouts.jsonl"
    path.write_text(json.dumps(truth) + "\n" + json.dumps(truth | {"equity": 0.09}) + "\n")
    scores = score_rollouts(shared_evaluator(), path, lookahead)
    assert scores["all"].positions == scores["other"].positions == 2
    assert abs(scores["all"].mean) <= scores["all"].mean_absolute < 0.1
    assert scores["all"].root_mean_square >= scores["all"].mean_absolute
    assert len(describe(scores)) == 2


def test_two_anchors_make_a_back_game() -> None:
    side = [0] * 26
    side[22], side[20], side[6] = 2, 2, 11
    back_game = Position(side, (*START.opponent[:6], 5, *START.opponent[7:]))
    assert back_game_mask(np.stack([board_of(back_game), board_of(START)])).tolist() == [
        True,
        False,
    ]


def test_match_against_oneself_is_even() -> None:
    match = score_match(shared_evaluator(), shared_evaluator(), 1, 20)
    assert match.points_per_game == 0
    assert match.games == 40

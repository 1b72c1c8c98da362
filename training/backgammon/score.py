"""Score an evaluator: rolled-out positions, and games against PubEval.

The rolled-out positions are a yardstick: they must never reach training.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine_ext.backgammon.board import Position, position_from_id
from engine_ext.backgammon.evaluate import Evaluator
from training.backgammon import games
from training.backgammon.shards import Boards, Probs
from training.backgammon.starts import standard_start

EQUITY_WEIGHTS = np.array([2.0, 1.0, 1.0, -1.0, -1.0])


@dataclass(frozen=True)
class Errors:
    """Cubeless equity errors over some positions."""

    positions: int
    mean_absolute: float
    root_mean_square: float
    mean: float


@dataclass(frozen=True)
class MatchScore:
    """Cubeless points a game, and the standard error (of game pairs)."""

    games: int
    points_per_game: float
    std_error: float


def equities(probs: Probs) -> NDArray[np.float64]:
    """Return cubeless money equities of cumulative probabilities [n, 5]."""
    return np.asarray(probs @ EQUITY_WEIGHTS - 1.0)


def board_of(position: Position) -> Boards:
    """Return a position's 52 slots, the player on roll first."""
    return np.array(position.on_roll + position.opponent, np.uint8)


def load_rollouts(path: Path) -> tuple[Boards, NDArray[np.float64]]:
    """Read rolled-out positions (one JSON object a line) and their equities."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    boards = np.stack([board_of(position_from_id(row["position_id"])) for row in rows])
    return boards, np.array([row["equity"] for row in rows])


def _probs(evaluator: Evaluator, boards: Boards) -> Probs:
    positions = [Position(b[:26].tolist(), b[26:].tolist()) for b in boards]
    return np.array([evaluator.evaluate(position) for position in positions])


def _errors(difference: NDArray[np.float64]) -> Errors:
    return Errors(
        positions=len(difference),
        mean_absolute=float(np.abs(difference).mean()),
        root_mean_square=float(np.sqrt(np.square(difference).mean())),
        mean=float(difference.mean()),
    )


def back_game_mask(boards: Boards) -> NDArray[np.bool_]:
    """Say which boards are back games: a side holds two anchors in the other's home board."""
    anchors = [(boards[:, s + 20 : s + 25] >= 2).sum(1) for s in (0, 26)]
    return np.asarray(np.maximum(*anchors) >= 2)


def crashed_mask(boards: Boards) -> NDArray[np.bool_]:
    """Say which boards have a side with seven or more checkers on its two deepest points or off."""
    deep = [boards[:, [s, s + 1, s + 2]].sum(1) for s in (0, 26)]
    return np.asarray(np.maximum(*deep) >= 7)


def score_rollouts(evaluator: Evaluator, path: Path, lookahead: bool) -> dict[str, Errors]:
    """Compare the evaluator's cubeless equities with rollouts, in all and by kind."""
    boards, truth = load_rollouts(path)
    if lookahead:
        probs = np.empty((len(boards), 5))
        games.lookahead(evaluator, boards, probs)
    else:
        probs = _probs(evaluator, boards)
    difference = equities(probs) - truth
    back_games, crashed = back_game_mask(boards), crashed_mask(boards)
    kinds = {
        "all": np.ones(len(boards), np.bool_),
        "back game": back_games,
        "crashed": crashed & ~back_games,
        "bar": (boards[:, 25] > 0) & ~back_games & ~crashed,
        "other": (boards[:, 25] == 0) & ~back_games & ~crashed,
    }
    return {name: _errors(difference[mask]) for name, mask in kinds.items() if mask.any()}


def score_match(
    evaluator: Evaluator, opponent: Evaluator | None, seed: int, pairs: int
) -> MatchScore:
    """Play 2 * pairs cubeless games by 0-ply; `opponent` None is PubEval."""
    points, squares = games.match_points(evaluator, opponent, standard_start(), seed, pairs)
    variance = squares / pairs - (points / pairs) ** 2
    return MatchScore(
        games=2 * pairs,
        points_per_game=points / (2 * pairs),
        std_error=float(np.sqrt(variance / pairs)) / 2,
    )


def describe(scores: dict[str, Errors]) -> Sequence[str]:
    """Write the errors as lines of a table."""
    return [
        f"{name:10} {e.positions:6} positions  MAE {e.mean_absolute:.4f}  "
        f"RMSE {e.root_mean_square:.4f}  mean {e.mean:+.4f}"
        for name, e in scores.items()
    ]

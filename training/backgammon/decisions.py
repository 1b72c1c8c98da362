"""Move decisions from self-play, and the loss of an evaluator's static choice on them.

The reference is bgsage, an engine of another make, searching deep; a net that was taught by bgsage
is not independent of it, so judge by games too.  A set is a yardstick, never a label.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.movegen import legal_moves
from training.backgammon.generate import Recipe, make_shard
from training.backgammon.label import Teacher, bgsage_teacher
from training.backgammon.score import board_of, equities
from training.backgammon.shards import Boards

Equities = NDArray[np.float64]

MARGINS = (0.16, 0.08)
"""Plays this much worse than the best by the shallower level are not searched any deeper."""

LEFT_OUT_LOSS = MARGINS[0]
"""The cost of a play that was left out on the way: the first margin."""


@dataclass(frozen=True)
class SetRecipe:
    """The settings of a set of decisions."""

    count: int = 1000
    seed: int = 1
    special: float = 0.2  # share of games from a rare plan
    plies: int = 3  # of the reference, in bgsage's count: 2 or 3


@dataclass(frozen=True)
class DecisionSet:
    """Boards after each candidate play, seen by the opponent, on roll.

    Decision d's candidates are boards[first[d] : first[d + 1]]; `losses` are theirs
    against the best of them, in cubeless points.
    """

    boards: Boards
    first: NDArray[np.int64]
    losses: Equities


@dataclass(frozen=True)
class ChoiceScore:
    """Mean loss of the choices, in thousandths of a point, and its standard error."""

    decisions: int
    mean_loss_mp: float
    std_error_mp: float


def _candidates(board: Boards, dice: tuple[int, int]) -> Boards | None:
    """List the boards after each legal play; None where there is nothing to decide."""
    position = Position(board[:26].tolist(), board[26:].tolist())
    after = [move.after.swapped() for move in legal_moves(position, dice)]
    if len(after) < 2 or any(board.result for board in after):
        return None
    return np.stack([board_of(board) for board in after])


def _drawn(evaluator: Evaluator, recipe: SetRecipe) -> Iterator[Boards]:
    """Yield the candidates of decisions met in self-play, contact positions only."""
    random = np.random.default_rng(recipe.seed)
    play = Recipe(recipe.count * 20, recipe.special, 30, "contact")
    met = make_shard(evaluator, recipe.seed, 0, play)
    for place in random.permutation(len(met)):
        dice = random.integers(1, 7, 2)
        candidates = _candidates(met[place], (int(dice[0]), int(dice[1])))
        if candidates is not None:
            yield candidates


def narrowed(
    boards: Boards, first: NDArray[np.int64], teachers: list[Teacher]
) -> tuple[Equities, NDArray[np.bool_]]:
    """Evaluate ever fewer candidates by ever better teachers.

    Returns: the mover's equities by the last teacher that saw a candidate, and which candidates
    the last teacher of all saw.
    """
    values = np.full(len(boards), -np.inf)
    kept = np.ones(len(boards), np.bool_)
    for level, teacher in enumerate(teachers):
        values[kept] = -equities(teacher(boards[kept]))
        if level + 1 < len(teachers):
            best = np.maximum.reduceat(np.where(kept, values, -np.inf), first[:-1])
            kept &= values >= np.repeat(best, np.diff(first)) - MARGINS[level]
    return values, kept


def make_set(evaluator: Evaluator, recipe: SetRecipe) -> DecisionSet:
    """Make a set; a pure function of its arguments on one machine."""
    groups = [c for c, _ in zip(_drawn(evaluator, recipe), range(recipe.count), strict=False)]
    first = np.cumsum([0, *map(len, groups)])
    boards = np.concatenate(groups)
    teachers = [bgsage_teacher(plies) for plies in range(1, recipe.plies + 1)]
    values, kept = narrowed(boards, first, teachers)
    best = np.maximum.reduceat(np.where(kept, values, -np.inf), first[:-1])
    losses = np.where(kept, np.repeat(best, np.diff(first)) - values, LEFT_OUT_LOSS)
    return DecisionSet(boards, first, losses)


def save_set(path: Path, decisions: DecisionSet) -> None:
    """Write a set."""
    with path.open("wb") as file:
        np.savez(file, boards=decisions.boards, first=decisions.first, losses=decisions.losses)


def load_set(path: Path) -> DecisionSet:
    """Read a set."""
    with np.load(path) as arrays:
        return DecisionSet(arrays["boards"], arrays["first"], arrays["losses"])


def score_choices(decisions: DecisionSet, teacher: Teacher) -> ChoiceScore:
    """Let a teacher choose in each decision and average the losses of its choices."""
    theirs = equities(teacher(decisions.boards))
    pairs = zip(decisions.first[:-1], decisions.first[1:], strict=True)
    chosen = [a + int(np.argmin(theirs[a:b])) for a, b in pairs]
    losses = 1000 * decisions.losses[chosen]
    return ChoiceScore(
        len(chosen), float(losses.mean()), float(losses.std() / np.sqrt(len(losses)))
    )


def static_teacher(evaluator: Evaluator) -> Callable[[Boards], NDArray[np.float64]]:
    """Make our static evaluation answer as a teacher does."""

    def probs_of_boards(boards: Boards) -> NDArray[np.float64]:
        positions = [Position(b[:26].tolist(), b[26:].tolist()) for b in boards]
        return np.array(evaluator.evaluate_many(positions))

    return probs_of_boards

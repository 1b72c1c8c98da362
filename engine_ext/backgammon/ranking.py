"""The moves of a roll, ranked in stages; the caller supplies the evaluations.

It decides which moves are evaluated again after each level, and their final order.

Bit-exact: the ranking depends on the evaluations only, not on their source or their order of
arrival.  The order is the search's own (order.pxd): of equal equities the better cubeless one is
first, and what is equal in that too keeps the order of the stage before; the first is generation
order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple, TypeVar

from engine_ext.backgammon.move_filters import FILTERS, LEVELS, FilterStep

TIE_SCALE = 1 << 30
"""Equities that round to the same multiple of 2^-30 are equal; see order.pxd."""

RawProbs = tuple[float, float, float, float, float]
T = TypeVar("T")


class Probs(NamedTuple):
    """gnubg's five cumulative probabilities of one player: a win counts its gammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Candidate(NamedTuple):
    """A legal move, valued for the mover at a level.

    `number` is its place in `legal_moves`' order, `probs` the mover's five chances, `cubeless` the
    equity of these.
    """

    number: int
    ply: int
    equity: float
    probs: RawProbs
    cubeless: float


class Stage(NamedTuple):
    """The next evaluations: these moves, by their numbers, at exactly this level."""

    ply: int
    numbers: tuple[int, ...]


Stages = Generator[Stage, Iterable[Candidate], list[Candidate]]
"""Yields stages, is sent their candidates in any order, and returns the ranking."""


def rank_in_stages(static: Sequence[Candidate], ply: int, move_filter: str) -> Stages:
    """Rank the moves of a roll at a ply; those that a filter dropped follow those it kept.

    Args:
        static: all legal moves at 0-ply, in generation order or already ranked.
        ply: the level of the ranking.
        move_filter: one of MOVE_FILTERS.

    Raises:
        ValueError: no such ply or filter, or a stage was sent other moves than it asked for.
    """
    if not 0 <= ply < len(LEVELS):
        raise ValueError(f"ply is 0 to {len(LEVELS) - 1}, not {ply}")
    if move_filter not in FILTERS:
        raise ValueError(f"a move filter is one of {', '.join(FILTERS)}, not {move_filter!r}")
    ranked = in_order(static)
    kept = len(ranked)
    for level, step in zip(LEVELS[ply], FILTERS[move_filter], strict=False):
        kept = kept_count([candidate.equity for candidate in ranked[:kept]], step)
        stage = Stage(level, tuple(candidate.number for candidate in ranked[:kept]))
        evaluated = yield stage
        ranked[:kept] = in_order(_arranged(stage, evaluated))
    return ranked


def drive(
    stages: Generator[Stage, Iterable[Candidate], T],
    evaluate: Callable[[Stage], Iterable[Candidate]],
) -> T:
    """Return the result of the stages; `evaluate` supplies the values of each stage."""
    try:
        stage = next(stages)
        while True:
            stage = stages.send(evaluate(stage))
    except StopIteration as end:
        result: T = end.value
        return result


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates best first; equal ones keep their order."""
    return sorted(candidates, key=lambda one: best_first(one.equity, one.cubeless))


def best_first(equity: float, cubeless: float) -> tuple[int, float]:
    """Return a sort key of plays, best first: by equity, equal ones by cubeless equity."""
    return -math.floor(equity * TIE_SCALE + 0.5), -cubeless


def kept_count(equities: Sequence[float], step: FilterStep) -> int:
    """Return how many of the ranked equities a filter's step keeps: at least one."""
    kept = min(max(1, step.accept), len(equities))
    most = min(step.accept + step.extra, len(equities))
    while kept < most and equities[kept] >= equities[0] - step.threshold:
        kept += 1
    return kept


def _arranged(stage: Stage, evaluated: Iterable[Candidate]) -> list[Candidate]:
    """Return a stage's candidates in the order it asked for them."""
    by_number = {candidate.number: candidate for candidate in evaluated}
    if sorted(by_number) != sorted(stage.numbers):
        raise ValueError(f"moves {stage.numbers} were asked for, not {tuple(by_number)}")
    if any(candidate.ply != stage.ply for candidate in by_number.values()):
        raise ValueError(f"{stage.ply}-ply values were asked for")
    return [by_number[number] for number in stage.numbers]

"""What each move of a board of Threes! is worth, found with the help of a fleet.

Knows where a search is cut, how its parts become questions, and about how long they take.  Must not
know who answers, sockets or printing.

The tree is walked here down to a cut so many moves above the leaves; the boards there, each once
whatever ways lead to it, go out in batches, and their values are added up in the order of the tree
(engine_ext/threes/division.pyx).  So the values are those of one machine, to the bit, for every
fleet, every cut and whoever crashed; what a cut and a batch are decides only about time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine_ext.control import RunControl
from engine_ext.threes.context import Look
from engine_ext.threes.depth import dynamic_plies, rarity_of
from engine_ext.threes.division import Division
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import (
    BOARDS_MAX,
    NO_RARITY,
    BoardAsked,
    PartsQuestion,
    read_values,
)
from master.contract.errors import MasterError
from master.contract.events import Priority

Values = dict[str, float]
"""Each legal move's expected final score, by the direction's name."""

PART_S = (0.0, 1e-6, 15e-6, 250e-6, 4e-3, 65e-3, 1.0, 16.0)
"""Time to value a board at the cut, by the moves below it: means over games on one core of an AMD
EPYC (tests/benchmarks/threes_fleet.py)."""

HERE_S_MAX = 0.02
"""A decision that is not worth a question: see backgammon's moves, whose questions take as long to
go and come."""

SHORT_PLIES = 3
"""A decision of so many moves takes a millisecond at most: nothing is estimated."""

QUESTION_S_MIN, QUESTION_S_MAX = 1e-3, 0.1
"""Work of one question.  Less than the first is lost in coming and going; a fleet waits at the end
of a decision for the last one that was begun, so that it is not to be long either."""

QUESTIONS_PER_WORKER = 8
"""Boards differ, and so do machines: who is done early takes from the others' share."""


class AskQuestions(Protocol):
    """Master.ask."""

    async def __call__(
        self, questions: Sequence[str], *, priority: Priority = Priority.ASKED
    ) -> list[str]:
        """Return the answers to questions, in their order."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A board whose moves are to be valued.

    Args:
        cells: as ThreesBoard has it.
        bag: how many 1s, 2s and 3s are left, the next card being drawn.
        next_ranks: what is shown of the next card.
        plies: moves to look ahead.
        rarity: what is less likely is cut off; see engine_ext/threes/depth.pyx.
    """

    cells: int
    bag: tuple[int, int, int]
    next_ranks: tuple[int, ...]
    plies: int
    rarity: int = NO_RARITY

    @classmethod
    def of(
        cls, cells: int, bag: tuple[int, int, int], next_ranks: tuple[int, ...], look: Look
    ) -> Decision:
        """Return the decision of a player who looks so far ahead."""
        plies = dynamic_plies(cells, look.plies, look.plies_max)
        return cls(cells, bag, next_ranks, plies, rarity_of(look.rare) if look.rare else NO_RARITY)

    def divided(self, plies_below: int) -> Division:
        """Return the search, cut so many moves above its leaves."""
        return Division(
            shipped_net(), self.cells, self.bag, self.next_ranks, self.plies, plies_below,
            self.rarity,
        )  # fmt: skip


def expected_s(decision: Decision) -> float:
    """Return about how long one core takes to value the moves; ValueError for what cannot be."""
    if decision.plies <= SHORT_PLIES:
        return PART_S[decision.plies]
    division = decision.divided(decision.plies - 1)
    return len(division.parts) * PART_S[decision.plies - 1]


async def value_moves(
    ask: AskQuestions, decision: Decision, *, workers: int, here_s_max: float = HERE_S_MAX
) -> Values:
    """Value every legal move, as one machine does.

    Args:
        ask: of whom.
        decision: what.
        workers: how many parts the fleet computes at a time.
        here_s_max: a decision that is likely to take no longer is computed in this process.

    Raises:
        ValueError: a board, a bag or a next card that cannot be.
        MasterError: the fleet cannot answer.
    """
    work_s = expected_s(decision)
    if decision.plies == 1 or work_s <= here_s_max:
        return await _value_here(decision)
    question_s = question_size(work_s, workers)
    division = decision.divided(cut(decision.plies, question_s))
    if not division.is_whole:
        division = decision.divided(decision.plies - 1)
    return await value_divided(ask, division, question_s)


def question_size(work_s: float, workers: int) -> float:
    """Return how much work one question is to be, for a decision of so much."""
    share = work_s / (max(1, workers) * QUESTIONS_PER_WORKER)
    return min(QUESTION_S_MAX, max(QUESTION_S_MIN, share))


def cut(plies: int, question_s: float) -> int:
    """Return how many moves above the leaves to cut: as many as a question has room for."""
    below = plies - 1
    while below > 1 and PART_S[below] > question_s:
        below -= 1
    return below


async def _value_here(decision: Decision) -> Values:
    """Value the moves in a thread of this process."""
    control = RunControl()
    adviser = Adviser(shipped_net(), control)
    try:
        return await asyncio.to_thread(
            adviser.values, decision.cells, decision.bag, decision.next_ranks, decision.plies,
            decision.rarity,
        )  # fmt: skip
    finally:
        control.stop()  # without effect unless the wait was cancelled


async def value_divided(ask: AskQuestions, division: Division, question_s: float) -> Values:
    """Have the parts of a search valued, each question of about so much work, and add them up.

    Raises:
        MasterError: the fleet cannot answer.
    """
    asked = list(questions(division, question_s))
    answers = await ask([each.to_text() for each in asked], priority=Priority.URGENT)
    values: list[float] = []
    for each, text in zip(asked, answers, strict=True):
        try:
            values += read_values(text, len(each.boards))
        except ValueError as error:
            raise MasterError(f"an answer about boards makes no sense: {error}") from error
    return division.values(values)


def questions(division: Division, question_s: float) -> Iterator[PartsQuestion]:
    """Yield questions for the parts of a search in their order, each of about so much work.

    Neighbours in the tree share boards further below, and so they share a question.
    """
    engine = engine_digest()
    batch: list[BoardAsked] = []
    depth, room = 0, 0
    for cells, bag, plies, rarity in division.parts:
        if batch and (plies != depth or len(batch) >= room):
            yield PartsQuestion(engine, depth, tuple(batch))
            batch = []
        depth, room = plies, max(1, min(BOARDS_MAX, int(question_s / PART_S[plies])))
        batch.append(BoardAsked(cells, bag, rarity))
    if batch:
        yield PartsQuestion(engine, depth, tuple(batch))

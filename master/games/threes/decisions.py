"""The values of all moves of a Threes! board, computed with the help of a fleet.

The tree is searched here down to a cut, a number of moves above the leaves.  The boards at the cut,
each only once, go out in batches, and their values are added in the order of the tree
(engine_ext/threes/division.pyx).  So the values are bit for bit those of one machine, for every
fleet, every cut and every crash; cut and batch size change only the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine_ext.threes.context import Lookahead
from engine_ext.threes.depth import UNLIMITED, dynamic_plies, rarity_of
from engine_ext.threes.division import Division
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BOARDS_MAX, BoardAsked, PartsQuestion, read_values
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import AskQuestions

OnPart = Callable[[int, int], None]

Values = dict[str, float]
"""Each legal move's expected final score, by the direction's name."""

BOARD_S = 1.2e-6
"""Time to value a board one move ahead, on one core of an AMD EPYC."""

MERGED = 0.5
"""The factor by which merging reduces the new boards of each level: different moves lead to the
same boards.  A mean over games, like BOARD_S (tests/benchmarks/threes_fleet.py): an estimate by
both is right within a factor of two."""

SHORT_PLIES = 4
"""A decision of so many moves takes two milliseconds on average: nothing is estimated."""

QUESTION_S_MIN, QUESTION_S_MAX = 1e-3, 0.25
"""Work of one question.  Below the first, messages take most of the time.  A fleet that loses an
analyser loses the question that it had, and waits at the end for the last question begun."""

PARTS_PER_WORKER = 16
"""The minimum of parts to share, since boards and machines differ."""

QUESTIONS_PER_WORKER = 4
"""All need about the same work.  The scheduler hands them out at once, neighbours to one analyser,
and moves questions from slow analysers to fast ones.  So boards that lead to the same ones are
valued in one place, and the wait for the last answer is short."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A board whose moves are to be valued.

    Args:
        cells: in the form of ThreesBoard.
        bag: the numbers of 1s, 2s and 3s left after the next card is drawn.
        next_ranks: the possible ranks of the next card.
        plies: moves to look ahead.
        rarity: less likely branches are cut off; see engine_ext/threes/depth.pyx.
    """

    cells: int
    bag: tuple[int, int, int]
    next_ranks: tuple[int, ...]
    plies: int
    rarity: int = UNLIMITED

    @classmethod
    def of(
        cls,
        cells: int,
        bag: tuple[int, int, int],
        next_ranks: tuple[int, ...],
        lookahead: Lookahead,
    ) -> Decision:
        """Return the decision with this look-ahead."""
        plies = dynamic_plies(cells, lookahead.plies, lookahead.plies_max)
        return cls(cells, bag, next_ranks, plies, rarity_of(lookahead.rare))

    def divided(self, plies_below: int) -> Division:
        """Return the search, cut so many moves above its leaves."""
        return Division(
            shipped_net(), self.cells, self.bag, self.next_ranks, self.plies, plies_below,
            self.rarity,
        )  # fmt: skip


class Cuts:
    """The search of a decision, cut so many moves above its leaves; each cut is made once."""

    def __init__(self, decision: Decision) -> None:
        """Prepare; no cut is made yet."""
        self.decision = decision
        self._made: dict[int, Division] = {}

    def at(self, below: int) -> Division:
        """Return the search with so many moves below the cut; ValueError: it is impossible."""
        if below not in self._made:
            self._made[below] = self.decision.divided(below)
        return self._made[below]

    def expected_s(self) -> float:
        """Return an estimate of one core's time to value the moves; ValueError as in `at`."""
        plies = self.decision.plies
        if plies <= SHORT_PLIES:
            return BOARD_S * 10.0 ** (plies - 1)
        upper, count = len(self.at(plies - 2)), len(self.at(plies - 3))
        growth = max(1.0, MERGED * count / max(1, upper))
        return float(BOARD_S * count * growth ** (plies - 4))

    def best(self, work_s: float, workers: int) -> Division:
        """Return the search with the highest cut that has enough parts for all workers.

        Args:
            work_s: its expected duration on one worker.
            workers: the number of parts computed at a time.
        """
        below = max(1, self.decision.plies - 2)
        found = self.at(below)
        while below > 1 and len(found) < PARTS_PER_WORKER * workers:
            below -= 1
            if work_s <= QUESTION_S_MIN * len(found) or not self.at(below).is_whole:
                break
            found = self.at(below)
        return found


async def value_moves(
    ask: AskQuestions, cuts: Cuts, *, workers: int, on_part: OnPart | None = None
) -> Values:
    """Value every legal move, as one machine does.

    Args:
        ask: the function that answers questions.
        cuts: of the decision, which looks more than one move ahead.
        workers: the number of parts the fleet computes at a time.
        on_part: called with the numbers of answered questions and of all.

    Raises:
        ValueError: an impossible board, bag or next card.
        MasterError: the fleet cannot answer.
    """
    work_s = cuts.expected_s()
    return await value_divided(ask, cuts.best(work_s, workers), work_s, workers, on_part)


async def value_divided(
    ask: AskQuestions,
    division: Division,
    work_s: float,
    workers: int,
    on_part: OnPart | None = None,
) -> Values:
    """Value the parts of a search by the fleet, and add them up.

    Raises:
        MasterError: the fleet cannot answer.
    """
    asked = list(questions(division, work_s, workers))
    answered: set[int] = set()

    def count(index: int, text: str) -> None:
        answered.add(index)  # one proved wrong is answered twice
        if on_part is not None:
            on_part(len(answered), len(asked))

    texts = [each.to_text() for each in asked]
    answers = await ask(texts, priority=Priority.URGENT, on_answer=count)
    values: list[float] = []
    for each, text in zip(asked, answers, strict=True):
        try:
            values += read_values(text, len(each.boards))
        except ValueError as error:
            raise MasterError(f"an answer about boards makes no sense: {error}") from error
    return division.values(values)


def questions(division: Division, work_s: float, workers: int) -> Iterator[PartsQuestion]:
    """Yield questions for the parts of a search, in their order.

    Args:
        division: the search.
        work_s: an estimate of one core's time for all of it.
        workers: the number of parts computed at a time.
    """
    engine, parts = engine_digest(), division.parts
    if not parts:
        return
    question_s = work_s / (max(1, workers) * QUESTIONS_PER_WORKER)
    question_s = min(max(question_s, QUESTION_S_MIN), QUESTION_S_MAX)
    count = min(len(parts), max(1, round(work_s / question_s)))
    size = min(BOARDS_MAX, -(-len(parts) // count))
    for first in range(0, len(parts), size):
        boards = [BoardAsked(cells, bag, rarity)
                  for cells, bag, _, rarity in parts[first : first + size]]  # fmt: skip
        yield PartsQuestion(engine, parts[first][2], tuple(boards))

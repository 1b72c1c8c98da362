"""The values of all moves of a Threes! board, by the help of a fleet, and the cards to come.

The tree is searched here down to a cut, a number of moves above the leaves.  The boards at the cut,
each only once, go out in batches, and their values are added in the order of the tree
(engine_ext/threes/division.pyx).  So the values are bit for bit those of one machine, for every
fleet, every cut and every crash; cut and batch size change only the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

from engine_ext.threes.board import ThreesBoard, card_of
from engine_ext.threes.context import Lookahead
from engine_ext.threes.depth import UNLIMITED, dynamic_plies, rarity_of
from engine_ext.threes.division import Division
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BOARDS_MAX, BoardAsked, PartsQuestion, read_values
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import AskQuestions

Bag = tuple[int, int, int]
"""The numbers of cards 1, 2 and 3 left; an empty bag counts as a full one."""

OF_A_KIND = 4
FULL_BAG = (OF_A_KIND, OF_A_KIND, OF_A_KIND)

BONUS_RANK_MIN = 4
"""The card 6."""

BONUS_BELOW_HIGHEST = 3
"""Ranks: an eighth of the largest card."""


def check_next(board: ThreesBoard, next_ranks: Sequence[int]) -> None:
    """Check that these can be the candidates for a board's next card.

    Args:
        board: before the card enters.
        next_ranks: one of a card from the bag, or up to three of a bonus, in ascending order.

    Raises:
        ValueError: the largest card is too small for such a bonus.
    """
    most = board.highest - BONUS_BELOW_HIGHEST
    if next_ranks[-1] < BONUS_RANK_MIN or next_ranks[-1] <= most:
        return
    largest = f"the largest card is {card_of(board.highest)}" if board.highest else "there is none"
    raise ValueError(
        f"{card_of(next_ranks[-1])} cannot come next: a bonus is at most an eighth of the "
        f"largest card, and {largest}"
    )


def check_bag(bag: Bag, next_ranks: Sequence[int]) -> None:
    """Check that a bag can be left when the next card has been drawn; ValueError otherwise."""
    for card, left in enumerate(bag, start=1):
        if left > OF_A_KIND:
            raise ValueError(f"{left} cards {card} in a bag: it has {OF_A_KIND} of a kind at most")
    card = next_ranks[0]
    if card < BONUS_RANK_MIN and bag != FULL_BAG and bag[card - 1] == OF_A_KIND:
        raise ValueError(
            f"the next card, {card}, came out of the bag: at most {OF_A_KIND - 1} cards {card} "
            "are left in it, unless it is full again"
        )


def likeliest_bag(board: ThreesBoard, next_ranks: Sequence[int]) -> Bag:
    """Return the likeliest bag of all that can have brought these cards.

    As many 1s as 2s were merged, so the board shows how many more 1s than 2s were drawn.  While no
    bonus can have come, it also shows how many 3s were drawn for each number of such merges.  The
    likeliest bag is the one most often left after drawing so many cards from a full bag, the next
    card last; of two equally likely bags it is the fuller one.  An empty bag is returned as the
    full one that it becomes.

    Raises:
        ValueError: no bag can have brought them.
    """
    left = range(OF_A_KIND + 1)
    bags = [bag for bag in product(left, left, left) if _brings(bag, board, next_ranks)]
    chances = [(_chance(bag, next_ranks), sum(bag), bag) for bag in bags]
    chance, _, likeliest = max(chances, default=(0, 0, FULL_BAG))
    if not chance:
        raise ValueError("no bag can have brought these cards and the next one")
    return likeliest if any(likeliest) else FULL_BAG


def _brings(bag: Bag, board: ThreesBoard, next_ranks: Sequence[int]) -> bool:
    """Whether the cards drawn from a bag, given the rest in it, can have led to the board."""
    ones, twos, threes = [
        board.ranks.count(rank) + (next_ranks[0] == rank) for rank in (1, 2, 3)
    ]  # fmt: skip
    if ones - twos != bag[1] - bag[0]:
        return False
    if board.highest >= BONUS_RANK_MIN + BONUS_BELOW_HIGHEST:
        return True
    threes += sum(2 ** (rank - 3) for rank in board.ranks if rank > 3)
    # Of each kind as many were ever put into the bag: the drawn ones and the ones left.
    filled, odd = divmod(ones + threes + bag[0] + bag[2], 2)
    merged = filled - bag[0] - ones
    is_whole = not odd and filled >= OF_A_KIND and filled % OF_A_KIND == 0
    return is_whole and merged >= 0 and filled - bag[2] >= (next_ranks[0] == 3)


def _chance(bag: Bag, next_ranks: Sequence[int]) -> Fraction:
    """Return the probability that draws from a full bag leave this one, the next card last."""
    ways = comb(OF_A_KIND, bag[0]) * comb(OF_A_KIND, bag[1]) * comb(OF_A_KIND, bag[2])
    left = Fraction(ways, comb(3 * OF_A_KIND, sum(bag)))
    rank = next_ranks[0]
    if rank >= BONUS_RANK_MIN:
        return left
    drawn = OF_A_KIND - bag[rank - 1]
    return left * Fraction(drawn, max(1, 3 * OF_A_KIND - sum(bag)))


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

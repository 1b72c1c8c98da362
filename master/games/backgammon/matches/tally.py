"""The counts and sums of a player's decisions and dice, in one game or many.

judging judges the decisions; figures makes figures of the sums.

A tally of several games is the sum of theirs in their order, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache, reduce
from operator import add, attrgetter

from master.games.backgammon.matches.ratings import LuckMark, Mark


@dataclass(frozen=True)
class Amount:
    """A count, and a sum over the counted decisions or rolls.

    Args:
        count: their number.
        normalised: sum in normalised equity: points of the cube as it stood (gnubg's EMG).
        cost: sum in points in money play, in match winning chance in a match.
    """

    count: int = 0
    normalised: float = 0.0
    cost: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        """Return the two together."""
        if other is NOTHING:
            return self
        normalised, cost = self.normalised + other.normalised, self.cost + other.cost
        return Amount(self.count + other.count, normalised, cost)


NOTHING = Amount()
"""The value of most of a decision's amounts."""


@dataclass(frozen=True)
class Counts:
    """Numbers of things of one kind by a mark, in the order of its enumeration."""

    numbers: tuple[int, ...]

    def __add__(self, other: Counts) -> Counts:
        """Return the two together."""
        return Counts(tuple(map(add, self.numbers, other.numbers)))


@cache
def one_mark(word: Mark | LuckMark) -> Counts:
    """Return the counts of a single marked thing."""
    return Counts(tuple(int(other is word) for other in type(word)))


NO_MARKS = Counts((0,) * len(Mark))
NO_LUCK_MARKS = Counts((0,) * len(LuckMark))


@dataclass(frozen=True)
class Tally:
    """Everything counted of one player.

    Args:
        rolls: all of them.
        moves: rolls that were moved, including those without a legal move.
        unforced: analysed moves that had an alternative.
        marks: moves by ratings.Mark; those not analysed are not marked.
        checker: errors of checker play.
        luck_marks: rolls whose luck is known, by ratings.LuckMark.
        luck: of the same rolls, with its sign.
        cube_decisions: of judging.CubeChoice, the analysed ones.
        close: those of them with an action, or close to one.
        doubles, takes, passes: analysed ones.
        missed_below_cp ... missed_beavers: errors of the cube: see judging.CubeMistake.
        counted: the decisions that count for PR, and their errors: see judging.
        finished: games with a result.
        result: points or match winning chance won in finished games.
        luck_adjusted: the same, minus the player's own luck, plus the opponent's.
    """

    rolls: int = 0
    moves: int = 0
    unforced: int = 0
    marks: Counts = NO_MARKS
    checker: Amount = NOTHING
    luck_marks: Counts = NO_LUCK_MARKS
    luck: Amount = NOTHING
    cube_decisions: int = 0
    close: int = 0
    doubles: int = 0
    takes: int = 0
    passes: int = 0
    missed_below_cp: Amount = NOTHING
    missed_above_cp: Amount = NOTHING
    wrong_double_below_dp: Amount = NOTHING
    wrong_double_above_tg: Amount = NOTHING
    wrong_takes: Amount = NOTHING
    wrong_passes: Amount = NOTHING
    missed_beavers: Amount = NOTHING
    counted: Amount = NOTHING
    finished: int = 0
    result: float = 0.0
    luck_adjusted: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        """Return the two together."""
        return Tally(*map(add, _columns(self), _columns(other)))

    @property
    def cube(self) -> Amount:
        """Errors of all cube decisions."""
        below, above = self.missed_below_cp, self.missed_above_cp
        doubles = self.wrong_double_below_dp + self.wrong_double_above_tg
        answers = self.wrong_takes + self.wrong_passes + self.missed_beavers
        return below + above + doubles + answers


_columns = attrgetter(*(each.name for each in fields(Tally)))


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of tallies, added in their order."""
    columns = zip(*map(_columns, (Tally(), *tallies)), strict=True)
    return Tally(*(reduce(add, column) for column in columns))

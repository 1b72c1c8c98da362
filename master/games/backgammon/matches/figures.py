"""The usual figures of an analysed match: error rates, PR, luck, results, and ratings in words.

Each definition names its source.  Every figure is a sum or a quotient of a Tally's sums; none
depends on which player is number 0.  Rates are per decision, in normalised equity (not in
thousandths of it); a rate is None if its divisor is zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache, reduce
from operator import add, attrgetter

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from master.games.backgammon.matches.judging import (
    ActionChoice,
    JudgedGame,
    Judgement,
    RollLuck,
    judge,
)
from master.games.backgammon.matches.record import AnalysedMatch, Game, Match


class Mark(Enum):
    """The mark of an error, from NONE to the worst."""

    NONE = ""
    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very bad"


_MARKS = ((0.12, Mark.VERY_BAD), (0.06, Mark.BAD), (0.03, Mark.DOUBTFUL))
"""GNU Backgammon 1.07's defaults (`show analysis`: "Move is doubtful" ... "very bad")."""


class LuckMark(Enum):
    """The mark of a roll's luck, from the best to the worst."""

    VERY_LUCKY = "very lucky"
    LUCKY = "lucky"
    NONE = ""
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very unlucky"


_VERY_LUCKY_MIN = 0.6
_LUCKY_MIN = 0.3

_RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
_WORST_RATING = "Awful!"

_LUCK_RATINGS = (
    (0.06, "Go to Las Vegas"),
    (0.03, "Good dice, man!"),
    (-0.03, "None"),
    (-0.06, "Bad dice, man!"),
)
_WORST_LUCK_RATING = "Go to bed"


def mark(error: float) -> Mark:
    """Return the mark of an error, by its minimum: .03 doubtful, .06 bad, .12 very bad."""
    return next((word for least, word in _MARKS if error >= least), Mark.NONE)


def luck_mark(luck: float) -> LuckMark:
    """Return the mark of a roll's luck: more than .3 from the average is lucky, .6 very lucky.

    Source: GNU Backgammon manual, "Luck analysis", thresholds for marking of rolls.
    """
    if luck > _LUCKY_MIN:
        return LuckMark.VERY_LUCKY if luck > _VERY_LUCKY_MIN else LuckMark.LUCKY
    if luck < -_LUCKY_MIN:
        return LuckMark.VERY_UNLUCKY if luck < -_VERY_LUCKY_MIN else LuckMark.UNLUCKY
    return LuckMark.NONE


def rating(error_rate: float) -> str:
    """Return gnubg's word for an error rate: mean normalised error of a decision that counts.

    Source: GNU Backgammon manual, "Overall rating", threshold for ratings; the same bands name
    checker play, cube decisions and both together.
    """
    return next((word for below, word in _RATINGS if error_rate < below), _WORST_RATING)


def luck_rating(luck_rate: float) -> str:
    """Return gnubg's word for the mean normalised luck of a roll.

    Source: the output of GNU Backgammon 1.07 for statistics of such luck.  (Its manual, "Luck
    analysis", has narrower bands, at .02, .06 and .10, and more of them.)
    """
    return next((word for above, word in _LUCK_RATINGS if luck_rate > above), _WORST_LUCK_RATING)


PR_SCALE = 500.0
"""The factor from an error rate to a PR; see PlayerFigures.pr."""


@dataclass(frozen=True)
class PlayerFigures:
    """One player's figures.

    Args:
        tally: the player's own.
        opponent: the opponent's, over the same games.
    """

    tally: Tally
    opponent: Tally

    @property
    def error(self) -> Amount:
        """All errors, of checker play and of the cube."""
        return self.tally.checker + self.tally.cube

    @property
    def checker_error_rate(self) -> float | None:
        """Error a checker play: total over unforced moves.

        Source: GNU Backgammon manual, "Checker play statistics", error rate (per move).
        """
        return _rate(self.tally.checker.normalised, self.tally.unforced)

    @property
    def checker_cost_rate(self) -> float | None:
        """The same in points or match winning chance."""
        return _rate(self.tally.checker.cost, self.tally.unforced)

    @property
    def cube_error_rate(self) -> float | None:
        """Error a cube decision: total over close or actual cube decisions.

        Source: GNU Backgammon manual, "Cube statistics", error rate (per cube decision).
        """
        return _rate(self.tally.cube.normalised, self.tally.close)

    @property
    def cube_cost_rate(self) -> float | None:
        """The same in points or match winning chance."""
        return _rate(self.tally.cube.cost, self.tally.close)

    @property
    def error_rate(self) -> float | None:
        """Error a decision: total over unforced moves and close or actual cube decisions.

        Source: GNU Backgammon manual, "Overall rating", error rate (per decision).
        """
        return _rate(self.error.normalised, self.tally.unforced + self.tally.close)

    @property
    def cost_rate(self) -> float | None:
        """The same in points or match winning chance."""
        return _rate(self.error.cost, self.tally.unforced + self.tally.close)

    @property
    def snowie_error_rate(self) -> float | None:
        """The player's total error over the moves of both players, forced ones included.

        Source: GNU Backgammon manual, "Overall rating", equivalent Snowie error rate: that of
        Snowie 4, "the total error rate divided by the total number of moves for both players".
        """
        return _rate(self.error.normalised, self.tally.moves + self.opponent.moves)

    @property
    def pr(self) -> float | None:
        """Performance rating as eXtreme Gammon computes it; 0.0 is perfect.

        500 times the mean error over the decisions that count: unforced moves that make a
        difference, and cube decisions that are not obvious.  Source: as for the limits
        judging.OBVIOUS_MIN and CHOICE_MIN.
        """
        rate = _rate(self.tally.counted.normalised, self.tally.counted.count)
        return None if rate is None else PR_SCALE * rate

    @property
    def luck_rate(self) -> float | None:
        """Mean luck of a roll.  Source: GNU Backgammon manual, "Luck analysis"."""
        return _rate(self.tally.luck.normalised, self.tally.luck.count)

    @property
    def luck_cost_rate(self) -> float | None:
        """The same in points or match winning chance."""
        return _rate(self.tally.luck.cost, self.tally.luck.count)

    @property
    def checker_rating(self) -> str | None:
        """gnubg's word for checker play."""
        return _named(self.checker_error_rate)

    @property
    def cube_rating(self) -> str | None:
        """gnubg's word for the cube decisions."""
        return _named(self.cube_error_rate)

    @property
    def overall_rating(self) -> str | None:
        """gnubg's word for all decisions."""
        return _named(self.error_rate)

    @property
    def luck_rating(self) -> str | None:
        """gnubg's word for the dice."""
        return None if self.luck_rate is None else luck_rating(self.luck_rate)

    @property
    def result(self) -> float | None:
        """Points won (money), or match winning chance gained, in the finished games.

        Source: GNU Backgammon manual, "Overall rating", actual result, without its 50%.
        """
        return self.tally.result if self.tally.finished else None

    @property
    def luck_adjusted_result(self) -> float | None:
        """The result minus the player's own luck, plus the opponent's; None if any is unknown.

        Source: D. Zare, "Hedging Toward Skill"; GNU Backgammon manual, "Overall rating".
        """
        both = self.tally + self.opponent
        is_known = self.tally.finished and both.luck.count == both.rolls
        return self.tally.luck_adjusted if is_known else None


Both = tuple[PlayerFigures, PlayerFigures]


@dataclass(frozen=True)
class MatchFigures:
    """The figures of the analysed part of a match.

    Args:
        games: index of each analysed game, and the figures of players 0 and 1 in it.
        match: the same over all of them.
        decisions: all that were analysed, in order.
        rolls: all whose luck is known, in order.
    """

    games: tuple[tuple[int, Both], ...]
    match: Both
    decisions: tuple[Judgement, ...]
    rolls: tuple[RollLuck, ...]

    def errors(self, least: float = 0.0) -> list[Judgement]:
        """Return the decisions with an error above 0 and of at least so much, largest first."""
        wrong = [each for each in self.decisions if each.error > 0.0 and each.error >= least]
        return sorted(wrong, key=lambda each: -each.error)


def match_figures(
    match: AnalysedMatch, games: Iterable[int] | None = None, table: MatchTable | None = None
) -> MatchFigures:
    """Return the figures of a match.

    Args:
        match: the match.
        games: indices of the games to use; None: all of them.
        table: the match equities for costs and results; None for the shipped ones.

    Raises:
        RecordError: a game breaks the rules.
    """
    indices = range(len(match.match.games)) if games is None else games
    judged = [(index, judge(match, index, table)) for index in indices]
    met = kazaross_xg2() if table is None else table.met
    record = match.match
    tallies = [_tallies(record, record.games[index], game, met) for index, game in judged]
    by_game = zip((index for index, _ in judged), map(_both, tallies), strict=True)
    return MatchFigures(
        tuple(by_game),
        _both((total(own for own, _ in tallies), total(other for _, other in tallies))),
        tuple(decision for _, game in judged for decision in game.decisions),
        tuple(roll for _, game in judged for roll in game.rolls),
    )


def _both(tallies: tuple[Tally, Tally]) -> Both:
    return PlayerFigures(*tallies), PlayerFigures(*reversed(tallies))


def _rate(amount: float, count: int) -> float | None:
    return amount / count if count else None


def _named(rate: float | None) -> str | None:
    return None if rate is None else rating(rate)


def _tallies(match: Match, game: Game, judged: JudgedGame, met: Met) -> tuple[Tally, Tally]:
    """Return the tallies of players 0 and 1 in a game."""
    own, other = (_tally(judged, player) for player in (0, 1))
    if game.result is None:
        return own, other
    won = _gain(match, game, met)
    luck = own.luck.cost - other.luck.cost
    return (
        own + Tally(finished=1, result=won, luck_adjusted=won - luck),
        other + Tally(finished=1, result=-won, luck_adjusted=luck - won),
    )


def _tally(judged: JudgedGame, player: int) -> Tally:
    decisions = (_of_decision(each) for each in judged.decisions if each.player == player)
    rolls = (
        Tally(luck_marks=one_mark(luck_mark(roll.luck)), luck=Amount(1, roll.luck, roll.cost))
        for roll in judged.rolls
        if roll.player == player
    )
    turns = Tally(rolls=judged.roll_counts[player], moves=judged.moves[player])
    return turns + total(decisions) + total(rolls)


def _of_decision(decision: Judgement) -> Tally:
    """Return the tally of one decision."""
    error = Amount(int(decision.error > 0.0), decision.error, decision.cost)
    counted = Amount(1, decision.error, decision.cost) if decision.is_counted else Amount()
    if decision.choice is ActionChoice.MOVE:
        marks = one_mark(mark(decision.error))
        return Tally(unforced=int(decision.is_close), marks=marks, checker=error, counted=counted)
    kind = Tally(
        cube_decisions=1,
        close=int(decision.is_close),
        doubles=int(decision.choice is ActionChoice.DOUBLE),
        takes=int(decision.choice is ActionChoice.TAKE),
        passes=int(decision.choice is ActionChoice.PASS),
        counted=counted,
    )
    if decision.mistake is None:
        return kind
    return kind + Tally(**{decision.mistake.value: error})  # type: ignore[arg-type]


def _gain(match: Match, game: Game, met: Met) -> float:
    """Return the gain of player 0 from a finished game: points, or match winning chance."""
    return match_value(match, game, met, is_over=True) - match_value(match, game, met)


def match_value(match: Match, game: Game, met: Met, *, is_over: bool = False) -> float:
    """Return the lead of player 0 before a game, or after a finished one.

    Returns:
        Points ahead of player 1 (money play), or the chance to win the match.
    """
    points = (0, 0)
    if is_over:
        assert game.result is not None, "the game is finished"
        points = (0, game.result.points) if game.result.winner else (game.result.points, 0)
    if match.length == 0:
        return float(game.score[0] + points[0] - game.score[1] - points[1])
    before = match.length - game.score[0], match.length - game.score[1]
    after = before[0] - points[0], before[1] - points[1]
    is_post_crawford = 1 in before and not game.is_crawford
    if is_over:
        has_had_crawford = game.is_crawford or is_post_crawford or not match.uses_crawford
        is_post_crawford = has_had_crawford and 1 in after
    return met.mwc(*after, post_crawford=is_post_crawford)


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

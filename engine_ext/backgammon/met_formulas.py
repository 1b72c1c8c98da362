"""Match equity tables given by a formula: Zadeh's, and that of Thornberg's calculator `mec`.

The module contains the two models of a game with the cube, and the names of their parameters.

Away scores index every table here, so the first row and column stand for a match that is over.
Everything is IEEE + - * / on the parameters, so a table is the same bits on every machine.

Sources: N. Zadeh, On Doubling in Tournament Backgammon, Management Science 23 (1977), 986-993;
C. Thornberg, Match Equity Calculator, rec.games.backgammon, 23 September 1996, after T. Keith's
How to Compute a Match Equity Table; both in the variants that gnubg 1.07 computes.  It differs
in one place: its `mec` adds the worth of the free drop at 4-away to the trailer, which would put
him ahead of his own chances at 3-away; here it goes to the leader, as at 2-away and in Zadeh's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Row = list[float]
Parameters = Mapping[str, float]


@dataclass(frozen=True)
class Formula:
    """One type of table, with the parameters it needs before and after the Crawford game."""

    pre_names: frozenset[str]
    post_names: frozenset[str]
    to_post: Callable[[Parameters, int], Row]
    to_pre: Callable[[Parameters, Sequence[float]], list[Row]]


def post_crawford(parameters: Parameters, formula: str, size: int) -> tuple[float, ...]:
    """Return the trailer's mwc at 1 to `size` away, after the Crawford game."""
    return tuple(FORMULAS[formula].to_post(parameters, size)[1:])


def pre_crawford(
    parameters: Parameters, formula: str, post: Sequence[float]
) -> tuple[tuple[float, ...], ...]:
    """Return the table before and in the Crawford game, as large as `post` is long.

    Args:
        parameters: those in the formula's `pre_names`.
        formula: one of FORMULAS.
        post: the trailer's mwc at 1, 2, ... away, after the Crawford game.

    Raises:
        ZeroDivisionError: no table follows from these parameters.
    """
    table = FORMULAS[formula].to_pre(parameters, [1.0, *post])
    return tuple(tuple(row[1:]) for row in table[1:])


def _zadeh_post(parameters: Parameters, size: int) -> Row:
    """The trailer doubles at once; at 2 and 4 away the leader has a free drop."""
    gammon = parameters["gammon-rate-trailer"]
    drops = {2: parameters["free-drop-2-away"], 4: parameters["free-drop-4-away"]}
    post = [1.0]
    for away in range(1, size + 1):
        won = (1.0 - gammon) * post[max(away - 2, 0)] + gammon * post[max(away - 4, 0)]
        post.append(0.5 * won - drops.get(away, 0.0))
    return post


def _mec_post(parameters: Parameters, size: int) -> Row:
    """As Zadeh's at odd scores; an even score is the odd one before it, with a free drop."""
    gammon = parameters["gammon-rate"]
    drops = {2: parameters["free-drop-2-away"], 4: parameters["free-drop-4-away"]}
    post = [1.0]
    for away in range(1, size + 1):
        won = (1.0 - gammon) * post[max(away - 2, 0)] + gammon * post[max(away - 4, 0)]
        post.append(0.5 * won if away % 2 else post[-1] - drops.get(away, 0.0))
    return post


def _zadeh_pre(parameters: Parameters, post: Sequence[float]) -> list[Row]:
    """Between the two drop points the match equity is a straight line, taken at even chances."""
    model = _Zadeh(
        _crawford_table(post, parameters["gammon-rate-leader"]),
        parameters["gammon-rate-leader"],
        parameters["gammon-rate-trailer"],
        parameters["delta"],
    )
    delta_bar = parameters["delta-bar"]

    def even_chances(low: int, high: int) -> float:
        up = model.drop_point(low, high, 1) + delta_bar - 0.5
        down = model.drop_point(high, low, 1) + delta_bar - 0.5
        won, lost = model.table[low - 1][high], model.table[low][high - 1]
        return (down * won + up * lost) / (up + down)

    return _fill(model.table, even_chances)


def _mec_pre(parameters: Parameters, post: Sequence[float]) -> list[Row]:
    """As Zadeh's, with cubes that are live without limit."""
    model = _Mec(_crawford_table(post, parameters["gammon-rate"]), parameters["gammon-rate"])

    def even_chances(low: int, high: int) -> float:
        up, won = model.doubling_point(low, high, 1)
        down, lost = (1.0 - value for value in model.doubling_point(high, low, 1))
        return lost + (won - lost) * (0.5 - down) / (up - down)

    return _fill(model.table, even_chances)


@dataclass(frozen=True)
class _Zadeh:
    """Where a double is dropped, in the player's chances of winning the game."""

    table: list[Row]
    gammon_won: float
    gammon_lost: float
    delta: float

    def drop_point(self, away: int, other: int, cube: int) -> float:
        """The chances at which the opponent is indifferent to a double from `cube`.

        His redouble, from within `delta` of the player's own drop, brings them nearer to 1.
        """
        dead = self._dead_drop_point(away, other, cube)
        if min(away, other) <= 2 * cube:
            return dead
        return 1.0 - (self.drop_point(other, away, 2 * cube) + self.delta) * (1.0 - dead)

    def _dead_drop_point(self, away: int, other: int, cube: int) -> float:
        # With nothing left to lose the opponent redoubles at once.
        stake = 4 * cube if away <= 2 * cube < other else 2 * cube
        won, lost, table = self.gammon_won, self.gammon_lost, self.table
        up = (1.0 - won) * table[max(away - stake, 0)][other]
        up += won * table[max(away - 2 * stake, 0)][other]
        down = (1.0 - lost) * table[away][max(other - stake, 0)]
        down += lost * table[away][max(other - 2 * stake, 0)]
        return (table[max(away - cube, 0)][other] - down) / (up - down)


@dataclass(frozen=True)
class _Mec:
    """Where a double is indifferent to its taker, as the player's (win, mwc)."""

    table: list[Row]
    gammon: float

    def doubling_point(self, away: int, other: int, cube: int) -> tuple[float, float]:
        """The (win, mwc) of the player at which the opponent may take or drop.

        The opponent's mwc is a straight line, from all games lost on the doubled cube to his
        own doubling point.
        """
        if away <= cube:
            return 1.0, 1.0
        win, mwc = self.doubling_point(other, away, 2 * cube)
        row = self.table[other]
        lost = (1.0 - self.gammon) * row[max(away - 2 * cube, 0)]
        lost += self.gammon * row[max(away - 4 * cube, 0)]
        dropped = row[away - cube]
        return 1.0 - win * (dropped - lost) / (mwc - lost), 1.0 - dropped


def _crawford_table(post: Sequence[float], gammon: float) -> list[Row]:
    """A table with its Crawford row and column, and the scores of a match that is over."""
    size = len(post)
    table = [[0.0] * size for _ in range(size)]
    table[0] = [1.0] * size
    for away in range(1, size):
        won = (1.0 - gammon) * post[away - 1] + gammon * post[max(away - 2, 0)]
        table[away][1], table[1][away] = 0.5 * won, 1.0 - 0.5 * won
    return table


def _fill(table: list[Row], even_chances: Callable[[int, int], float]) -> list[Row]:
    """Fill in the rest, each score after all those that can follow it."""
    for high in range(2, len(table)):
        for low in range(2, high):
            table[low][high] = even_chances(low, high)
            table[high][low] = 1.0 - table[low][high]
        table[high][high] = 0.5
    return table


_FREE_DROPS: Final = frozenset({"free-drop-2-away", "free-drop-4-away"})

FORMULAS: Final = {
    "mec": Formula(
        frozenset({"gammon-rate", "win-rate"}),
        frozenset({"gammon-rate", "win-rate"}) | _FREE_DROPS,
        _mec_post,
        _mec_pre,
    ),
    "zadeh": Formula(
        frozenset({"gammon-rate-leader", "gammon-rate-trailer", "delta", "delta-bar"}),
        frozenset({"gammon-rate-trailer"}) | _FREE_DROPS,
        _zadeh_post,
        _zadeh_pre,
    ),
}

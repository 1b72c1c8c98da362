"""Bear-offs at match scores solved by plain Python, and random ones: an oracle and its questions.

Shares nothing with the engine but the match equity table's numbers.  All values are match winning
chances, by `number`: fractions.Fraction makes them exact, float ones to some 1e-15.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, GameState, MatchState
from engine_ext.backgammon.met import Met, kazaross_xg2

Board = tuple[int, ...]
"""The points of one side's checkers, highest first."""

NOBODY = 2
"""Owner of a centred cube; else the player, 0 or 1."""


@cache
def plays(board: Board, dice: tuple[int, ...]) -> frozenset[Board]:
    """Return the boards after the dice are played in this order; no roll is ever blocked."""
    if not dice or not board:
        return frozenset([board])
    after: set[Board] = set()
    die = dice[0]
    for i, point in enumerate(board):
        rest = board[:i] + board[i + 1 :]
        if point > die:
            after |= plays(tuple(sorted((*rest, point - die), reverse=True)), dice[1:])
        elif point == die or i == 0:
            after |= plays(rest, dice[1:])
    return frozenset(after)


@cache
def rolls(board: Board) -> tuple[tuple[int, frozenset[Board]], ...]:
    """Return (how many of 36, the boards after it) of each of the 21 rolls."""
    found = []
    for big in range(1, 7):
        found.append((1, plays(board, (big,) * 4)))
        for small in range(1, big):
            found.append((2, plays(board, (big, small)) | plays(board, (small, big))))
    return tuple(found)


@dataclass
class Solver:
    """Backward induction at one score.

    Args:
        away: points to go of players 0 and 1.
        crawford: this is the Crawford game.
        met: the match equities.
        number: what is calculated with.
    """

    away: tuple[int, int]
    crawford: bool = False
    met: Met = field(default_factory=kazaross_xg2)
    number: Callable[[float], Any] = float
    _known: dict[Any, Any] = field(default_factory=dict)

    def after(self, player: int, points: int) -> Any:
        """Return the chance of a player who wins so many points, or loses them."""
        own, other = self.away[player], self.away[1 - player]
        is_post = 1 in self.away
        own, other = (own - points, other) if points > 0 else (own, other + points)
        if own <= 0 or other <= 0:
            return self.number(1.0 if own <= 0 else 0.0)
        if not is_post:
            return self.number(self.met.mwc(own, other, player=player))
        if other == 1:
            return self.number(self.met.mwc(own, 1, post_crawford=True, player=player))
        trailer = self.met.mwc(other, 1, post_crawford=True, player=1 - player)
        return 1 - self.number(trailer)

    def may_double(self, player: int, value: int, owner: int) -> bool:
        """Whether a player may double and could gain by it."""
        return owner in (player, NOBODY) and not self.crawford and self.away[player] > value

    def rolling(self, player: int, us: Board, them: Board, value: int, owner: int) -> Any:
        """Return the chance of the player on roll, who does not double now."""
        total: Any = 0
        for weight, boards in rolls(us):
            worst = min(self.best(1 - player, them, after, value, owner) for after in boards)
            total += weight * (1 - worst)
        return total / 36

    def best(self, player: int, us: Board, them: Board, value: int, owner: int) -> Any:
        """Return the chance of the player on roll, both sides using the cube as is best."""
        if not them:
            return self.after(player, -value)
        key = (player, us, them, value, owner)
        if key not in self._known:
            chance = self.rolling(player, us, them, value, owner)
            if self.may_double(player, value, owner):
                taken = self.taken(player, us, them, value)
                chance = max(chance, min(taken, self.after(player, value)))
            self._known[key] = chance
        return self._known[key]

    def taken(self, player: int, us: Board, them: Board, value: int) -> Any:
        """Return the chance of the player on roll, who has doubled and was taken."""
        return self.rolling(player, us, them, 2 * value, 1 - player)

    def equity(self, player: int, value: int, chance: Any) -> float:
        """Return a chance as an equity: winning and losing `value` points are +1 and -1."""
        win, lose = self.after(player, value), self.after(player, -value)
        return float((2 * chance - win - lose) / (win - lose))


@dataclass(frozen=True)
class BearOff:
    """A bear-off at a score; the player on roll is player 0 and may double."""

    us: Board
    them: Board
    cube_value: int
    is_owned: bool
    length: int
    score: tuple[int, int]
    crawford: bool = False

    @property
    def state(self) -> GameState:
        """The same for the engine."""
        match = MatchState(
            cube_value=self.cube_value,
            cube_owner=ON_ROLL if self.is_owned else CENTRED,
            match_length=self.length,
            score=self.score,
            crawford=self.crawford,
            jacoby=False,
            beavers=False,
        )
        return GameState(Position(_slots(self.us), _slots(self.them)), match)

    @property
    def away(self) -> tuple[int, int]:
        """Points to go of the player on roll and of the other."""
        return self.length - self.score[0], self.length - self.score[1]

    def answers(self, number: Callable[[float], Any] = float) -> tuple[float, float]:
        """Return the equities of no double and of double, take."""
        solver = Solver(self.away, self.crawford, number=number)
        value, owner = self.cube_value, 0 if self.is_owned else NOBODY
        idle = solver.rolling(0, self.us, self.them, value, owner)
        taken = solver.taken(0, self.us, self.them, value)
        return solver.equity(0, value, idle), solver.equity(0, value, taken)


def _slots(board: Board) -> list[int]:
    return [15 - len(board)] + [board.count(point) for point in range(1, 26)]


def cube_of_bear_off(case: BearOff) -> Cube:
    """Return the engine's cube."""
    match = case.state.match
    return Cube(
        value=match.cube_value,
        owner=match.cube_owner,
        match_length=match.match_length,
        score=match.score,
        crawford=match.crawford,
    )


def random_bear_offs(seed: int, count: int, checkers_max: int = 6) -> list[BearOff]:
    """Return bear-offs at random scores and cubes where the player on roll may double."""
    rng = random.Random(seed)
    found: list[BearOff] = []
    while len(found) < count:
        length = rng.choice((3, 5, 7, 9, 11, 15, 25))
        score = rng.randrange(length), rng.randrange(length)
        value = rng.choice((1, 2, 2, 4, 8))
        case = BearOff(
            _random_board(rng, checkers_max),
            _random_board(rng, checkers_max),
            value,
            is_owned=value > 1,
            length=length,
            score=score,
        )
        if case.away[0] > value:
            found.append(case)
    return found


def _random_board(rng: random.Random, checkers_max: int) -> Board:
    points = [rng.randint(1, 6) for _ in range(rng.randint(1, checkers_max))]
    return tuple(sorted(points, reverse=True))
